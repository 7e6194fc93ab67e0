// Indexes of parts of texts: indexed fields have them, and the display field; they come and go with both, with types
// and names.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
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
  expect(await textsOf()).toEqual(['code', 'extra', 'name', 'note']);
});
