// The requests about the definition: a plan that is told and not kept, and its application, provided that it
// is still what was planned (D235, D236). Who may ask for it, and in which form, is the interface's business.

import { createHmac } from 'node:crypto';
import type { AdministrativeActor } from '../../control/workspace/administrative-audit.ts';
import { requireWorkspace, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { ApiError } from '../../errors.ts';
import { say, writtenMessage } from '../../messages/message.ts';
import type { ChangeView } from '../../model/definition/revision.ts';
import type { Database, Queryable } from '../../postgres/db.ts';
import { viewChange } from '../changes/change-view.ts';
import {
  type DefinitionInput,
  type Documents,
  parseDefinition,
} from '../document/definition-input.ts';
import type { PlanProblem } from '../document/refusals.ts';
import { apply } from './apply-definition.ts';
import { type Cost, loadCosts } from './change-costs.ts';
import type { FoundChanges } from './compare-documents.ts';
import {
  type ApplyOptions,
  type DefinitionPlan,
  judgeChanges,
  lossesOf,
} from './definition-plan.ts';
import { findChanges } from './found-changes.ts';
import { planIndexes } from './prepare/index-plan.ts';

export interface PlannedChange extends ChangeView, Cost {
  /** The name that allows what is lost; null when nothing is. */
  readonly allow: string | null;
}

interface WrittenProblem extends Omit<PlanProblem, 'message'> {
  readonly message: string;
}

export interface PlanAnswer {
  readonly revision: number;
  /** Null when there are problems: nothing can be applied. */
  readonly plan_id: string | null;
  readonly changes: readonly PlannedChange[];
  readonly problems: readonly WrittenProblem[];
  /** The parts that the document does not change, in sentences. */
  readonly notes: readonly string[];
}

/** The changes of a document, and their obstacles; records with their values only if `showsRecords`. */
export async function planForRequest(
  db: Queryable,
  workspaceId: number,
  input: DefinitionInput,
  showsRecords: boolean,
): Promise<PlanAnswer> {
  const workspace = await requireWorkspace(db, workspaceId);
  const { revision } = workspace;
  const documents = await parseDefinition(input);
  if ('problems' in documents) {
    return {
      revision,
      plan_id: null,
      changes: [],
      problems: documents.problems.map(writtenProblem),
      notes: [],
    };
  }
  const difference = await findChanges(db, workspace, documents, {});
  const { notes } = difference;
  const plan = { ...(await judgeChanges(db, workspace, difference.changes, {})), notes };
  const changes = await presentChanges(db, plan, difference);
  const isGood = plan.problems.length === 0;
  const losses = lossesOf(difference.changes);
  const plan_id = isGood ? planId(workspace, documents, losses) : null;
  const problems = problemsWithoutValues(plan.problems, showsRecords).map(writtenProblem);
  return { revision, plan_id, changes, problems, notes };
}

/** Whether it is a conflict is said by the code of a refusal. */
function writtenProblem({ conflicts: _, message, ...problem }: PlanProblem): WrittenProblem {
  return { ...problem, ...writtenMessage(message) };
}

/** The problems as somebody is told them who may not read records: without records and their values. */
export function problemsWithoutValues(
  problems: readonly PlanProblem[],
  showsRecords: boolean,
): readonly PlanProblem[] {
  if (showsRecords) return problems;
  return problems.map(({ path, message, conflicts }) => ({
    ...{ path, message },
    ...(conflicts === undefined ? {} : { conflicts }),
  }));
}

async function presentChanges(
  db: Queryable,
  plan: DefinitionPlan,
  found: FoundChanges,
): Promise<readonly PlannedChange[]> {
  const costs = await loadCosts(db, plan, found);
  return plan.changes.map((change, at) => {
    const { effect, rows, expected_ms } = costs[at] as Cost;
    return { ...viewChange(change), effect, rows, allow: change.loss, expected_ms };
  });
}

/** Which plan this is: the same document, losses and revision have the same one. */
function planId(
  { revision, cursor_secret }: WorkspaceRow,
  { merged, patch }: Documents,
  losses: readonly string[],
): string {
  // Teams that the document does not list are lost by their name alone.
  const told = losses.filter((name) => !name.startsWith('team:'));
  const text = JSON.stringify(['definition plan', revision, merged, patch, told]);
  return createHmac('sha256', cursor_secret).update(text).digest('base64url');
}

/** A plan to be applied. */
export interface ApplyRequest {
  readonly input: DefinitionInput;
  readonly plan_id: string;
  readonly allow: readonly string[];
  /** Revisions one of which must be in force; undefined: any. */
  readonly revisions: readonly string[] | undefined;
}

export interface ApplyAnswer {
  readonly revision: number;
  readonly changes: readonly ChangeView[];
}

/** A plan to be applied, with the documents it is of. */
export interface Planned {
  readonly workspace: WorkspaceRow;
  readonly documents: Documents;
  readonly request: ApplyRequest;
  /** The changes of the plan, when they are known. */
  readonly found?: FoundChanges;
}

/** Errors: `stale_record`, `invalid_write` for a document that has no plan. */
export async function loadPlanned(
  db: Queryable,
  workspaceId: number,
  request: ApplyRequest,
): Promise<Planned> {
  const workspace = await requireWorkspace(db, workspaceId);
  return { workspace, documents: await parsePlanned(workspace, request), request };
}

/**
 * Finds the changes of a plan, for `applyPlanned` with the same actor. Errors: those of `applyPlanned` that are known
 * before.
 */
export async function findPlanned(
  db: Queryable,
  planned: Planned,
  actor: AdministrativeActor,
): Promise<Planned & { readonly found: FoundChanges }> {
  const { workspace, documents } = planned;
  const found = await findChanges(db, workspace, documents, optionsOf(planned, { actor }));
  return { ...planned, found };
}

/**
 * Carry out a plan. Errors: `stale_record`, `invalid_write` for another plan; refusals as
 * `refusalOf` tells them.
 */
export async function applyPlanned(
  db: Database,
  planned: Planned,
  options: ApplyOptions,
): Promise<ApplyAnswer> {
  const { workspace, documents, found } = planned;
  const plan = await apply(db, workspace, { documents, found }, optionsOf(planned, options));
  return presentApplied(plan);
}

function optionsOf({ documents, request }: Planned, options: ApplyOptions): ApplyOptions {
  return {
    ...options,
    allowDrop: request.allow,
    verify: (now, losses) => requirePlanned(now, documents, losses, request),
  };
}

export function presentApplied({ workspace, changes }: DefinitionPlan): ApplyAnswer {
  return { revision: workspace.revision, changes: changes.map(viewChange) };
}

async function parsePlanned(workspace: WorkspaceRow, request: ApplyRequest): Promise<Documents> {
  requireRevision(workspace, request);
  const documents = await parseDefinition(request.input);
  // A document with problems has no plan.
  if ('problems' in documents) throw otherPlan();
  return documents;
}

function requireRevision({ revision }: WorkspaceRow, { revisions }: ApplyRequest): void {
  if (revisions === undefined || revisions.includes(String(revision))) return;
  throw new ApiError('stale_record', {
    param: 'If-Match',
    message: say('definition_changed', { revision }),
    details: { revision },
  });
}

function requirePlanned(
  workspace: WorkspaceRow,
  documents: Documents,
  losses: readonly string[],
  request: ApplyRequest,
): void {
  requireRevision(workspace, request);
  if (planId(workspace, documents, losses) !== request.plan_id) throw otherPlan();
}

function otherPlan(): ApiError {
  return new ApiError('invalid_write', {
    param: 'plan_id',
    message: say('plan_of_another_document'),
  });
}

/** The duration from which changes take too long for a request. */
const LONG_MS = 1000;

/** Whether changes are work for a job: they take long, or indexes are built while clients write. */
export async function isLongToApply(db: Queryable, found: FoundChanges): Promise<boolean> {
  const { workspace, changes } = found;
  const { early, late, strays } = await planIndexes(db, workspace.schema, found);
  if (early.length + late.size + strays.length > 0) return true;
  const plan = { workspace, changes, violating: new Map() };
  const costs = await loadCosts(db, plan, found, true);
  return costs.reduce((sum, { expected_ms }) => sum + expected_ms, 0) > LONG_MS;
}
