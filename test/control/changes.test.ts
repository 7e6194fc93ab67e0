// The result of a check for changes: every change that has been committed, none that was rolled back, in any order in
// which transactions begin and end. The triggers of the migrations write it.

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { putApiKey, revokeApiKeys } from '../../src/control/people/api-keys.ts';
import { putTeamMembers, putTeams, putUsers } from '../../src/control/people/document-people.ts';
import { deleteTeam } from '../../src/control/people/teams.ts';
import { OPERATOR } from '../../src/control/workspace/administrative-audit.ts';
import { openChanges } from '../../src/control/workspace/changes.ts';
import {
  putDefinition,
  putWorkspaceState,
  type WorkspaceRow,
} from '../../src/control/workspace/workspaces.ts';
import { unavailable } from '../../src/errors.ts';
import { hashOf, makeSecret } from '../../src/model/rights/api-key-form.ts';
import type { Queryable } from '../../src/postgres/db.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

const PEOPLE = { users: { 'ann@example.com': { name: 'Ann', roles: [] } } };
const ANN = { email: 'ann@example.com', name: 'Ann', roles: [] };
const KEY = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  user_id: 1,
  type: 'personal',
  name: 'Key',
  prefix: 'wrs_p_prefix',
  secret_hash: hashOf(makeSecret('personal')),
  scopes: [],
  requests_per_minute: null,
  expires: null,
} as const;

let own: OwnDatabase;
let acme: WorkspaceRow;
let globex: WorkspaceRow;

beforeAll(async () => {
  own = await createMigratedDatabase();
  acme = await createWorkspace(own.db, { slug: 'acme', document: PEOPLE });
  globex = await createWorkspace(own.db, { slug: 'globex', document: PEOPLE });
  await putApiKey(own.db, { ...KEY, workspace_id: acme.id });
});

afterAll(() => own?.drop());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return () => vi.useRealTimers();
});

const later = () => vi.advanceTimersByTime(900);

/** A process that has checked once; `news` is the list of changes since the last call. */
async function openFollower(db: Queryable = own.db) {
  let told: (number | string)[] = [];
  const changes = openChanges(db);
  changes.onChange((changed) => {
    told.push(...(changed === 'everything' ? [changed] : changed));
  });
  await changes.catchUp();
  told = [];
  return {
    ...changes,
    async news(): Promise<readonly (number | string)[]> {
      later();
      await changes.catchUp();
      const news = [...new Set(told)].sort();
      told = [];
      return news;
    },
  };
}

/** A transaction that has changed acme and waits for its end. */
function openTransaction(change: (tx: Queryable) => Promise<unknown>) {
  const { promise: ended, resolve: end } = deferred();
  const { promise: done, resolve: markChanged } = deferred();
  const finished = own.db
    .transaction(async (tx) => {
      await change(tx);
      markChanged('changed');
      if ((await ended) === 'rollback') throw new Error('rolled back');
    })
    .catch((error: Error) => error.message);
  return {
    changed: Promise.race([done, finished]),
    async end(how: 'commit' | 'rollback') {
      end(how);
      return finished;
    },
  };
}

