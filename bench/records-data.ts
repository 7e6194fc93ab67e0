// The data of the large measurements: a workspace of 10,000 deals, one of the requested size, and 1,000 small
// workspaces of twenty record tables. Made once; see cached-data.ts.

import { setTimeout as sleep } from 'node:timers/promises';
import { loadModel } from '../src/control/workspace/workspaces.ts';
import type { WriteContext } from '../src/flow/records/write-group.ts';
import { requireImporter } from '../src/import/importer.ts';
import type { ObjectModel, WorkspaceModel } from '../src/model/definition/model.ts';
import type { Database } from '../src/postgres/db.ts';
import { identifier, sql, toStatement } from '../src/sql/sql.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { type CachedData, requireCachedData } from './cached-data.ts';
import { importThrough, writeThrough } from './load-records.ts';
import {
  companyFields,
  dealFields,
  GENERATOR_VERSION,
  RECORDS_DEFINITION,
  SHEETS,
  SMALL_DEFINITION,
  sheetFields,
} from './records-definition.ts';

const SMALL = 10_000;
const SHEET_ROWS = 1000;
/** Longer than this the write path may not take to fill the large workspace. */
const PATIENCE_SECONDS = 360;

/** Workspaces `small`, with the sheets of 5 and 500 fields, and `large`. */
export function requireRecords(records: number): Promise<CachedData> {
  const recipe = [GENERATOR_VERSION, records, RECORDS_DEFINITION];
  return requireCachedData(`records-${records}`, recipe, async (db, scratch) => {
    const small = await openNewWorkspace(db, 'small', RECORDS_DEFINITION);
    const rate = await fillDeals(small, SMALL, scratch, 'write');
    for (const [name, width] of Object.entries(SHEETS)) {
      const fieldsOf = (number: number) => sheetFields(number, width);
      await writeThrough(small, objectOf(small.model, name), { from: 0, to: SHEET_ROWS, fieldsOf });
    }
    const large = await openNewWorkspace(db, 'large', RECORDS_DEFINITION);
    const way = records / rate > PATIENCE_SECONDS ? 'import' : 'write';
    const pace = await fillDeals(large, records, scratch, way);
    await settle(db);
    return way === 'write'
      ? `All records were written through the write path (the first 10,000 at ${rate.toFixed(0)} records/s).`
      : `The large workspace was filled by \`import --bulk\`, at ${pace.toFixed(0)} records/s.`;
  });
}

/** So many workspaces from `w0` on, with a deal each. */
export function requireWorkspaces(count: number): Promise<CachedData> {
  const recipe = [GENERATOR_VERSION, count, SMALL_DEFINITION];
  return requireCachedData(`workspaces-${count}`, recipe, async (db) => {
    for (let number = 0; number < count; number += 1) {
      const context = await openNewWorkspace(db, `w${number}`, SMALL_DEFINITION);
      const fieldsOf = () => ({ name: `Deal of ${number}` });
      await writeThrough(context, objectOf(context.model, 'deals'), { from: 0, to: 1, fieldsOf });
    }
    await settle(db);
    return '';
  });
}

async function openNewWorkspace(
  db: Database,
  slug: string,
  document: unknown,
): Promise<WriteContext> {
  const { id } = await createWorkspace(db, { slug, document });
  const model = (await loadModel(db, id)) as WorkspaceModel;
  return { db, model, caller: await requireImporter(db, model, undefined), requestId: null };
}

/** Answers how many deals a second. */
async function fillDeals(
  context: WriteContext,
  count: number,
  scratch: string,
  way: 'write' | 'import',
): Promise<number> {
  const { db, model } = context;
  const batch = { from: 0, to: count / 100, fieldsOf: companyFields };
  const companies = await writeThrough(context, objectOf(model, 'companies'), batch);
  const people = await db.query(
    toStatement(sql`select id from ${identifier(model.schema, '_users')}
      where email like 'person%' order by id`),
  );
  const users = people.map(({ id }) => Number(id));
  const fieldsOf = (number: number) => dealFields(number, users, companies);
  const deals = { from: 0, to: count, fieldsOf };
  const object = objectOf(model, 'deals');
  if (way === 'import') return importThrough(context, object, deals, scratch);
  const started = performance.now();
  await writeThrough(context, object, deals);
  return count / ((performance.now() - started) / 1000);
}

function objectOf(model: WorkspaceModel, objectType: string): ObjectModel {
  return model.objects.get(objectType) as ObjectModel;
}

/** The work that autovacuum would have done by the time such data has grown. */
async function settle(db: Database): Promise<void> {
  await db.query({ text: 'vacuum (analyze)', values: [] }, { prepare: false });
  await db.query({ text: 'checkpoint', values: [] }, { prepare: false });
  await sleep(1000);
}
