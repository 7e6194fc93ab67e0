// The cached key of a process and its expiry (D14, D80). The processes here get no notification: one changes, the
// other only checks.

import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createKey } from '../../src/cli/commands/keys.ts';
import { revokeApiKeys } from '../../src/control/people/api-keys.ts';
import { appendSession, endSessions } from '../../src/control/people/session-rows.ts';
import { openChanges } from '../../src/control/workspace/changes.ts';
import { openRegistry } from '../../src/control/workspace/registry.ts';
import type { WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { unavailable } from '../../src/errors.ts';
import { openAuthenticator } from '../../src/flow/people/authenticate.ts';
import { hashOf, makeSecret } from '../../src/model/rights/api-key-form.ts';
import { makeToken } from '../../src/model/rights/session-token.ts';
import { type Connections, openConnections } from '../../src/postgres/connections.ts';
import { type Database, type Queryable, wrapDatabase } from '../../src/postgres/db.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { withLifetime } from '../until.ts';

const ANN = { name: 'Ann', roles: ['member'] };
const DOCUMENT = {
  roles: { member: { name: 'Member', developer: true }, guest: { name: 'Guest' } },
  users: { 'ann@example.com': ANN, 'bob@example.com': { name: 'Bob', roles: ['member'] } },
  teams: { North: { members: ['bob@example.com'] } },
};

let own: OwnDatabase;
/** The connections of the other process: its statements are counted alone. */
let other: Connections;
let acme: WorkspaceRow;
let globex: WorkspaceRow;

beforeAll(async () => {
  own = await createMigratedDatabase();
  acme = await createWorkspace(own.db, { slug: 'acme', document: DOCUMENT });
  globex = await createWorkspace(own.db, { slug: 'globex', document: DOCUMENT });
  other = openConnections({ connection: own.connection, poolSize: 4, statementTimeout: 0 });
});

afterAll(async () => {
  await other?.close();
  await own?.drop();
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return () => vi.useRealTimers();
});

const later = () => vi.advanceTimersByTime(900);

function open(db: Database = other.db) {
  const shared = { db, registry: openRegistry(db), changes: openChanges(db) };
  return openAuthenticator({ ...shared, requestsPerMinute: 300 });
}

async function makeKey(workspace = acme, expires: number | null = null) {
  const { key, secret } = await createKey(own.db, {
    workspace,
    email: 'ann@example.com',
    name: 'Key',
    scopes: ['records:read'],
    requests_per_minute: null,
    expires,
    type: undefined,
  });
  return { id: key.id, secret };
}

/** A session of Ann, as signing in makes it. */
async function makeSession() {
  const [id, token] = [uuidv7(), makeToken()];
  const [ann] = await own.rows("select id from ws_acme._users where email = 'ann@example.com'");
  const whose = { workspace_id: acme.id, user_id: Number(ann?.id) };
  await own.db.transaction((tx) =>
    appendSession(tx, {
      id,
      ...whose,
      token_hash: hashOf(token),
      method: 'password',
      second_factor: null,
      user_agent: '',
    }),
  );
  return { id, token, ...whose };
}

const apply = (document: object) => applyDefinition(own.db, 'acme', { ...DOCUMENT, ...document });

/** The statements that the other process sends meanwhile. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const before = other.stats.statements;
  await work();
  return other.stats.statements - before;
}

/** `authenticate` throws a cached refusal and rejects after a look-up. */
const refusalOf = async (work: () => unknown) => {
  try {
    await work();
    return 'none';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('cached keys', () => {
  test('stay valid for a minute while the control schema is away, for known callers', async () => {
    let isGone = false;
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const db = wrapDatabase(other.db, (server) => ({
      query: (...args) => (isGone ? Promise.reject(unavailable(refused)) : server.query(...args)),
    }));
    const shared = { db, registry: openRegistry(db), requestsPerMinute: 300 };
    const lasting = openAuthenticator({
      ...{ ...shared, changes: openChanges(db, 60_000) },
      outlastsAbsence: true,
    });
    const strict = openAuthenticator({ ...shared, changes: openChanges(db) });
    const [known, unknown] = [await makeKey(), await makeKey()];
    for (const { authenticate } of [lasting, strict]) await authenticate(known.secret);
    // Long enough that the cached key expires soon.
    vi.advanceTimersByTime(29_000);
    await lasting.authenticate(known.secret);
    isGone = true;
    for (let second = 0; second < 59; second += 1) {
      vi.advanceTimersByTime(1000);
      await lasting.authenticate(known.secret);
    }
    expect(await refusalOf(() => lasting.authenticate(unknown.secret))).toBe('service_unavailable');
    expect(await refusalOf(() => strict.authenticate(known.secret))).toBe('service_unavailable');
    vi.advanceTimersByTime(1000);
    expect(await refusalOf(() => lasting.authenticate(known.secret))).toBe('service_unavailable');
    isGone = false;
    await lasting.authenticate(known.secret);
  });

  test('costs no statement for 900 ms, and then one for all keys together', async () => {
    const { authenticate } = open();
    const keys = await Promise.all(
      Array.from({ length: 30 }, (_, index) => makeKey(index % 2 === 0 ? acme : globex)),
    );
    const everyone = () => Promise.all(keys.map(({ secret }) => authenticate(secret)));
    const callers = await everyone();
    expect(callers[0]?.caller.principal).toMatchObject({ kind: 'key', requests_per_minute: 300 });
    expect(callers[1]?.model.workspace.slug).toBe('globex');
    vi.advanceTimersByTime(899);
    expect(await countStatements(everyone)).toBe(0);
    vi.advanceTimersByTime(1);
    expect(await countStatements(everyone)).toBe(1);
    for (const [index, one] of (await everyone()).entries()) expect(one).toBe(callers[index]);
  });

  test('is forgotten for the workspace that has changed, and for no other', async () => {
    const { authenticate } = open();
    const [here, there] = [await makeKey(acme), await makeKey(globex)];
    const [first, second] = [await authenticate(here.secret), await authenticate(there.secret)];
    await makeKey(acme);
    later();
    expect(await authenticate(there.secret)).toBe(second);
    // The key and the person; the revision of the model is looked at, its document is not.
    expect(await countStatements(async () => authenticate(here.secret))).toBe(3);
    const again = await authenticate(here.secret);
    expect(again).not.toBe(first);
    expect(again.model).toBe(first.model);
  });

  test('is looked up again within a minute, whatever no trigger has delivered', async () => {
    const { authenticate } = open();
    const { id, secret } = await makeKey();
    await authenticate(secret);
    await own.db.transaction(async (tx) => {
      // No trigger runs, as while a database is restored.
      await tx.query({ text: 'set local session_replication_role = replica', values: [] });
      await revokeApiKeys(tx, acme.id, id);
    });
    later();
    expect(await refusalOf(() => authenticate(secret))).toBe('none');
    vi.advanceTimersByTime(59_100);
    expect(await refusalOf(() => authenticate(secret))).toBe('invalid_api_key');
  });

  test('a refusal, until something changes', async () => {
    const { authenticate } = open();
    const secret = makeSecret('personal');
    expect(await refusalOf(() => authenticate(secret))).toBe('invalid_api_key');
    later();
    expect(await countStatements(() => refusalOf(() => authenticate(secret)))).toBe(1);
    const { secret: made } = await makeKey();
    later();
    expect(await refusalOf(() => authenticate(made))).toBe('none');
    expect(await countStatements(() => refusalOf(() => authenticate(secret)))).toBe(1);
  });

  test('no look-up for text that is not a secret', async () => {
    const secret = `${makeSecret('personal').slice(0, -1)}!`;
    const { authenticate } = open();
    expect(await countStatements(() => refusalOf(() => authenticate(secret)))).toBe(0);
  });
});

describe('a change by another process acts within a second', () => {
  const ann = (person: object) => ({
    users: { ...DOCUMENT.users, 'ann@example.com': { ...ANN, ...person } },
  });
  const members = ['ann@example.com', 'bob@example.com'];

  test('a revoked key', async () => {
    const { authenticate } = open();
    const { id, secret } = await makeKey();
    await authenticate(secret);
    await revokeApiKeys(own.db, acme.id, id);
    vi.advanceTimersByTime(899);
    expect(await refusalOf(() => authenticate(secret))).toBe('none');
    vi.advanceTimersByTime(1);
    expect(await refusalOf(() => authenticate(secret))).toBe('invalid_api_key');
  });

  test('a dropped scope, by SQL', async () => {
    const { authenticate } = open();
    const { id, secret } = await makeKey();
    await authenticate(secret);
    await own.rows(`update workspace_records.api_keys set scopes = '{}' where id = $1`, [id]);
    later();
    expect((await authenticate(secret)).caller.scopes).toEqual(new Set());
  });

  test('a deactivated person, and one who is active again', async () => {
    const { authenticate } = open();
    const { secret } = await makeKey();
    await authenticate(secret);
    await apply(ann({ active: false }));
    later();
    expect(await refusalOf(() => authenticate(secret))).toBe('invalid_api_key');
    await apply(ann({ active: true }));
    later();
    expect(await refusalOf(() => authenticate(secret))).toBe('none');
  });

  test('another role, another team, another definition', async () => {
    const { authenticate } = open();
    const { secret } = await makeKey();
    const { caller, model } = await authenticate(secret);
    expect(caller.access.developer).toBe(true);
    await apply(ann({ roles: ['guest'] }));
    later();
    expect((await authenticate(secret)).caller.access.developer).toBe(false);
    await apply({ ...ann({}), teams: { North: { members } } });
    later();
    expect((await authenticate(secret)).caller.colleague_ids).toHaveLength(2);
    await apply({ ...ann({}), roles: { ...DOCUMENT.roles, member: { name: 'Member' } } });
    later();
    const holder = await authenticate(secret);
    expect(holder.caller.access.developer).toBe(false);
    expect(holder.model.revision).toBeGreaterThan(model.revision);
    await apply({});
  });

  test('at once after a hint', async () => {
    const { authenticate, lookAgain } = open();
    const { id, secret } = await makeKey();
    await authenticate(secret);
    await revokeApiKeys(own.db, acme.id, id);
    lookAgain();
    expect(await refusalOf(() => authenticate(secret))).toBe('invalid_api_key');
  });

  test('also one that was made while the key was looked up', async () => {
    let isHeld = false;
    let looks = 0;
    let release = () => {};
    const query: Queryable['query'] = async (statement, options) => {
      const rows = await other.db.query(statement, options);
      if (statement.text.includes('pg_current_snapshot')) looks += 1;
      if (isHeld && statement.text.includes('api_keys')) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      return rows;
    };
    const { authenticate } = open({ ...other.db, query });
    const [{ id, secret }, { secret: another }] = [await makeKey(), await makeKey()];
    await authenticate(another);
    isHeld = true;
    const before = release;
    const loading = Promise.resolve(authenticate(secret));
    await vi.waitFor(() => expect(release).not.toBe(before), 60_000);
    isHeld = false;
    await revokeApiKeys(own.db, acme.id, id);
    later();
    const looking = authenticate(another);
    await vi.waitFor(() => expect(looks).toBe(2), 60_000);
    release();
    expect(await refusalOf(() => loading)).toBe('none');
    expect(await refusalOf(() => looking)).toBe('none');
    expect(await refusalOf(() => authenticate(secret))).toBe('invalid_api_key');
  });
});

describe('expiry is by the clock of the database', () => {
  test('at its moment, without a look being due', async () => {
    const { authenticate } = open();
    await withLifetime(async (seconds) => {
      const { secret } = await makeKey(acme, seconds * 0.8);
      if ((await refusalOf(() => authenticate(secret))) !== 'none') return false;
      await sleep(seconds * 850);
      vi.advanceTimersByTime(seconds * 850);
      expect(await refusalOf(() => authenticate(secret))).toBe('api_key_expired');
      expect(await countStatements(() => refusalOf(() => authenticate(secret)))).toBe(0);
      return true;
    });
  });

  test('the database decides: a process whose clock is ahead refuses no key', async () => {
    const { authenticate } = open();
    const { secret } = await makeKey(acme, 20);
    await authenticate(secret);
    vi.advanceTimersByTime(899);
    expect(await countStatements(async () => authenticate(secret))).toBe(0);
    vi.advanceTimersByTime(20_000);
    expect(await refusalOf(() => authenticate(secret))).toBe('none');
  });
});

describe('a session', () => {
  const refusal = (authenticate: ReturnType<typeof open>['authenticate'], token: string) =>
    refusalOf(() => authenticate(token, 'session'));

  test('is looked up with as many statements as a key, and remembered like it', async () => {
    const { authenticate } = open();
    const [key, session] = [await makeKey(), await makeSession()];
    await authenticate((await makeKey()).secret);
    later();
    const ofKey = await countStatements(async () => authenticate(key.secret));
    later();
    const ofSession = await countStatements(async () => authenticate(session.token, 'session'));
    expect([ofKey, ofSession]).toEqual([3, 3]);
    expect(await countStatements(async () => authenticate(session.token, 'session'))).toBe(0);
    const { caller } = await authenticate(session.token, 'session');
    expect(caller.principal).toMatchObject({ kind: 'session', requests_per_minute: 1200 });
    expect(caller.scopes.has('workspace:write')).toBe(true);
  });

  test('the use of a key is noted at most once a minute, without dropping it from the cache', async () => {
    const { authenticate } = open();
    const { id, token } = await makeSession();
    const noted = async () =>
      (await own.rows('select last_used_at from workspace_records.sessions where id = $1', [id]))[0]
        ?.last_used_at;
    const set = (age: string) =>
      own.rows(
        'update workspace_records.sessions set last_used_at = now() - $2::interval where id = $1',
        [id, age],
      );
    await set('59 seconds');
    const before = await noted();
    await authenticate(token, 'session');
    expect(await noted()).toBe(before);
    await set('61 seconds');
    later();
    expect(await countStatements(async () => authenticate(token, 'session'))).toBe(1);
    vi.advanceTimersByTime(60_000);
    const { caller } = await authenticate(token, 'session');
    expect(Date.parse(String(await noted()))).toBeGreaterThan(Date.now() - 30_000);
    expect(caller.principal).toMatchObject({ last_used_at: await noted() });
  });

  test('a session that another process has ended is over within a second', async () => {
    const { authenticate } = open();
    const { id, token, workspace_id } = await makeSession();
    await authenticate(token, 'session');
    await own.db.transaction((tx) => endSessions(tx, { workspace_id, id }));
    vi.advanceTimersByTime(899);
    expect(await refusal(authenticate, token)).toBe('none');
    vi.advanceTimersByTime(1);
    expect(await refusal(authenticate, token)).toBe('invalid_credentials');
  });

  test('of somebody deactivated is over within a second, and stays so', async () => {
    const { authenticate } = open();
    const { token } = await makeSession();
    await authenticate(token, 'session');
    const ann = (active: boolean) => ({
      users: { ...DOCUMENT.users, 'ann@example.com': { ...ANN, active } },
    });
    await apply(ann(false));
    later();
    expect(await refusal(authenticate, token)).toBe('invalid_credentials');
    await apply(ann(true));
    later();
    expect(await refusal(authenticate, token)).toBe('invalid_credentials');
    expect(await refusal(authenticate, (await makeSession()).token)).toBe('none');
  });
});