function deferred() {
  let resolve: (value: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const rename = (schema: string) => (tx: Queryable) =>
  tx.query({ text: `update "${schema}"._users set name = name || '.'`, values: [] });

describe('reported with the change', () => {
  const team = { name: 'North', members: ['ann@example.com'] };
  const changes: Record<string, (tx: Queryable) => Promise<unknown>> = {
    'a key is made': (tx) =>
      putApiKey(tx, {
        ...KEY,
        id: '01890a5d-ac96-774b-bcce-b302099a8058',
        secret_hash: hashOf('another'),
        workspace_id: acme.id,
      }),
    'a key is revoked': (tx) => revokeApiKeys(tx, acme.id, KEY.id),
    'a person is deactivated': (tx) => putUsers(tx, acme.schema, [{ ...ANN, active: false }]),
    'a person gets a role': (tx) => putUsers(tx, acme.schema, [{ ...ANN, roles: ['admin'] }]),
    'a person joins a team': async (tx) => {
      await putTeams(tx, acme.schema, [team]);
      await putTeamMembers(tx, acme.schema, [team]);
    },
    'a team is dropped': (tx) => deleteTeam(tx, acme.schema, { name: 'North' }),
    'a definition is put in force': (tx) =>
      putDefinition(
        tx,
        { ...acme, revision: 77 },
        { document: { objects: {} }, patch: {}, storage: {} },
        {
          actor: OPERATOR,
          changes: [],
        },
      ),
    'a workspace is ready': (tx) => putWorkspaceState(tx, acme.id, 'ready'),
    'an operator writes SQL': rename('ws_acme'),
    'an operator deletes a key': (tx) =>
      tx.query({ text: 'delete from workspace_records.api_keys where id = $1', values: [KEY.id] }),
  };

  test.each(Object.entries(changes))('%s: committed and not before, once', async (_, change) => {
    const follower = await openFollower();
    const given = openTransaction(change);
    await given.changed;
    expect(await follower.news()).toEqual([]);
    expect(await given.end('rollback')).toBe('rolled back');
    expect(await follower.news()).toEqual([]);
    await own.db.transaction(change);
    expect(await follower.news()).toEqual([acme.id]);
    expect(await follower.news()).toEqual([]);
  });

  test('a new workspace', async () => {
    const follower = await openFollower();
    const { id } = await createWorkspace(own.db, { slug: 'late' });
    expect(await follower.news()).toEqual([id]);
  });
});

describe('whatever the order of transactions', () => {
  test('one that began early and ends late is reported', async () => {
    const follower = await openFollower();
    const early = openTransaction(rename('ws_acme'));
    await early.changed;
    await own.db.transaction(rename('ws_globex'));
    expect(await follower.news()).toEqual([globex.id]);
    await early.end('commit');
    expect(await follower.news()).toEqual([acme.id]);
    expect(await follower.news()).toEqual([]);
  });

  test('a workspace is reported again when the second of two changes ends', async () => {
    const follower = await openFollower();
    const first = openTransaction(rename('ws_acme'));
    await first.changed;
    const second = own.db.transaction(rename('ws_acme'));
    await first.end('commit');
    await second;
    expect(await follower.news()).toEqual([acme.id]);
    await own.db.transaction(rename('ws_acme'));
    expect(await follower.news()).toEqual([acme.id]);
  });

  test('a change is reported once during a long transaction', async () => {
    const follower = await openFollower();
    const long = openTransaction(rename('ws_acme'));
    await long.changed;
    await own.db.transaction(rename('ws_globex'));
    expect(await follower.news()).toEqual([globex.id]);
    expect(await follower.news()).toEqual([]);
    await own.db.transaction(rename('ws_globex'));
    expect(await follower.news()).toEqual([globex.id]);
    await long.end('rollback');
    expect(await follower.news()).toEqual([]);
  });

  test('transactions of another cluster, in a restored database, are not taken for new', async () => {
    const follower = await openFollower();
    await own.rows(`update workspace_records.changes set transaction = '1152921504606846976'
      where workspace_id = ${acme.id}`);
    expect(await follower.news()).toEqual([]);
    await own.db.transaction(rename('ws_acme'));
    expect(await follower.news()).toEqual([acme.id]);
  });
});

describe('after the database was lost', () => {
  const forgetEpoch = () => own.rows('truncate workspace_records.crash_epoch');

  test('everything may have changed, once for every process; the first to look begins the epoch', async () => {
    const followers = await Promise.all([openFollower(), openFollower()]);
    await forgetEpoch();
    later();
    for (const { news } of followers) expect(await news()).toEqual(['everything']);
    for (const { news } of followers) expect(await news()).toEqual([]);
    await own.db.transaction(rename('ws_acme'));
    for (const { news } of followers) expect(await news()).toEqual([acme.id]);
  });

  test('several that find no epoch at once agree on one', async () => {
    await forgetEpoch();
    const followers = await Promise.all(Array.from({ length: 6 }, () => openFollower()));
    expect(await own.rows('select epoch from workspace_records.crash_epoch')).toHaveLength(1);
    for (const { news } of followers) expect(await news()).toEqual([]);
  });

  test('a row that came with a dump is of another life', async () => {
    const follower = await openFollower();
    await own.rows('update workspace_records.crash_epoch set home = 1');
    expect(await follower.news()).toEqual(['everything']);
    expect(await follower.news()).toEqual([]);
  });

  test('numbers that step back in one epoch end it', async () => {
    // Of files that were copied while the server was stopped, and put back.
    let ahead = 1_000_000n;
    const db: Queryable = {
      async query(statement) {
        const rows = await own.db.query(statement);
        return rows.map((row) => {
          if (row.moment === undefined) return row;
          const [from, to, pending, epoch] = String(row.moment).split(':');
          const moved = [from, to].map((number) => BigInt(number as string) + ahead);
          return { ...row, moment: [...moved, pending, epoch].join(':') };
        });
      },
    };
    const follower = await openFollower(db);
    ahead = 0n;
    const before = await own.rows('select epoch from workspace_records.crash_epoch');
    expect(await follower.news()).toEqual(['everything']);
    // Changes may be reported again: their numbers do not show which of them were seen before.
    expect(await follower.news()).not.toContain('everything');
    expect(await follower.news()).toEqual([]);
    const after = await own.rows('select epoch from workspace_records.crash_epoch');
    expect(after).not.toEqual(before);
  });
});

describe('when to look', () => {
  /** Statements wait until they are let go, one after the other. */
  function slow() {
    const gates: (() => void)[] = [];
    const db: Queryable = {
      async query(statement) {
        await new Promise<void>((resolve) => gates.push(resolve));
        return own.db.query(statement);
      },
    };
    return { db, gates };
  }

  test('once in 900 ms, one look for all', async () => {
    const follower = await openFollower();
    const before = own.stats.statements;
    vi.advanceTimersByTime(899);
    expect(follower.catchUp()).toBeUndefined();
    vi.advanceTimersByTime(1);
    await Promise.all(Array.from({ length: 50 }, () => follower.catchUp()));
    expect(follower.catchUp()).toBeUndefined();
    expect(own.stats.statements - before).toBe(1);
  });

  test('at once when it is expired, also during a look', async () => {
    const follower = await openFollower();
    follower.expire();
    const before = own.stats.statements;
    const looking = follower.catchUp();
    follower.expire();
    await Promise.all([looking, follower.catchUp()]);
    expect(own.stats.statements - before).toBe(2);
    expect(follower.catchUp()).toBeUndefined();
  });

  test('a check that takes long is too old for late callers', async () => {
    const { db, gates } = slow();
    const { catchUp } = openChanges(db);
    const early = catchUp();
    vi.advanceTimersByTime(900);
    const late = catchUp();
    gates[0]?.();
    await early;
    await vi.waitFor(() => expect(gates).toHaveLength(2), 60_000);
    gates[1]?.();
    await late;
    expect(catchUp()).toBeUndefined();
  });

  test('again after a failure', async () => {
    let failures = 1;
    const { catchUp } = openChanges({
      query: async (statement) => {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        return own.db.query(statement);
      },
    });
    await expect(catchUp()).rejects.toThrow('away');
    await catchUp();
    expect(catchUp()).toBeUndefined();
  });

  test('cached data stays valid for a while when the server is away, and only then', async () => {
    let failure: Error | undefined;
    const db: Queryable = {
      query: (statement) =>
        failure === undefined ? own.db.query(statement) : Promise.reject(unavailable(failure)),
    };
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const { catchUp, expire } = openChanges(db, 60_000);
    failure = refused;
    await expect(catchUp()).rejects.toThrow();
    failure = undefined;
    await catchUp();
    failure = refused;
    for (let second = 1; second < 60; second += 1) {
      vi.advanceTimersByTime(1000);
      expire();
      await catchUp();
    }
    failure = new Error('Query read timeout');
    vi.advanceTimersByTime(900);
    await expect(catchUp()).rejects.toThrow();
    failure = refused;
    vi.advanceTimersByTime(100);
    await expect(catchUp()).rejects.toThrow();
    failure = undefined;
    await catchUp();
    const strict = openChanges(db);
    await strict.catchUp();
    failure = refused;
    vi.advanceTimersByTime(1000);
    await expect(strict.catchUp()).rejects.toThrow();
  });

  test('the clock of the database advances between checks', async () => {
    const follower = await openFollower();
    const [row] = await own.rows('select extract(epoch from now())::float8 * 1000 as now');
    const before = follower.databaseTime();
    expect(Math.abs(Number(row?.now) - before)).toBeLessThan(30_000);
    vi.advanceTimersByTime(500);
    expect(follower.databaseTime() - before).toBeCloseTo(500);
  });
});
