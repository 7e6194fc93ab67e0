// The keys that seal secrets: those of SECRETS_KEY, and those of a file outside of the database, one in each line. The
// first one seals, all of them open.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { operatorError } from '../../errors.ts';
import {
  makeSecretKey,
  parseSecretKey,
  type SecretKey,
  type SecretKeys,
} from '../../model/rights/sealed-secret.ts';

export interface KeyPlaces {
  /** The keys in SECRETS_KEY, each of 32 bytes in base64. */
  readonly keys: readonly string[];
  readonly file: string;
}

/** The file is read when a key is needed: `secrets rotate` adds keys to it while processes run. */
export function openSecretKeys(places: KeyPlaces): SecretKeys {
  let keysById = new Map<string, SecretKey>();
  return {
    first() {
      const [first] = readSecretKeys(places);
      if (first !== undefined) return first;
      throw operatorError(`There is no key for secrets: ${howToGive(places)}`);
    },
    find(id) {
      if (!keysById.has(id)) keysById = new Map(readSecretKeys(places).map((key) => [key.id, key]));
      return keysById.get(id);
    },
  };
}

/** The keys in SECRETS_KEY, then the ones in the file. Errors: operator errors. */
export function readSecretKeys({ keys, file }: KeyPlaces): readonly SecretKey[] {
  return [...keys, ...readLines(file)].map((text, index) => {
    const key = parseSecretKey(text);
    if (key !== undefined) return key;
    const line = index - keys.length + 1;
    throw operatorError(`${resolve(file)}, line ${line}: a key is 32 bytes in base64.`);
  });
}

/** Make the file with a first key, unless there is one. Errors: an operator error. */
export function makeKeyFile(file: string): void {
  writing(file, () => {
    const draft = writeDraft(file, [makeSecretKey()]);
    try {
      // Fails when another process was faster.
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(draft);
    }
  });
}

/** Add a key that seals from now on; the others continue to open. Errors: an operator error. */
export function addKey(file: string): void {
  writing(file, () => renameSync(writeDraft(file, [makeSecretKey(), ...readLines(file)]), file));
}

function howToGive({ file }: KeyPlaces): string {
  return `set SECRETS_KEY, or SECRETS_KEY_FILE to a file that the service can make (${resolve(file)}).`;
}

function readLines(file: string): readonly string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw operatorError(`${resolve(file)} cannot be read: ${(error as Error).message}.`, error);
  }
}

function writing(file: string, write: () => void): void {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true, mode: 0o700 });
    write();
  } catch (error) {
    throw operatorError(
      `The file of keys cannot be written (${(error as Error).message}): ${howToGive({ keys: [], file })}`,
      error,
    );
  }
}

/** Beside the file and complete on the disk; only its owner can read it. */
function writeDraft(file: string, lines: readonly string[]): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, `${lines.join('\n')}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}
