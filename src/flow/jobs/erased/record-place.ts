// A place that may have something of a record. To add one: a module that makes it, and a line in record-places.ts.

import type { Queryable } from '../../../postgres/db.ts';
import { runOnce } from '../../../postgres/run-once.ts';
import type { Sql } from '../../../sql/sql.ts';
import {
  countRowsSql,
  type ErasedRecord,
  type ErasedRows,
  emptyRowsSql,
  eraseRowsSql,
} from '../../../sql/write/erase-sql.ts';

export interface RecordPlace {
  /** The name of the place in the report. */
  readonly key: string;
  /** Counts the rows, or other parts, that an erasure of the record removes or empties here. */
  count(db: Queryable, record: ErasedRecord): Promise<number>;
  /** Removes or empties them; it is repeated when the process dies. */
  erase(tx: Queryable, record: ErasedRecord): Promise<void>;
}

/** A place that is the rows of a table. */
export function rowsPlace(key: string, rowsOf: (record: ErasedRecord) => ErasedRows): RecordPlace {
  return Object.freeze({
    key,
    count: (db: Queryable, record: ErasedRecord) => countOf(db, countRowsSql(rowsOf(record))),
    async erase(tx: Queryable, record: ErasedRecord) {
      await runOnce(tx, eraseRowsSql(rowsOf(record)));
    },
  });
}

/** A place whose rows stay without their values. */
export function emptiedPlace(
  key: string,
  rowsOf: (record: ErasedRecord) => ErasedRows,
  set: Sql,
): RecordPlace {
  return Object.freeze({
    ...rowsPlace(key, rowsOf),
    async erase(tx: Queryable, record: ErasedRecord) {
      await runOnce(tx, emptyRowsSql(rowsOf(record), set));
    },
  });
}

/** The number that a statement answers as `rows`. */
export async function countOf(db: Queryable, statement: Sql): Promise<number> {
  const [row] = await runOnce(db, statement);
  return Number(row?.rows);
}
