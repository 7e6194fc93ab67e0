// Checks the requirements of changes against the data. Most are one statement; the field type decides whether values
// fit a field, and the statement only leaves out those that surely fit.

import { cutText } from '../../errors.ts';
import { fittingValue } from '../../model/definition/fitting.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import type { FittingValues, Requirement, Violation } from '../changes/requirement.ts';
import { candidatesSql, requirementSql } from '../changes/requirement-sql.ts';
import type { Misfit } from '../document/refusals.ts';

export interface Finding {
  /** Empty: the requirement holds. */
  readonly violations: readonly Violation[];
  /** The first ones, where single values are looked at. */
  readonly misfits: readonly Misfit[];
}

/** Records that are looked at at a time. */
const PAGE = 10_000;
/** Misfits that are reported. */
const MOST_MISFITS = 20;
const MOST_CHARACTERS = 200;

/** The records of an object that were written since all values were judged. */
export type WrittenRecords = (object: ObjectModel) => Promise<readonly string[]>;

export async function examine(
  db: Queryable,
  schema: string,
  requirement: Requirement,
  written?: WrittenRecords,
): Promise<Finding> {
  if (requirement.kind === 'values_fit') {
    const ids = await written?.(requirement.object);
    return examineValues(db, schema, requirement, ids);
  }
  const rows = await runOnce(db, requirementSql(schema, requirement));
  return { violations: rows as unknown as readonly Violation[], misfits: [] };
}

async function examineValues(
  db: Queryable,
  schema: string,
  requirement: FittingValues,
  ids: readonly string[] | undefined,
): Promise<Finding> {
  const misfits: Misfit[] = [];
  let records = 0;
  let after: string | null = null;
  for (;;) {
    const rows = await runOnce(db, candidatesSql(schema, requirement, { after, limit: PAGE, ids }));
    for (const { id, value } of rows) {
      if ('value' in fittingValue(requirement.field, requirement.into, value)) continue;
      records += 1;
      if (misfits.length < MOST_MISFITS) misfits.push({ id: String(id), value: shown(value) });
    }
    const last = rows[rows.length - 1];
    if (last === undefined || rows.length < PAGE) break;
    after = String(last.id);
  }
  return { violations: records === 0 ? [] : [{ value: null, records }], misfits };
}

function shown(value: unknown): unknown {
  return typeof value === 'string' ? cutText(value, MOST_CHARACTERS) : value;
}
