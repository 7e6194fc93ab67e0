// Sealed values of workspaces: rotation, keys that are missing, and what a start says of them.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  loadNotedKeys,
  noteKey,
  type SealedTable,
  sealNoted,
} from '../../src/control/stored/sealed-rows.ts';
import { type KeyPlaces, openSecretKeys } from '../../src/control/stored/secret-keys.ts';
import {
  forgetLostSecrets,
  prepareSecretKeys,
  rotateSecrets,
} from '../../src/control/stored/secret-rotation.ts';
import { listWorkspaces, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import {
  makeSecretKey,
  openSecret,
  parseSecretKey,
  sealedKeyOf,
  sealSecret,
} from '../../src/model/rights/sealed-secret.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

const TABLE: SealedTable = {
  table: '_sealed',
  id: 'id',
  columns: { secret: 'webhook_secret', older: 'webhook_secret', headers: 'webhook_headers' },
};
const TABLES = [TABLE];
const [ONE, OTHER] = [makeSecretKey(), makeSecretKey()];
const ids = { one: parseSecretKey(ONE)?.id ?? '', other: parseSecretKey(OTHER)?.id ?? '' };
const folder = mkdtempSync(join(tmpdir(), 'rotation-'));
const file = join(folder, 'secrets.key');

let own: OwnDatabase;
let workspaces: readonly WorkspaceRow[];

beforeAll(async () => {
  own = await createMigratedDatabase();
  for (const slug of ['acme', 'apex', 'void']) await createWorkspace(own.db, { slug });
  workspaces = await listWorkspaces(own.db);
  for (const { schema } of workspaces) {
    await own.rowsNear(
      schema,
      `create table ${schema}._sealed (id integer primary key, secret text, older text, headers text)`,
    );
  }
});
beforeEach(async () => {
  for (const { schema } of workspaces) await own.rowsNear(schema, `delete from ${schema}._sealed`);
  await own.rows('delete from workspace_records.secrets_keys');
  rmSync(file, { force: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await own.drop();
});

const placesOf = (...keys: readonly string[]): KeyPlaces => ({ keys, file });

/** Rows with a secret and, in every second one, headers. */
async function fill({ id, schema }: WorkspaceRow, count: number, key: string): Promise<void> {
  const keys = openSecretKeys(placesOf(key));
  await noteKey(own.db, keys.first().id);
  const rows = Array.from({ length: count }, (_, index) => {
    const place = { workspace_id: id, row: String(index + 1) };
    const secret = sealSecret(keys, { ...place, use: 'webhook_secret' }, `s${place.row}`);
    const headers = sealSecret(keys, { ...place, use: 'webhook_headers' }, `h${place.row}`);
    return { id: index + 1, secret, older: null, headers: index % 2 === 0 ? null : headers };
  });
  await own.rowsNear(
    schema,
    `insert into ${schema}._sealed
      select * from json_populate_recordset(null::${schema}._sealed, $1::json)`,
    [JSON.stringify(rows)],
  );
}

async function stored({ schema }: WorkspaceRow) {
  return own.rowsNear(schema, `select * from ${schema}._sealed order by id`);
}

const sum = (count: number) => count + Math.floor(count / 2);

describe('rotation', () => {
  test('seals every value of every workspace again, in pages', async () => {
    const [acme, apex] = workspaces as readonly [WorkspaceRow, WorkspaceRow];
    await fill(acme, 701, ONE);
    await fill(apex, 3, ONE);
    const keys = openSecretKeys(placesOf(OTHER, ONE));
    expect(await rotateSecrets(own.db, keys, TABLES)).toEqual({
      ...{ sealed: sum(701) + sum(3), failures: [] },
    });
    const after = openSecretKeys(placesOf(OTHER));
    for (const workspace of [acme, apex]) {
      for (const { id, secret, older, headers } of await stored(workspace)) {
        const place = { workspace_id: workspace.id, row: String(id) };
        const opened = openSecret(after, { ...place, use: 'webhook_secret' }, String(secret));
        expect([opened, older, headers === null]).toEqual([`s${id}`, null, Number(id) % 2 === 1]);
        if (headers === null) continue;
        expect(openSecret(after, { ...place, use: 'webhook_headers' }, String(headers))).toBe(
          `h${id}`,
        );
      }
    }
    expect(await loadNotedKeys(own.db)).toEqual([ids.other]);
    expect(await rotateSecrets(own.db, keys, TABLES)).toEqual({ sealed: 0, failures: [] });
  });

  test('continues after values that cannot be opened, and names them', async () => {
    const [acme] = workspaces as readonly [WorkspaceRow];
    await fill(acme, 5, ONE);
    await own.rowsNear(
      acme.schema,
      `update ${acme.schema}._sealed set secret = older where id = 1`,
    );
    await own.rowsNear(
      acme.schema,
      `update ${acme.schema}._sealed a set secret = b.secret from ${acme.schema}._sealed b
        where a.id = 2 and b.id = 3`,
    );
    const keys = openSecretKeys(placesOf(OTHER, ONE));
    const { sealed, failures } = await rotateSecrets(own.db, keys, TABLES);
    expect(sealed).toBe(sum(5) - 2);
    expect(failures).toEqual([
      `The webhook secret of 2 in workspace ${acme.id} was changed, or copied from another place.`,
    ]);
    // The key is still needed.
    expect(await loadNotedKeys(own.db)).toContain(ids.one);
  });
});

test('a sealed value has the id of its key noted', async () => {
  const keys = openSecretKeys(placesOf(ONE));
  const place = { workspace_id: 1, row: 'a', use: 'webhook_secret' } as const;
  for (let index = 0; index < 2; index += 1) {
    const sealed = await own.db.transaction((tx) => sealNoted(tx, keys, place, 'text'));
    expect(openSecret(keys, place, sealed)).toBe('text');
  }
  expect(await loadNotedKeys(own.db)).toEqual([ids.one]);
});

describe('a start', () => {
  const prepare = (...keys: readonly string[]) =>
    prepareSecretKeys(own.db, placesOf(...keys), TABLES);

  test('makes the file when there is no key', async () => {
    expect(await prepare(ONE)).toBeUndefined();
    expect(existsSync(file)).toBe(false);
    expect(await prepare()).toBeUndefined();
    expect(existsSync(file)).toBe(true);
    const { id } = openSecretKeys(placesOf()).first();
    await prepare();
    expect(openSecretKeys(placesOf()).first().id).toBe(id);
  });

  test('without a key and a place for one has a note', async () => {
    writeFileSync(join(folder, 'taken'), '');
    const places = { keys: [], file: join(folder, 'taken', 'secrets.key') };
    const note = await prepareSecretKeys(own.db, places, TABLES);
    expect(note).toMatch(
      /^The file of keys cannot be written .* Without a key there are no webhooks and no one-time codes\.$/,
    );
  });

  test('is refused when a key is missing that something needs', async () => {
    const [, , last] = workspaces as readonly [unknown, unknown, WorkspaceRow];
    await fill(last, 4, ONE);
    expect(await prepare(OTHER, ONE)).toBeUndefined();
    await expect(prepare(OTHER)).rejects.toThrow(
      `${sum(4)} stored secrets are sealed with keys that this process does not have (${ids.one})`,
    );
    await expect(prepare()).rejects.toThrow('secrets forget');
    // It does not make another key in this case.
    expect(existsSync(file)).toBe(false);
  });

  test('is not refused when nothing needs the missing key any longer', async () => {
    const [acme] = workspaces as readonly [WorkspaceRow];
    await fill(acme, 4, ONE);
    await own.rowsNear(acme.schema, `delete from ${acme.schema}._sealed`);
    expect(await prepare(OTHER)).toBeUndefined();
    expect(await loadNotedKeys(own.db)).toEqual([]);
  });

  test('is possible again after lost secrets were forgotten', async () => {
    const [acme, apex] = workspaces as readonly [WorkspaceRow, WorkspaceRow];
    await fill(acme, 4, ONE);
    await fill(apex, 2, OTHER);
    expect(await forgetLostSecrets(own.db, placesOf(OTHER), TABLES)).toBe(sum(4));
    expect(await prepare(OTHER)).toBeUndefined();
    expect((await stored(acme)).map(({ secret, headers }) => [secret, headers])).toEqual([
      ['lost', null],
      ['lost', 'lost'],
      ['lost', null],
      ['lost', 'lost'],
    ]);
    expect((await stored(apex)).map(({ secret }) => sealedKeyOf(String(secret)))).toEqual([
      ...[ids.other, ids.other],
    ]);
    const keys = openSecretKeys(placesOf(OTHER));
    expect(await rotateSecrets(own.db, keys, TABLES)).toEqual({ sealed: 0, failures: [] });
  });
});
