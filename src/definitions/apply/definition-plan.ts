// The effect of a definition's changes on the data, and their obstacles: the judgement of changes that found-changes.ts
// has found. Nothing here changes anything; commit-changes.ts does.

import {
  type AdministrativeActor,
  type AdministrativeEvent,
  OPERATOR,
} from '../../control/workspace/administrative-audit.ts';
import type { WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Queryable, Transaction } from '../../postgres/db.ts';
import type { Change } from '../changes/change.ts';
import { viewChange } from '../changes/change-view.ts';
import { describeViolations } from '../changes/requirement.ts';
import { listed, type PlanProblem, refuse } from '../document/refusals.ts';
import { examine, type WrittenRecords } from './judge-values.ts';

export interface ApplyOptions {
  /** True: the document is merged onto the workspace's own one, and is not the whole of it. */
  readonly merge?: boolean;
  /** Names of what may be lost: `deals`, `deals.close_value`, `team:North`. */
  readonly allowDrop?: readonly string[];
  /** An operator when left out. An API key changes no administrators. */
  readonly actor?: AdministrativeActor;
  /** Called whenever changes are found; throws when these are not the changes that were meant. */
  readonly verify?: (workspace: WorkspaceRow, losses: readonly string[]) => void;
  /** The audit rows of what was asked for; one for each change when left out. */
  readonly events?: readonly AdministrativeEvent[];
  /** Called in the transaction that has made the changes. */
  readonly onApplied?: (tx: Transaction, plan: DefinitionPlan) => Promise<void>;
  /** `kept`: people stay as they are, whatever the document says of them. */
  readonly people?: 'kept';
  /** Milliseconds to wait for another change of the same definition. */
  readonly turn?: number;
  /** Milliseconds that a statement may take; any when left out. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** The job that does it, when one does. */
  readonly jobId?: string;
}

/** The result of applying a document, or its plan. */
export interface DefinitionPlan {
  readonly workspace: WorkspaceRow;
  readonly changes: readonly Change[];
  /** Why the document cannot be applied as things are. */
  readonly problems: readonly PlanProblem[];
  /** Names that are lost and not allowed yet. */
  readonly losses: readonly string[];
  /** The parts that the document does not change, in sentences. */
  readonly notes: readonly string[];
  /** The number of records that block each change. */
  readonly violating: ReadonlyMap<Change, number>;
}

export function actorOf({ actor = OPERATOR }: ApplyOptions): AdministrativeActor {
  return actor;
}

export function requireFound(workspace: WorkspaceRow | undefined, slug: string): WorkspaceRow {
  if (workspace !== undefined) return workspace;
  throw operatorError(`There is no workspace "${slug}"; "workspaces list" shows all.`);
}

interface Judging extends Pick<ApplyOptions, 'allowDrop'> {
  /** Only values of these records have to be looked at; those of all others are known to fit. */
  readonly written?: WrittenRecords | undefined;
}

/** Query the data for values that block the changes. */
export async function judgeChanges(
  db: Queryable,
  workspace: WorkspaceRow,
  changes: readonly Change[],
  { allowDrop = [], written }: Judging,
): Promise<DefinitionPlan> {
  const problems: PlanProblem[] = [];
  const violating = new Map<Change, number>();
  for (const change of changes) {
    const { found, records } = await problemsOf(db, workspace, change, written);
    problems.push(...found);
    if (records > 0) violating.set(change, records);
  }
  const lost = lossesOf(changes);
  // A document that is in force already changes nothing: the same call may be made again.
  const unknown = changes.length === 0 ? [] : allowDrop.filter((name) => !lost.includes(name));
  problems.push(
    ...unknown.map((name) => ({
      path: 'allow',
      message: say('definition_not_a_loss', { name: quoted(name) }),
    })),
  );
  const losses = lost.filter((loss) => !allowDrop.includes(loss));
  return { workspace, changes, problems, losses, violating, notes: [] };
}

/** The names of all that is lost. */
export function lossesOf(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ loss }) => loss ?? []);
}

async function problemsOf(
  db: Queryable,
  { schema }: WorkspaceRow,
  change: Change,
  written: WrittenRecords | undefined,
): Promise<{ readonly found: readonly PlanProblem[]; readonly records: number }> {
  const { path } = viewChange(change);
  const planProblems: PlanProblem[] = [];
  let records = 0;
  if (change.refusal !== null) {
    const conflicts = change.conflicts === true ? ({ conflicts: true } as const) : {};
    planProblems.push({ path, message: change.refusal, ...conflicts });
  }
  for (const requirement of change.requirements) {
    const { violations, misfits } = await examine(db, schema, requirement, written);
    if (violations.length === 0) continue;
    const message = describeViolations(requirement, violations);
    planProblems.push({ path, message, ...(misfits.length > 0 ? { records: misfits } : {}) });
    records += violations.reduce((sum, violation) => sum + violation.records, 0);
  }
  return { found: planProblems, records };
}

/** A problem as one line for the terminal. */
export function problemText({ path, message, records = [] }: PlanProblem): string {
  const text = path === 'allow' ? `--allow-drop ${message.text}` : message.text;
  const values = records.map(({ id, value }) => `${JSON.stringify(value)} (${id})`);
  return values.length === 0 ? text : `${text}: ${values.join(', ')}`;
}

/** Refuse a plan that cannot be carried out, with all reasons. */
export function requireApplicable({ workspace, problems, losses }: DefinitionPlan): void {
  const lines = [
    ...problems.map(problemText),
    ...losses.map(
      (name) => `the change would delete data; to allow it add: --allow-drop ${quoted(name)}`,
    ),
  ];
  if (lines.length === 0) return;
  const title = `The definition cannot be applied to "${workspace.slug}", nothing was changed`;
  throw refuse(listed(title, lines), { problems, losses });
}

function quoted(name: string): string {
  return /^[\w.:-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
