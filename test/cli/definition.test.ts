// `definition`: the printed document and revisions, and that the document can be applied again.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  findWorkspace,
  loadDefinition,
  type WorkspaceRow,
} from '../../src/control/workspace/workspaces.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { runCommandHere } from './command-here.ts';

let own: OwnDatabase;
let folder: string;
const first = { name: 'Acme', objects: { deals: { fields: { size: { type: 'integer' } } } } };
const second = { ...first, name: 'Acme & Co' };

beforeAll(async () => {
  own = await createMigratedDatabase();
  folder = mkdtempSync(join(tmpdir(), 'definitions-'));
  await createWorkspace(own.db, { slug: 'acme', document: first });
  await applyDefinition(own.db, 'acme', second);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await own?.drop();
});

const run = (...args: readonly string[]) => runCommandHere(own.environment, ...args);

test('show prints the document, or the patch, of any revision', async () => {
  const workspace = (await findWorkspace(own.db, 'acme')) as WorkspaceRow;
  const { document } = (await loadDefinition(own.db, workspace)) ?? {};
  const whole = await run('definition', 'show', '-w', 'acme');
  expect(whole).toMatchObject({ code: 0, err: '' });
  expect(whole.out).toMatch(/^# acme, revision 2\n/);
  expect(parse(whole.out)).toEqual(document);
  const patch = await run('definition', 'show', '-w', 'acme', '--patch', '--json');
  expect(JSON.parse(patch.out)).toEqual(second);
  const old = await run('definition', 'show', '-w', 'acme', '--patch', '--revision', '1');
  expect(parse(old.out)).toEqual(first);
  const file = join(folder, 'old.yaml');
  writeFileSync(file, old.out);
  const applied = await run('apply', file, '-w', 'acme');
  expect(applied.out).toContain('acme: 1 change, now revision 3');
});

test('revisions are listed with their authors and changes', async () => {
  const { out } = await run('definition', 'revisions', '-w', 'acme', '--limit', '2');
  const [header, newest, ...older] = out.trim().split('\n');
  expect(header).toMatch(/^revision +applied at +by +changes$/);
  expect(newest).toMatch(/^3 \* +\S+Z +cli +~ name of the workspace \(Acme\)$/);
  expect(older).toHaveLength(1);
  const { out: json } = await run('definition', 'revisions', '-w', 'acme', '--json');
  expect(JSON.parse(json)).toMatchObject([
    { revision: 3, in_force: true, source: 'cli', changes: [{ path: 'name', action: 'change' }] },
    { revision: 2 },
    { revision: 1 },
  ]);
});

test.each([
  [['show', '-w', 'acme', '--revision', '99'], '"acme" has no revision 99.'],
  [['show', '-w', 'acme', '--revision', 'x'], '--revision must be a whole number'],
  [['revisions', '-w', 'none'], 'There is no workspace "none"'],
])('refused: %j', async (args, message) => {
  const { code, out, err } = await run('definition', ...args);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(message);
});
