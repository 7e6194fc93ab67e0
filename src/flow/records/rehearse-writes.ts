// The changes that writes would make now: validated like a write, with its locks, and not written. Deletes are not tried,
// for an erasure rehearses many of them.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { validateWrites } from '../../plan/write/validate-write.ts';
import type {
  WriteOperation,
  WriteRequest,
  WrittenObjects,
} from '../../plan/write/write-operation.ts';
import { planWrites } from '../../plan/write/write-plan.ts';
import { type Change, currentValue } from '../../plan/write/write-validation.ts';
import { rollbackOnly } from '../../postgres/rollback-only.ts';
import { planLookups } from './lookups.ts';
import { lookupResultsOf, runLookups } from './run-lookups.ts';
import { writeRecords } from './write-flow.ts';
import type { WriteContext } from './write-group.ts';

/** The value of a field now, and the one that it would have. */
export interface RehearsedValue {
  readonly field: Field;
  readonly old: unknown;
  readonly now: unknown;
}

type Rehearsing = Pick<WriteContext, 'db' | 'model' | 'caller'>;

/** The update is made and rolled back (D919), so its errors are those of the write. */
export async function rehearseUpdate(
  context: WriteContext,
  object: ObjectModel,
  operation: Extract<WriteOperation, { action: 'update' }>,
): Promise<readonly RehearsedValue[]> {
  const request = { operations: [operation], source: 'api', batch: false } as const;
  const [change] = await rehearseWrites(context, object, request);
  if (change?.kind !== 'update') return [];
  await writeRecords({ ...context, db: rollbackOnly(context.db) }, object, request);
  const { before } = change;
  return [...change.set].map(([field, now]) => ({ field, old: currentValue(before, field), now }));
}

/** Errors: those of the validation of the write. */
export async function rehearseWrites(
  { db, model, caller }: Rehearsing,
  written: WrittenObjects,
  request: WriteRequest,
): Promise<readonly Change[]> {
  const plan = planWrites(model, caller, written, request);
  const lookups = planLookups(plan, 'locking', 'all');
  const lookedUp = await db.near(model.schema).transaction(
    async (tx) => {
      const [answers = []] = await runLookups(tx, [lookups]);
      return lookupResultsOf({ lookups, answers });
    },
    { writes: model.schema },
  );
  return validateWrites(plan, lookedUp);
}
