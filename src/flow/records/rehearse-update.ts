// The changes that an update would make now: validated like a write, with its locks, and not written.

import type { Field, ObjectModel } from '../../model/model.ts';
import { validateWrites } from '../../plan/validate-write.ts';
import type { WriteOperation } from '../../plan/write-operation.ts';
import { planWrites } from '../../plan/write-plan.ts';
import { currentValue } from '../../plan/write-validation.ts';
import { planLookups } from './lookups.ts';
import { lookupResultsOf, runLookups } from './run-lookups.ts';
import type { WriteContext } from './write-group.ts';

/** The value of a field now, and the one that it would have. */
export interface RehearsedValue {
  readonly field: Field;
  readonly old: unknown;
  readonly now: unknown;
}

/** Errors: those of the write. */
export async function rehearseUpdate(
  { db, model, caller }: Pick<WriteContext, 'db' | 'model' | 'caller'>,
  object: ObjectModel,
  operation: Extract<WriteOperation, { action: 'update' }>,
): Promise<readonly RehearsedValue[]> {
  const request = { operations: [operation], source: 'api', batch: false } as const;
  const plan = planWrites(model, caller, object, request);
  const lookups = planLookups(plan, 'locking', 'all');
  const lookedUp = await db.near(model.schema).transaction(
    async (tx) => {
      const [answers = []] = await runLookups(tx, [lookups]);
      return lookupResultsOf({ lookups, answers });
    },
    { writes: model.schema },
  );
  const [change] = validateWrites(plan, lookedUp);
  if (change?.kind !== 'update') return [];
  const { before } = change;
  return [...change.set].map(([field, now]) => ({ field, old: currentValue(before, field), now }));
}
