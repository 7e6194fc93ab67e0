// The audit of moves that a dry run has judged by a condition on a field that the caller may not read: the answer says
// whether the record meets it, and a dry run leaves no other trace (docs/decisions.md, D731).

import { administer, administrationOf } from '../../control/workspace/administer.ts';
import { ApiError } from '../../errors.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import { objectAccess } from '../../model/rights/access.ts';
import type { RecordName, WriteOperation } from '../../plan/write/write-operation.ts';
import { gatesTo } from './lookups.ts';
import { problemsOf } from './write-failure.ts';
import type { WriteContext } from './write-group.ts';

type Checking = Pick<WriteContext, 'db' | 'model' | 'caller'> & { readonly requestId: string };

export interface CheckedOperation {
  readonly object: ObjectModel;
  readonly operation: WriteOperation;
}

/** The result of a dry run, once its moves are audited. Errors: those of the dry run. */
export async function auditedDryRun<Result>(
  context: Checking,
  checked: readonly CheckedOperation[],
  run: () => Promise<Result>,
): Promise<Result> {
  const moves = checked.flatMap((_, index) => hiddenMoveOf(context, checked, index) ?? []);
  if (moves.length === 0) return run();
  try {
    const result = await run();
    await noteMoves(context, moves);
    return result;
  } catch (error) {
    const judged = moves.filter((move) => isJudged(error, move));
    if (judged.length > 0) await noteMoves(context, judged);
    throw error;
  }
}

interface HiddenMove {
  readonly index: number;
  readonly subject_id: string;
}

/** A move with a condition that the caller may not read; undefined for other operations. */
function hiddenMoveOf(
  { model, caller }: Checking,
  checked: readonly CheckedOperation[],
  index: number,
): HiddenMove | undefined {
  const { object, operation } = checked[index] as CheckedOperation;
  if (operation.action !== 'status') return undefined;
  const { readable } = objectAccess(caller, object);
  const isHidden = gatesTo(model, [operation.status_id]).some(
    ({ when }) => when !== undefined && object.fields.has(when.field) && !readable.has(when.field),
  );
  const subject_id = isHidden ? subjectOf(checked.slice(0, index), operation.id) : undefined;
  return subject_id === undefined ? undefined : { index, subject_id };
}

/** The id of the record; the object type of one that an upsert finds; undefined for one that the batch makes. */
function subjectOf(earlier: readonly CheckedOperation[], name: RecordName): string | undefined {
  if (typeof name === 'string') return name;
  const { object, operation } = earlier[name.$op] ?? {};
  if (operation?.action === 'upsert') return object?.object_type;
  if (operation === undefined || !('id' in operation)) return undefined;
  return subjectOf(earlier.slice(0, name.$op), operation.id);
}

/** True for a refusal that tells the gate: it names it, or finds problems of other operations only. */
function isJudged(error: unknown, { index }: HiddenMove): boolean {
  if (!(error instanceof ApiError) || !JUDGING.has(error.status)) return false;
  const problems = problemsOf(error, 'change') ?? [];
  return (
    problems.some(({ reason }) => reason === 'approval_required') ||
    !problems.some(({ operation_index }) => operation_index === index)
  );
}

/** The answers of writes that were judged. */
const JUDGING: ReadonlySet<number> = new Set([409, 422]);

function noteMoves(context: Checking, moves: readonly HiddenMove[]): Promise<void> {
  return administer(administrationOf(context), async () => ({
    result: undefined,
    events: moves.map(({ subject_id }) => ({
      ...{ subject_type: 'status_check' as const, subject_id, action: 'dry_run' },
      changed_fields: ['status'],
    })),
  }));
}
