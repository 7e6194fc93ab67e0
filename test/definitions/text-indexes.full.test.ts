// Indexes of parts of texts: indexed fields have them, and the display field; they come and go with both, with types
// and names, and workspaces from before get them by a job after the next start.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { listWorkspaces } from '../../src/control/workspaces.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { completeIndexes } from '../../src/definitions/apply/index-builds.ts';
import { mergePatch } from '../../src/model/definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await createMigratedDatabase();
});
afterAll(() => own?.drop());

const LINES = {
  objects: {
    lines: {
      ...{ name: 'Lines', singular_name: 'Line', owned: false, display_field: 'name' },
      fields: {
        name: { type: 'text' },
        code: { type: 'text', indexed: true },
        size: { type: 'number', indexed: true },
        note: { type: 'text' },
      },
    },
  },
};
const withObject = (patch: unknown) => mergePatch(LINES, { objects: { lines: patch } });
const withFields = (fields: unknown) => withObject({ fields });
const apply = (document: unknown) => applyDefinition(own.db, 'acme', document);

/** Columns with an index of parts whose statistics are large. */
async function textsOf(schema = 'ws_acme', table = 'lines'): Promise<readonly string[]> {
  const rows = await own.rows(
    `select indexname as name from pg_indexes i join pg_attribute a
        on a.attrelid = to_regclass(format('%I.%I', schemaname, indexname)) and attstattarget = 1000
      where schemaname = $1 and tablename = $2 and indexdef like '%gin_trgm_ops%' order by 1`,
    [schema, table],
  );
  return rows.map(({ name }) => String(name).split('.')[1] as string);
}

test('indexed texts and the display field have one each, whatever changes', async () => {
  await createWorkspace(own.db, { slug: 'acme', document: LINES });
  const steps: readonly (readonly [unknown, readonly string[]])[] = [
    [LINES, ['code', 'name']],
    [withFields({ name: { indexed: true } }), ['code', 'name']],
    [LINES, ['code', 'name']],
    [withObject({ display_field: 'code' }), ['code']],
    [withObject({ display_field: 'code', fields: { code: { indexed: false } } }), ['code']],
    [LINES, ['code', 'name']],
    [withObject({ display_field: 'note', fields: { note: { indexed: true } } }), ['code', 'note']],
    [LINES, ['code', 'name']],
    [withFields({ note: { type: 'email', indexed: true } }), ['code', 'name', 'note']],
    [withFields({ note: { indexed: true } }), ['code', 'name', 'note']],
    [
      withFields({ note: { type: 'select', options: [{ value: 'a' }], indexed: true } }),
      ['code', 'name'],
    ],
    [withFields({ note: { indexed: true } }), ['code', 'name', 'note']],
    [withFields({ note: { type: 'integer', indexed: true } }), ['code', 'name']],
    [withFields({ note: { indexed: true } }), ['code', 'name', 'note']],
    [
      withFields({ note: { indexed: true }, extra: { type: 'url', indexed: true } }),
      ['code', 'extra', 'name', 'note'],
    ],
  ];
  for (const [document, expected] of steps) {
    await apply(document);
    expect(await textsOf(), JSON.stringify(document)).toEqual(expected);
    expect(await apply(document)).toMatchObject({ changes: [] });
  }
  const renamed = withFields({
    note: { indexed: true },
    extra: null,
    link: { type: 'url', indexed: true, renamed_from: 'extra' },
  });
  await apply(renamed);
  expect(await textsOf()).toEqual(['code', 'link', 'name', 'note']);
});

test('a workspace from before gets them by a job, once', async () => {
  await createWorkspace(own.db, { slug: 'older', document: LINES });
  const older = 'ws_older';
  const jobs = async () => {
    const rows = await own.rows(
      `select j.id from workspace_records.jobs j join workspace_records.workspaces w
        on w.id = j.workspace_id where w.slug = 'older' and j.kind = 'indexes'`,
    );
    return rows.length;
  };
  await migrate(own.db);
  expect(await jobs()).toBe(0);
  await own.rows(`drop index ${older}."lines.code.part"`);
  await own.rows(
    `delete from workspace_records.migrations where schema_name = $1 and file = 'indexes of compared texts'`,
    [older],
  );
  await migrate(own.db);
  await migrate(own.db);
  expect(await jobs()).toBe(1);
  expect(await textsOf(older)).toEqual(['name']);
  const [workspace] = (await listWorkspaces(own.db)).filter(({ slug }) => slug === 'older');
  if (workspace === undefined) throw new Error('there is no workspace');
  await completeIndexes(own.db, workspace);
  expect(await textsOf(older)).toEqual(['code', 'name']);
});
