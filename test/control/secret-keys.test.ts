// The file of keys.

import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addKey,
  makeKeyFile,
  openSecretKeys,
  readSecretKeys,
} from '../../src/control/stored/secret-keys.ts';
import { isOperatorError } from '../../src/errors.ts';
import { makeSecretKey, parseSecretKey } from '../../src/model/rights/sealed-secret.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-keys-'));
  file = join(folder, 'data', 'secrets.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isOperatorError(error)) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('the file is made once, for its owner only', () => {
  makeKeyFile(file);
  const text = readFileSync(file, 'utf8');
  expect(parseSecretKey(text.trim())).toBeDefined();
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  makeKeyFile(file);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readdirSync(join(folder, 'data'))).toEqual(['secrets.key']);
});

test('a new key is the first one, and the old ones remain', () => {
  makeKeyFile(file);
  const keys = openSecretKeys({ keys: [], file });
  const before = keys.first();
  addKey(file);
  expect(statSync(file).mode & 0o077).toBe(0);
  // Without another start.
  expect(keys.first().id).not.toBe(before.id);
  expect(keys.find(before.id)).toEqual(before);
  expect(keys.find(keys.first().id)).toEqual(keys.first());
  expect(readdirSync(join(folder, 'data'))).toEqual(['secrets.key']);
});

test('the keys of the setting come before those of the file', () => {
  makeKeyFile(file);
  const set = makeSecretKey();
  const keys = openSecretKeys({ keys: [set], file });
  expect(keys.first()).toEqual(parseSecretKey(set));
  const [, ofFile] = readSecretKeys({ keys: [set], file });
  expect(keys.find(ofFile?.id ?? '')).toEqual(ofFile);
  expect(keys.find('00000000')).toBeUndefined();
});

test('without a key nothing is sealed', () => {
  const message = refusal(() => openSecretKeys({ keys: [], file }).first());
  expect(message).toMatch('set SECRETS_KEY, or SECRETS_KEY_FILE');
});

test('a file that is not one of keys is refused, without its content', () => {
  makeKeyFile(file);
  chmodSync(file, 0o600);
  writeFileSync(file, `${makeSecretKey()}\n\n  hidden  \n`);
  const message = refusal(() => readSecretKeys({ keys: [], file }));
  expect(message).toMatch('secrets.key, line 2: a key is 32 bytes in base64');
  expect(message).not.toMatch('hidden');
});

test('a file that cannot be made or read is an error of one line', () => {
  writeFileSync(join(folder, 'data'), '');
  expect(refusal(() => makeKeyFile(file))).toMatch(
    /^The file of keys cannot be written .*SECRETS_KEY/,
  );
  expect(refusal(() => readSecretKeys({ keys: [], file: folder }))).toMatch('cannot be read');
});
