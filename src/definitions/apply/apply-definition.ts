// Brings a workspace to a definition document: all of it in one transaction, or nothing. The difference comes from
// changes/diff.ts, the text of the changes from changes/ddl-sql.ts, indexes of large tables from index-builds.ts.

import {
  type AdministrativeEvent,
  appendAdministrativeAudit,
} from '../../control/administrative-audit.ts';
import {
  announceDefinition,
  findWorkspace,
  lockWorkspace,
  putDefinition,
  type StoredDefinition,
  type WorkspaceRow,
} from '../../control/workspaces.ts';
import { ApiError, operatorError } from '../../errors.ts';
import type { ChangeView } from '../../model/revision.ts';
import {
  type Database,
  isDatabaseError,
  type Queryable,
  type Transaction,
} from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { sql } from '../../sql/sql.ts';
import type { Change } from '../changes/change.ts';
import { viewChange } from '../changes/change-view.ts';
import { kindOf } from '../changes/kinds/index.ts';
import { type Documents, requireGoodDefinition } from '../document/definition-input.ts';
import {
  type ApplyOptions,
  actorOf,
  type DefinitionPlan,
  findChanges,
  judgeChanges,
  lossesOf,
  requireApplicable,
  requireFound,
} from './definition-plan.ts';
import { followViews } from './follow-views.ts';
import { followWebhooks } from './follow-webhooks.ts';
import {
  completeIndexes,
  discardIndexes,
  type IndexPlan,
  inTurn,
  isComplete,
} from './index-builds.ts';
import { appendSweep } from './leftovers.ts';
import { lockTables } from './lock-tables.ts';
import { leavesData, makeChanges, numberItems } from './make-changes.ts';
import { mergeOntoOwn } from './own-document.ts';
import {
  type Builds,
  finishBuilds,
  type Preparation,
  type PreparedData,
  prepare,
  writtenSince,
} from './preparation.ts';

export { type ApplyOptions, type DefinitionPlan, requireApplicable } from './definition-plan.ts';

/** What `applyDefinition` would do; changes nothing. */
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
  return applyChosen(db, workspace, choose, options);
}

/** A whole document is checked at once, and what is to be merged when it is known onto what. */
async function documentsOf(patch: unknown, { merge = false }: ApplyOptions) {
  const whole = merge ? undefined : await requireGoodDefinition({ patch });
  return async (db: Queryable, workspace: WorkspaceRow): Promise<Documents> =>
    whole ?? requireGoodDefinition({ patch: await mergeOntoOwn(db, workspace, patch) });
}

/** The same with both forms of a document that is good. */
export function applyDocuments(
  db: Database,
  workspace: WorkspaceRow,
  documents: Documents,
  options: ApplyOptions,
): Promise<DefinitionPlan> {
  return applyChosen<never>(db, workspace, async () => ({ documents }), options);
}

/** Documents that follow from those in force, and how the audit names the change. */
export interface Chosen {
  readonly documents: Documents;
  readonly events?: readonly AdministrativeEvent[];
}

/**
 * Called when nobody else can change the definition until it is applied, and again after a deadlock. One that may find
 * all as it should be answers undefined then.
 */
export type Choose<Nothing extends undefined> = (
  tx: Transaction,
  now: WorkspaceRow,
) => Promise<Chosen | Nothing>;

/** Bring a workspace to the documents that are chosen. Errors: those of the choice, and as above. */
export async function applyChosen<Nothing extends undefined>(
  db: Database,
  workspace: WorkspaceRow,
  choose: Choose<Nothing>,
  options: ApplyOptions,
): Promise<DefinitionPlan | Nothing> {
  const { slug } = workspace;
  const builds: Builds = { built: [] };
  const wait = { signal: options.signal, patience: options.turn };
  try {
    const applied = await inTurn(
      db,
      workspace,
      (tx) => applyInTurn({ db, tx, builds }, slug, choose, options),
      wait,
    ).catch(async (error: unknown) => {
      // What cannot be dropped now is dropped, or used, by the job that noted the builds.
      const { built } = builds;
      if (built.length > 0) await discardIndexes(db, workspace, built).catch(() => undefined);
      if (builds.isSweeping) await appendSweep(db, workspace.id, 0).catch(() => undefined);
      throw explainLocked(error, slug);
    });
    if (applied === undefined) return applied;
    const { plan, isNew, isDone } = applied;
    // After the commit, so that the processes that hear it find the new revision.
    if (isNew) await announceDefinition(db, plan.workspace.id);
    if (!isDone) await completeIndexes(db, plan.workspace).catch(throwIncomplete);
    // Without it the job runs and finds that nothing is missing.
    await builds.lease?.finish().catch(() => undefined);
    return plan;
  } catch (error) {
    await builds.lease?.fail(error, 0).catch(() => undefined);
    throw error;
  }
}

interface Applied {
  readonly plan: DefinitionPlan;
  readonly isNew: boolean;
  /** False when indexes are still to be built. */
  readonly isDone: boolean;
}

