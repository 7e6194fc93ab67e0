// `secrets rotate` and `secrets forget`.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadNotedKeys, noteKey } from '../../src/control/stored/sealed-rows.ts';
import { makeSecretKey, parseSecretKey } from '../../src/model/rights/sealed-secret.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { runCommandHere } from './command-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
const file = join(folder, 'secrets.key');
const idOf = (text: string) => parseSecretKey(text)?.id ?? '';
let own: OwnDatabase;

beforeAll(async () => {
  own = await createMigratedDatabase();
});
beforeEach(() => own.rows('delete from workspace_records.secrets_keys'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await own.drop();
});

const secrets = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCommandHere({ ...own.environment, SECRETS_KEY_FILE: file, ...settings }, 'secrets', ...args);

test('rotation uses the first key, and forgets the others', async () => {
  const [first, other] = [makeSecretKey(), makeSecretKey()];
  await noteKey(own.db, idOf(other));
  const { code, out, err } = await secrets({ SECRETS_KEY: `${first},${other}` }, 'rotate');
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe(`Sealed 0 secrets again with the key ${idOf(first)}.\n`);
  expect(await loadNotedKeys(own.db)).toEqual([idOf(first)]);
});

test('a new key is put into the file, before the others', async () => {
  const add = () => secrets({ SECRETS_KEY: '' }, 'rotate', '--new-key');
  const lines = () => readFileSync(file, 'utf8').trim().split('\n');
  expect((await add()).code).toBe(0);
  const [first = ''] = lines();
  const { out } = await add();
  const [second = '', ...others] = lines();
  expect(others).toEqual([first]);
  expect(out).toMatch(idOf(second));
});

test('a new key cannot be put into SECRETS_KEY', async () => {
  const { code, err } = await secrets({}, 'rotate', '--new-key');
  expect(code).toBe(1);
  expect(err).toMatch(/^SECRETS_KEY has the keys: put the new one before the others/);
});

test('without a key nothing can be rotated', async () => {
  const settings = { SECRETS_KEY: '', SECRETS_KEY_FILE: join(folder, 'missing') };
  const { code, err } = await secrets(settings, 'rotate');
  expect([code, err.split('\n').length]).toEqual([1, 2]);
  expect(err).toMatch('There is no key for secrets');
});

test('keys that are lost are forgotten', async () => {
  await noteKey(own.db, 'abcdef01');
  const { code, out } = await secrets({}, 'forget');
  expect([code, out]).toEqual([0, 'Marked 0 secrets as lost.\n']);
  expect(await loadNotedKeys(own.db)).toEqual([]);
});
