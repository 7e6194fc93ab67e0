// The files that the record has or had: named no longer, and marked, so that their bytes are removed.

import { sql } from '../../../sql/sql.ts';
import { type ErasedRecord, type ErasedRows, rowsOfTable } from '../../../sql/write/erase-sql.ts';
import { emptiedPlace } from './record-place.ts';

export const attachmentPlace = emptiedPlace(
  'attachments',
  filesOf,
  sql`name = '', is_going = true, released_at = least(l.released_at, now())`,
);

function filesOf(record: ErasedRecord): ErasedRows {
  const { table, where } = rowsOfTable('_files', record);
  return { table, where: sql`${where} and not l.is_going` };
}