async function applyInTurn<Nothing extends undefined>(
  preparation: Preparation,
  slug: string,
  choose: Choose<Nothing>,
  options: ApplyOptions,
): Promise<Applied | Nothing> {
  const { tx } = preparation;
  const now = requireFound(await findWorkspace(tx, slug), slug);
  const chosen = await choose(tx, now);
  if (chosen === undefined) return chosen;
  const { documents, events = options.events } = chosen;
  const own = events === undefined ? options : { ...options, events };
  const prepared = await prepare(preparation, now, documents, own);
  return applyInTransaction(tx, slug, { ...documents, ...prepared }, own);
}

async function applyInTransaction(
  tx: Transaction,
  slug: string,
  { merged, patch, ...prepared }: Documents & PreparedData,
  options: ApplyOptions,
): Promise<Applied> {
  const workspace = requireFound(await lockWorkspace(tx, slug), slug);
  await prepareForDdl(tx, options);
  const documents = { merged, patch };
  const found = await findChanges(tx, workspace, documents, options);
  const { changes, stored, storage, after, notes, renamed } = found;
  const { indexes, judgedAt, values } = prepared;
  options.verify?.(workspace, lossesOf(changes));
  const open = changes.map((change) => withoutBuilt(change, indexes));
  // The last records are stored again, and keys in rows renamed, when nobody writes by the definition before.
  const isRename = (change: Change) => kindOf(change).action === 'rename';
  const isClosed = prepared.data.length > 0 || changes.some(isRename);
  await lockTables(tx, workspace.schema, open, isClosed ? workspace : undefined);
  const written =
    judgedAt === undefined
      ? undefined
      : writtenSince(tx, workspace.schema, { ...renamed, since: judgedAt });
  const judged = await judgeChanges(tx, workspace, open, { ...options, written });
  const plan = { ...judged, changes, notes };
  requireApplicable(plan);
  const isSame =
    JSON.stringify([stored?.document, stored?.patch]) === JSON.stringify([merged, patch]);
  if (isSame && changes.length === 0) {
    await options.onApplied?.(tx, plan);
    return { plan, isNew: false, isDone: isComplete(after, indexes, []) };
  }
  const name = merged.name ?? workspace.name;
  const applied = { ...workspace, revision: workspace.revision + 1, name };
  await finishBuilds(tx, workspace.schema, prepared);
  const { trigrams, ready, late } = indexes;
  const without = new Set([...ready, ...late]);
  const made = await makeChanges(tx, workspace.schema, changes, { trigrams, without, values });
  await numberItems(tx, after);
  await followViews(tx, workspace, changes);
  await followWebhooks(tx, workspace, changes);
  await putRevisionOf(tx, applied, { document: merged, patch, storage }, { changes, options });
  if (changes.some(leavesData)) await appendSweep(tx, workspace.id);
  const done = { ...plan, workspace: applied };
  await options.onApplied?.(tx, done);
  return { plan: done, isNew: true, isDone: isComplete(after, indexes, made) };
}

interface Applying {
  readonly changes: readonly Change[];
  readonly options: ApplyOptions;
}

/** The revision with what it changed, and an audit row for each of the changes. */
async function putRevisionOf(
  tx: Transaction,
  workspace: WorkspaceRow,
  definition: StoredDefinition,
  { changes, options }: Applying,
): Promise<void> {
  const actor = actorOf(options);
  const views = changes.map(viewChange);
  await putDefinition(tx, workspace, definition, { actor, changes: views });
  const { events = views.map(eventOf) } = options;
  await appendAdministrativeAudit(tx, workspace.schema, actor, events);
}

function eventOf({ path, action }: ChangeView): AdministrativeEvent {
  return { subject_type: 'definition', subject_id: path, action: AUDIT_ACTIONS[action] };
}

const AUDIT_ACTIONS = Object.freeze({
  add: 'create',
  change: 'update',
  remove: 'delete',
  rename: 'rename',
});

/** A change whose index is there needs no lock, and no look at the data: the index has seen to it. */
function withoutBuilt(change: Change, { ready }: IndexPlan): Change {
  const kind = kindOf(change);
  const index = kind.index?.(change);
  // To drop an index takes the lock as well.
  if (index === undefined || !ready.has(index.name) || kind.replacesIndex) return change;
  const { summary, loss, refusal } = change;
  return { kind: 'note', path: kind.path(change), summary, loss, refusal, requirements: [] };
}

function throwIncomplete(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw operatorError(
    `The definition is in force, but an index is missing: ${reason}. Apply it again to build it.`,
    error,
  );
}

/** DDL may take long, but must not queue before all other statements of the service for long. */
async function prepareForDdl(tx: Queryable, { timeout = 0 }: ApplyOptions): Promise<void> {
  await runOnce(
    tx,
    sql`select set_config('lock_timeout', '5s', true),
      set_config('statement_timeout', ${String(timeout)}, true)`,
  );
}

function explainLocked(error: unknown, slug: string): unknown {
  const cause = error instanceof ApiError ? error.cause : undefined;
  if (!isDatabaseError(cause) || cause.code !== '55P03') return error;
  const message = `The tables of "${slug}" are in use for too long; nothing was changed. Try again.`;
  return operatorError(message, cause);
}
