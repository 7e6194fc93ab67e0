// One way to bring a workspace to a definition document: find the changes, prepare them while clients write, make them in
// one transaction, and clean up. Requests, jobs, commands, changes of roles and new workspaces differ in options only.

import type { AdministrativeEvent } from '../../control/workspace/administrative-audit.ts';
import { findWorkspace, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { ApiError, operatorError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import {
  type Database,
  isDatabaseError,
  type Queryable,
  type Transaction,
} from '../../postgres/db.ts';
import { type Documents, requireGoodDefinition } from '../document/definition-input.ts';
import { type Committed, commitChanges } from './commit-changes.ts';
import type { FoundChanges } from './compare-documents.ts';
import {
  type ApplyOptions,
  type DefinitionPlan,
  judgeChanges,
  requireFound,
} from './definition-plan.ts';
import { inTurn } from './definition-turn.ts';
import { findChanges, findInTurn } from './found-changes.ts';
import { appendSweep } from './leftovers.ts';
import { mergeOntoOwn } from './own-document.ts';
import { completeIndexes, discardIndexes } from './prepare/index-builds.ts';
import { type Builds, type Preparation, prepare } from './prepare/preparation.ts';

export { type ApplyOptions, type DefinitionPlan, requireApplicable } from './definition-plan.ts';

/** The plan of `applyDefinition`; makes no change. */
export async function planDefinition(
  db: Queryable,
  slug: string,
  patch: unknown,
  options: ApplyOptions = {},
): Promise<DefinitionPlan> {
  const wanted = await documentsOf(patch, options);
  const workspace = requireFound(await findWorkspace(db, slug), slug);
  const documents = await wanted(db, workspace);
  const { changes, notes } = await findChanges(db, workspace, documents, options);
  return { ...(await judgeChanges(db, workspace, changes, options)), notes };
}

/**
 * Bring a workspace to this document, its own one, a merge patch over the base. Answers what was
 * changed; throws an operator error that lists every problem when it cannot be, and then nothing is.
 */
export async function applyDefinition(
  db: Database,
  slug: string,
  patch: unknown,
  options: ApplyOptions = {},
): Promise<DefinitionPlan> {
  const wanted = await documentsOf(patch, options);
  const workspace = requireFound(await findWorkspace(db, slug), slug);
  const choose: Choose<never> = async (tx, now) => ({ documents: await wanted(tx, now) });
  return apply(db, workspace, choose, options);
}

/** A whole document is checked at once, and what is to be merged when it is known onto what. */
async function documentsOf(patch: unknown, { merge = false }: ApplyOptions) {
  const whole = merge ? undefined : await requireGoodDefinition({ patch });
  return async (db: Queryable, workspace: WorkspaceRow): Promise<Documents> =>
    whole ?? requireGoodDefinition({ patch: await mergeOntoOwn(db, workspace, patch) });
}

/** Documents to apply. */
export interface Chosen {
  readonly documents: Documents;
  /** The changes of the documents, when they were found before with the same options. */
  readonly found?: FoundChanges | undefined;
  /** The audit rows, when the choice decides them. */
  readonly events?: readonly AdministrativeEvent[];
}

/**
 * Documents that follow from those in force. Called when nobody else can change the definition until it is applied, and
 * again after a deadlock. One that may find all as it should be answers undefined then.
 */
export type Choose<Nothing extends undefined> = (
  tx: Transaction,
  now: WorkspaceRow,
) => Promise<Chosen | Nothing>;

/** A workspace that does not exist yet. */
export interface NewWorkspace {
  readonly slug: string;
  /** Make it, without a definition, in the transaction that gives it the first one. */
  make(tx: Transaction): Promise<WorkspaceRow>;
}

/**
 * Bring a workspace to documents. Answers what was changed; throws an operator error that lists every problem when it
 * cannot be, and then nothing is. Other errors: those of the choice, of `make` and of `verify`.
 */
export async function apply<Nothing extends undefined = never>(
  db: Database,
  workspace: WorkspaceRow | NewWorkspace,
  chosen: Chosen | Choose<Nothing>,
  options: ApplyOptions,
): Promise<DefinitionPlan | Nothing> {
  const builds: Builds = { built: [] };
  const choose = typeof chosen === 'function' ? chosen : async () => chosen;
  try {
    const applied = await transact(db, workspace, options, (tx, now) =>
      applyInTurn({ db, tx, builds }, now, choose, options),
    ).catch(async (error: unknown) => {
      if (!('make' in workspace)) await abandon(db, workspace, builds);
      throw explainLocked(error, workspace.slug);
    });
    if (applied === undefined) return applied;
    const { plan, isDone } = applied;
    if (!isDone) await completeIndexes(db, plan.workspace).catch(throwIncomplete);
    // Without it the job runs and finds that nothing is missing.
    await builds.lease?.finish().catch(() => undefined);
    return plan;
  } catch (error) {
    await builds.lease?.fail(error, 0).catch(() => undefined);
    throw error;
  }
}

/** Run `work` when nobody else can change the definition of the workspace. */
function transact<Result>(
  db: Database,
  workspace: WorkspaceRow | NewWorkspace,
  { signal, turn }: ApplyOptions,
  work: (tx: Transaction, now: WorkspaceRow) => Promise<Result>,
): Promise<Result> {
  if ('make' in workspace) {
    return db.transaction(async (tx) => work(tx, await workspace.make(tx)));
  }
  const { slug } = workspace;
  const find = async (tx: Queryable) => requireFound(await findWorkspace(tx, slug), slug);
  return inTurn(db, workspace, async (tx) => work(tx, await find(tx)), { signal, patience: turn });
}

async function applyInTurn<Nothing extends undefined>(
  preparation: Preparation,
  now: WorkspaceRow,
  choose: Choose<Nothing>,
  options: ApplyOptions,
): Promise<Committed | Nothing> {
  const { tx } = preparation;
  const chosen = await choose(tx, now);
  if (chosen === undefined) return chosen;
  const { events = options.events } = chosen;
  const own = events === undefined ? options : { ...options, events };
  const found = await findInTurn(tx, now, chosen, own);
  return commitChanges(tx, await prepare(preparation, found, own), own);
}

/** The job that noted the builds drops, or uses, those that cannot be dropped now. */
async function abandon(
  db: Database,
  workspace: WorkspaceRow,
  { built, isSweeping }: Builds,
): Promise<void> {
  if (built.length > 0) await discardIndexes(db, workspace, built).catch(() => undefined);
  if (isSweeping) await appendSweep(db, workspace.id, 0).catch(() => undefined);
}

function throwIncomplete(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw operatorError(
    `The definition is in force, but an index is missing: ${reason}. Apply it again to build it.`,
    error,
  );
}

function explainLocked(error: unknown, slug: string): unknown {
  const cause = error instanceof ApiError ? error.cause : undefined;
  if (!isDatabaseError(cause) || cause.code !== '55P03') return error;
  return operatorError(say('tables_in_use', { slug }).text, cause);
}
