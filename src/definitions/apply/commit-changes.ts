// Makes the changes of a definition in the transaction that puts it in force: under the lock of the workspace, judged by
// the data that nobody can change until it ends. The text of the changes comes from changes/ddl-sql.ts.

import {
  type AdministrativeEvent,
  appendAdministrativeAudit,
} from '../../control/workspace/administrative-audit.ts';
import {
  announceDefinition,
  lockWorkspace,
  putDefinition,
  type StoredDefinition,
  type WorkspaceRow,
} from '../../control/workspace/workspaces.ts';
import type { ChangeView } from '../../model/definition/revision.ts';
import type { Queryable, Transaction } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { sql } from '../../sql/sql.ts';
import type { Change } from '../changes/change.ts';
import { viewChange } from '../changes/change-view.ts';
import { kindOf } from '../changes/kinds/index.ts';
import type { FoundChanges } from './compare-documents.ts';
import {
  type ApplyOptions,
  actorOf,
  type DefinitionPlan,
  judgeChanges,
  requireApplicable,
  requireFound,
} from './definition-plan.ts';
import { followViews } from './follow-views.ts';
import { followWebhooks } from './follow-webhooks.ts';
import { findUnderLock, isBeingMade } from './found-changes.ts';
import { appendSweep } from './leftovers.ts';
import { lockTables } from './lock-tables.ts';
import { leavesData, makeChanges, makeNew } from './make-changes.ts';
import { type IndexPlan, isComplete } from './prepare/index-plan.ts';
import { finishBuilds, type Prepared, writtenSince } from './prepare/preparation.ts';

/** A definition in force, unless the transaction fails. */
export interface Committed {
  readonly plan: DefinitionPlan;
  /** False when indexes are still to be built. */
  readonly isDone: boolean;
}

/** Errors: those of `verify`; a refusal with all problems; 55P03 when the tables are in use for too long. */
export async function commitChanges(
  tx: Transaction,
  before: Prepared,
  options: ApplyOptions,
): Promise<Committed> {
  const prepared = { ...before, found: await lockFound(tx, before, options) };
  const { found: difference, indexes } = prepared;
  const plan = await judgeLocked(tx, prepared, options);
  requireApplicable(plan);
  if (isInForce(difference)) {
    await options.onApplied?.(tx, plan);
    return { plan, isDone: isComplete(difference.after, indexes, []) };
  }
  const madeIndexes = await makeAll(tx, prepared);
  const { workspace, changes, documents, storage, name } = difference;
  const applied = { ...workspace, revision: workspace.revision + 1, name };
  const definition = { document: documents.merged, patch: documents.patch, storage };
  await putRevisionOf(tx, applied, definition, { changes, options });
  if (changes.some(leavesData)) await appendSweep(tx, workspace.id);
  // PostgreSQL sends it with the commit, so the processes that receive it find the new revision.
  await announceDefinition(tx, workspace.id);
  const done = { ...plan, workspace: applied };
  await options.onApplied?.(tx, done);
  return { plan: done, isDone: isComplete(difference.after, indexes, madeIndexes) };
}

/** A workspace that is being made is nobody else's to change. */
async function lockFound(
  tx: Queryable,
  { found }: Prepared,
  options: ApplyOptions,
): Promise<FoundChanges> {
  if (isBeingMade(found.workspace)) return found;
  const { slug } = found.workspace;
  const workspace = requireFound(await lockWorkspace(tx, slug), slug);
  await prepareForDdl(tx, options);
  return findUnderLock(tx, workspace, found, options);
}

/** Close the tables and query their data for what blocks the changes. */
async function judgeLocked(
  tx: Queryable,
  { found, indexes, data, judgedAt }: Prepared,
  options: ApplyOptions,
): Promise<DefinitionPlan> {
  const { workspace, changes, notes, renamed } = found;
  const { schema } = workspace;
  const open = changes.map((change) => withoutBuilt(change, indexes));
  // The last records are stored again, and keys in rows renamed, when nobody writes by the definition before.
  const isRename = (change: Change) => kindOf(change).action === 'rename';
  const isClosed = data.length > 0 || changes.some(isRename);
  await lockTables(tx, schema, open, isClosed ? workspace : undefined);
  const written =
    judgedAt === undefined ? undefined : writtenSince(tx, schema, { ...renamed, since: judgedAt });
  return { ...(await judgeChanges(tx, workspace, open, { ...options, written })), changes, notes };
}

function isInForce({ changes, stored, documents: { merged, patch } }: FoundChanges): boolean {
  if (changes.length > 0) return false;
  return JSON.stringify([stored?.document, stored?.patch]) === JSON.stringify([merged, patch]);
}

/** Answers the names of the indexes it made. */
async function makeAll(tx: Transaction, prepared: Prepared): Promise<readonly string[]> {
  const { found, indexes, values } = prepared;
  const { workspace, changes, after } = found;
  const { trigrams, ready, late } = indexes;
  if (isBeingMade(workspace)) return makeNew(tx, after, changes, { trigrams });
  await finishBuilds(tx, workspace.schema, prepared);
  const without = new Set([...ready, ...late]);
  const made = await makeChanges(tx, after, changes, { trigrams, without, values });
  await followViews(tx, workspace, changes);
  await followWebhooks(tx, workspace, changes);
  return made;
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

/** DDL may take long, but must not queue before all other statements of the service for long. */
async function prepareForDdl(tx: Queryable, { timeout = 0 }: ApplyOptions): Promise<void> {
  await runOnce(
    tx,
    sql`select set_config('lock_timeout', '5s', true),
      set_config('statement_timeout', ${String(timeout)}, true)`,
  );
}
