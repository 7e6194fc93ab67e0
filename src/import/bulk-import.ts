// An import into an object without records, in one transaction (D340): rows that make records are stored by COPY,
// rows that change what an earlier one has made go the ordinary way. Of an import that fails nothing is left.

import { transactionNumber } from '../control/process/moments.ts';
import { noteEvents } from '../control/workspace/administer.ts';
import { administrativeActor } from '../control/workspace/administrative-audit.ts';
import { closeToWriters } from '../definitions/apply/lock-tables.ts';
import { prepareCopying } from '../definitions/apply/workspace-tables.ts';
import { operatorError } from '../errors.ts';
import { beginLoad, type Load, openLoad } from '../flow/records/load-records.ts';
import { openSearchLoad } from '../flow/records/read/load-search.ts';
import type { ObjectModel } from '../model/definition/model.ts';
import type { WriteOperation } from '../plan/write/write-operation.ts';
import type { Copying } from '../postgres/copy.ts';
import { isDatabaseError, type Transaction } from '../postgres/db.ts';
import { nestedDatabase } from '../postgres/savepoints.ts';
import { analyzeTables } from '../workspaces/bulk-load.ts';
import type { ImportReport } from './import-report.ts';
import type { BulkWriting, ImportRequest } from './import-request.ts';
import { openSeenKeys } from './rows/seen-keys.ts';
import { runImport } from './run-import.ts';

/** Rows that are stored together. Between them the transaction has a savepoint. */
const ROWS_AT_ONCE = 2000;

/**
 * Import a file into an object that has no record. Errors: also operator errors, when it has, when the rows are no
 * records, and when others write the object all the time.
 */
export async function importInBulk(request: ImportRequest): Promise<ImportReport> {
  const { subject } = request.plan;
  if (subject.kind !== 'records') {
    throw operatorError('--bulk imports records; comments and links are imported without it.');
  }
  return request.context.db.copying((tx) => importWithin(tx, request, subject.of));
}

async function importWithin(
  tx: Transaction & Copying,
  request: ImportRequest,
  object: ObjectModel,
): Promise<ImportReport> {
  const { model, caller, db } = request.context;
  await prepareCopying(tx);
  const now = await close(tx, request, object);
  const context = { ...request.context, db: nestedDatabase(db, tx) };
  const search = await openSearchLoad(tx, model.schema);
  const load = openLoad({ context, object, now, search });
  const report = await runImport({ ...request, context, bulk: bulkWriting(load) });
  if (report.created === 0) return report;
  await load.place();
  const actor = administrativeActor(caller, null);
  const event = { subject_type: 'import', subject_id: object.object_type, action: 'load' } as const;
  const changed_fields = [...load.keys];
  const transaction = await transactionNumber(tx, model.schema);
  const by = { workspace: { ...model.workspace, schema: model.schema }, actor };
  await noteEvents(tx, by, [{ ...event, changed_fields, transaction }]);
  await analyzeTables(tx, model.schema, [object.table, '_search', '_search_words']);
  return report;
}

/** Closes the object to other writers, and requires that it has no record; returns the time of the transaction. */
async function close(
  tx: Transaction,
  { context: { model } }: ImportRequest,
  object: ObjectModel,
): Promise<string> {
  try {
    await closeToWriters(tx, model.schema, object.table);
  } catch (error) {
    if (!isDatabaseError(error) || error.code !== '55P03') throw error;
    throw operatorError(`${object.name} are in use. Nothing was written; try again.`, error);
  }
  const found = await beginLoad(tx, model, object);
  if (!found.isEmpty) {
    throw operatorError(
      `${object.name} have records already, and --bulk is for an object without any. ` +
        'Nothing was written; import the file without --bulk.',
    );
  }
  return found.now;
}

function bulkWriting(load: Load): BulkWriting {
  const seen = openSeenKeys();
  return {
    most: ROWS_AT_ONCE,
    beforeOthers: load.place,
    makesRecord: ({ operation: { action }, key }) =>
      action === 'upsert' && (key === undefined || !seen.has(key)),
    async write(writes) {
      const operations = writes.map(({ operation }) => operation as WriteOperation);
      const ids = await load.write(operations);
      for (const { key } of writes) if (key !== undefined) seen.add(key);
      return ids.map((id) => ({ id, created: true, changed: true }));
    },
  };
}
