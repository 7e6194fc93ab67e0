// Brings all sealed values of an installation under one key, finds those whose key is missing, and marks them as lost.

import { isOperatorError, operatorError } from '../../errors.ts';
import {
  LOST,
  openSecret,
  type SecretKeys,
  type SecretPlace,
  sealSecret,
} from '../../model/rights/sealed-secret.ts';
import type { Database } from '../../postgres/db.ts';
import { listWorkspaces, type WorkspaceRow } from '../workspace/workspaces.ts';
import {
  deleteNotedKeys,
  loadNotedKeys,
  loadSealedByOthers,
  noteKey,
  putSealedAgain,
  SEALED_TABLES,
  type SealedTable,
  type SealedValue,
} from './sealed-rows.ts';
import { type KeyPlaces, makeKeyFile, readSecretKeys } from './secret-keys.ts';

/** Values of one statement. */
const PAGE = 500;

export interface Rotation {
  /** The number of values that were sealed again. */
  readonly sealed: number;
  /** A sentence for each value that cannot be opened. */
  readonly failures: readonly string[];
}

/** Seal every value again with the first key; keys that are no longer needed are forgotten. Values of the first key stay. */
export async function rotateSecrets(
  db: Database,
  keys: SecretKeys,
  tables: readonly SealedTable[] = SEALED_TABLES,
): Promise<Rotation> {
  const first = keys.first().id;
  const failures: string[] = [];
  const noted = await loadNotedKeys(db);
  await noteKey(db, first);
  const sealed = await replaceAll(db, { tables, keyIds: [first] }, (place, value) => {
    try {
      return sealSecret(keys, place, openSecret(keys, place, value.sealed));
    } catch (error) {
      if (!isOperatorError(error)) throw error;
      failures.push(error.message);
      return undefined;
    }
  });
  if (failures.length === 0)
    await deleteNotedKeys(
      db,
      noted.filter((id) => id !== first),
    );
  return { sealed, failures };
}

/** Mark the values whose key is missing; each has to be set again. Answers how many there were. */
export async function forgetLostSecrets(
  db: Database,
  places: KeyPlaces,
  tables: readonly SealedTable[] = SEALED_TABLES,
): Promise<number> {
  const keyIds = readSecretKeys(places).map(({ id }) => id);
  const noted = await loadNotedKeys(db);
  const lost = await replaceAll(db, { tables, keyIds }, () => LOST);
  await deleteNotedKeys(
    db,
    noted.filter((id) => !keyIds.includes(id)),
  );
  return lost;
}

/**
 * Makes the file of keys at the start of a service when there is no key. Returns a note when it cannot be made. Errors:
 * an operator error when there are values that no key opens.
 */
export async function prepareSecretKeys(
  db: Database,
  places: KeyPlaces,
  tables: readonly SealedTable[] = SEALED_TABLES,
): Promise<string | undefined> {
  const keyIds = readSecretKeys(places).map(({ id }) => id);
  const missing = (await loadNotedKeys(db)).filter((id) => !keyIds.includes(id));
  if (missing.length > 0) await requireUnused(db, { tables, keyIds, missing });
  if (keyIds.length > 0) return undefined;
  try {
    makeKeyFile(places.file);
    return undefined;
  } catch (error) {
    if (isOperatorError(error))
      return `${error.message} Without a key there are no webhooks and no one-time codes.`;
    throw error;
  }
}

interface Missing extends Scope {
  readonly missing: readonly string[];
}

/** A key that seals nothing any longer, such as one of deleted webhooks, is not missed. */
async function requireUnused(db: Database, { missing, ...scope }: Missing): Promise<void> {
  let values = 0;
  for await (const page of pagesOf(db, scope)) values += page.values.length;
  if (values === 0) return deleteNotedKeys(db, missing);
  throw operatorError(
    `${values} stored secrets are sealed with keys that this process does not have (${missing.join(', ')}). ` +
      'Give it SECRETS_KEY or the file of keys (SECRETS_KEY_FILE) of the other processes. When these keys are lost, ' +
      'run "workspace-records secrets forget": the secrets have to be set again then.',
  );
}

interface Scope {
  readonly tables: readonly SealedTable[];
  /** Values that these keys have sealed are left out. */
  readonly keyIds: readonly string[];
}

interface Page {
  readonly workspace: WorkspaceRow;
  readonly table: SealedTable;
  readonly values: readonly SealedValue[];
}

/** Values of other keys; a value that changes meanwhile is left to the next run. */
async function replaceAll(
  db: Database,
  scope: Scope,
  replaced: (place: SecretPlace, value: SealedValue) => string | undefined,
): Promise<number> {
  let count = 0;
  for await (const { workspace, table, values } of pagesOf(db, scope)) {
    for (const value of values) {
      const use = table.columns[value.column] as SecretPlace['use'];
      const again = replaced({ workspace_id: workspace.id, row: value.row, use }, value);
      if (again === undefined) continue;
      if (await putSealedAgain(db, { workspace, table }, value, again)) count += 1;
    }
  }
  return count;
}

async function* pagesOf(db: Database, { tables, keyIds }: Scope): AsyncGenerator<Page> {
  for (const workspace of tables.length === 0 ? [] : await listWorkspaces(db)) {
    for (const table of tables) {
      let after: SealedValue | undefined;
      do {
        const asked = { workspace, table, after };
        const values = await loadSealedByOthers(db, asked, keyIds, PAGE);
        yield { workspace, table, values };
        after = values.length < PAGE ? undefined : values.at(-1);
      } while (after !== undefined);
    }
  }
}
