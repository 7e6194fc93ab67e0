// Comments on the record, and notifications of them; those of a record in the trash are part of its row there.

import { runOnce } from '../../../postgres/run-once.ts';
import { eraseRowsSql, rowsOfRecord, trashedCommentsSql } from '../../../sql/write/erase-sql.ts';
import { countOf, type RecordPlace, rowsPlace } from './record-place.ts';

const present = rowsPlace('comments', (record) => rowsOfRecord('_comments', record));

export const commentPlace: RecordPlace = Object.freeze({
  ...present,
  count: async (db, record) =>
    (await present.count(db, record)) + (await countOf(db, trashedCommentsSql(record))),
  async erase(tx, record) {
    await runOnce(tx, eraseRowsSql(rowsOfRecord('_notifications', record)));
    await present.erase(tx, record);
  },
} satisfies RecordPlace);
