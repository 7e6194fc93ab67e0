// The audit of moves that a dry run has judged by a condition on a field that the caller may not read: the answer says
// whether the record meets it, and a dry run leaves no other trace (docs/decisions.md, D731).

import { administer, administrationOf } from '../../control/workspace/administer.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import { objectAccess } from '../../model/rights/access.ts';
import type { WriteOperation } from '../../plan/write/write-operation.ts';
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
  const ids = checked.flatMap((one) => hiddenMoveOf(context, one) ?? []);
  if (ids.length === 0) return run();
  try {
    const result = await run();
    await noteMoves(context, ids);
    return result;
  } catch (error) {
    if (isOfGate(error)) await noteMoves(context, ids);
    throw error;
  }
}

/** The record of a move with a condition that the caller may not read; undefined for other operations. */
function hiddenMoveOf(
  { model, caller }: Checking,
  { object, operation }: CheckedOperation,
): string | undefined {
  if (operation.action !== 'status' || typeof operation.id !== 'string') return undefined;
  const { readable } = objectAccess(caller, object);
  const isHidden = gatesTo(model, [operation.status_id]).some(
    ({ when }) => when !== undefined && object.fields.has(when.field) && !readable.has(when.field),
  );
  return isHidden ? operation.id : undefined;
}

/** True for a refusal that says what a gate has decided. */
function isOfGate(error: unknown): boolean {
  const problems = problemsOf(error, 'change') ?? [];
  return problems.some(({ reason }) => reason === 'approval_required');
}

function noteMoves(context: Checking, ids: readonly string[]): Promise<void> {
  return administer(administrationOf(context), async () => ({
    result: undefined,
    events: ids.map((subject_id) => ({
      ...{ subject_type: 'status_check' as const, subject_id, action: 'dry_run' },
      changed_fields: ['status'],
    })),
  }));
}
