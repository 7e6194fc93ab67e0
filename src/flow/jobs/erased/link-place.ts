// Links of the record; those of a record in the trash are part of its row there.

import { identifier, sql } from '../../../sql/sql.ts';
import {
  type ErasedRecord,
  type ErasedRows,
  trashedLinksSql,
} from '../../../sql/write/erase-sql.ts';
import { linksOfSql } from '../../../sql/write/link-sql.ts';
import { countOf, type RecordPlace, rowsPlace } from './record-place.ts';

function linksOf({ model: { schema }, object, id }: ErasedRecord): ErasedRows {
  const where = linksOfSql(object, (end) => sql`${end} = ${id}::uuid`);
  return { table: identifier(schema, '_links'), where };
}

const present = rowsPlace('links', linksOf);

export const linkPlace: RecordPlace = Object.freeze({
  ...present,
  count: async (db, record) =>
    (await present.count(db, record)) + (await countOf(db, trashedLinksSql(record))),
} satisfies RecordPlace);
