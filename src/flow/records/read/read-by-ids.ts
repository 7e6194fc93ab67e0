// Records by their ids, in the order of the ids: for what names them elsewhere, such as changes.

import type { ObjectModel } from '../../../model/definition/model.ts';
import type { AnswerSize } from '../../../model/values/value-size.ts';
import { withinSize } from '../../../plan/read/answer-size.ts';
import { planGet, type ReadPlan } from '../../../plan/read/read-plan.ts';
import type { Row } from '../../../postgres/db.ts';
import { readSql } from '../../../sql/read/read-sql.ts';
import { toStatement } from '../../../sql/sql.ts';
import { fittingRows } from './fitting-rows.ts';
import { type ReadContext, readShared } from './read-statement.ts';

export interface NamedRecords {
  readonly ids: readonly string[];
  /** Everything that can be read when left out. */
  readonly fields: readonly string[] | undefined;
  readonly size: AnswerSize;
}

export interface FoundRecords {
  readonly plan: ReadPlan;
  readonly rows: readonly Row[];
  /** False when the rest of them does not fit. */
  readonly isWhole: boolean;
}

/** The records that the caller may read. Errors: `validation_failed` for a field, or a record that is too large. */
export async function readByIds(
  context: ReadContext,
  object: ObjectModel,
  { ids, fields, size }: NamedRecords,
): Promise<FoundRecords> {
  const planned = planGet(context.model, context.caller, object, { ids, fields });
  const { limit: _, ...plan } = withinSize({ ...planned, limit: ids.length }, size);
  const sized: ReadPlan = { ...plan, limit: undefined };
  const found = await readShared(context, toStatement(readSql(sized)));
  const rows = found.slice(0, fittingRows(found, { size }));
  return { plan: sized, rows, isWhole: rows.length === found.length };
}
