// The tables of a new workspace come from a baseline: it must make what the migrations it stands for make, to
// the last entry of the catalogue, on whichever server the tests run.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { TRIGGER_FILES } from '../../src/postgres/citus.ts';
import {
  findBaseline,
  readMigration,
  workspaceMigrations,
} from '../../src/workspaces/migration-files.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await createMigratedDatabase();
});

afterAll(() => own?.drop());

/**
 * All that the catalogue has of a schema: columns in their places, what they default to, constraints with their names,
 * indexes, sequences with their owners, tables beside tables, comments. Not the values that a column of an old row
 * would have (`attmissingval`): there is no row that is older than its table.
 */
async function wholeCatalog(schema: string): Promise<readonly string[]> {
  const ours = `relnamespace = to_regnamespace('${schema}')`;
  const lines = await own.rows(
    `select concat_ws(' ', 'column', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.attstorage, a.attcompression, a.attidentity, a.attgenerated, a.attcollation::regcollation, a.attstattarget,
        a.attisdropped, pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum)) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.${ours} and a.attnum > 0
    union all select concat_ws(' ', 'class', relname, relkind, relpersistence, relhasindex, relchecks, relhastriggers,
        reltoastrelid <> 0, relreplident, reloptions::text, obj_description(oid)) from pg_class where ${ours}
    union all select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisunique, indisprimary, indimmediate,
        indisclustered, indisvalid, indisreplident, indclass::text, indcollation::text, indoption::text)
      from pg_index join pg_class on oid = indexrelid where ${ours}
    union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, contype, pg_get_constraintdef(oid),
        condeferrable, condeferred, convalidated, conislocal, coninhcount, connoinherit, conindid::regclass)
      from pg_constraint where connamespace = to_regnamespace('${schema}')
    union all select concat_ws(' ', 'trigger', tgrelid::regclass, tgfoid::regprocedure, tgtype, tgenabled, tgdeferrable,
        tgisinternal) from pg_trigger join pg_class c on c.oid = tgrelid where c.${ours}
    union all select concat_ws(' ', 'sequence', relname, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin,
        seqcache, seqcycle, (select concat_ws(' ', refobjid::regclass, refobjsubid, deptype) from pg_depend
          where objid = seqrelid and classid = 'pg_class'::regclass and deptype <> 'n'))
      from pg_sequence join pg_class on oid = seqrelid where ${ours}
    order by 1`,
  );
  return lines.map(({ line }) => String(line).replaceAll(new RegExp(`"?${schema}"?\\.`, 'g'), ''));
}

async function makeSchema(
  schema: string,
  files: readonly (readonly ['workspace' | 'baseline', string])[],
): Promise<readonly string[]> {
  await own.rows(`create schema ${schema}`);
  for (const [folder, file] of files) {
    for (const { text } of readMigration(folder, file, schema)) await own.rows(text);
  }
  return wholeCatalog(schema);
}

const fromWorkspace = (files: readonly string[]) =>
  files.map((file) => ['workspace', file] as const);

test('a baseline makes what the migrations make that it stands for', async () => {
  const { file, covered } = findBaseline(workspaceMigrations()) ?? { file: '', covered: [] };
  expect(covered.length).toBeGreaterThan(15);
  const step = await makeSchema('step_by_step', fromWorkspace(covered));
  const triggers = covered.filter((one) => TRIGGER_FILES.has(one));
  const at_once = await makeSchema('at_once', [['baseline', file], ...fromWorkspace(triggers)]);
  expect(at_once.length).toBeGreaterThan(300);
  expect(at_once).toEqual(step);
});

test('it stands for nothing that some of the files would not make', () => {
  const files = workspaceMigrations();
  const { file, covered } = findBaseline(files) ?? {};
  expect(covered).toEqual(files.filter((one) => one <= String(file)));
  expect(findBaseline([...files, '999-later.sql'])).toEqual({ file, covered });
  expect(findBaseline(files.filter((one) => one !== '007-comments.sql'))).toBeUndefined();
  expect(findBaseline(files.filter((one) => one < String(file)))).toBeUndefined();
});
