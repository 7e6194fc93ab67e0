// The steps of signing in, for any account: the same statements and one scrypt for everything that is wrong; and the
// result when a password changes meanwhile.

import { scryptSync } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadPassword, putPassword } from '../../src/control/people/passwords.ts';
import { loadMember, type MemberRow } from '../../src/control/people/people.ts';
import { loadSessionsOf } from '../../src/control/people/session-rows.ts';
import { appendLink, useLink } from '../../src/control/people/sign-in-links.ts';
import { loadModel, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { openSession } from '../../src/flow/people/open-session.ts';
import { changePassword } from '../../src/flow/people/password-change.ts';
import type { HasherOptions } from '../../src/flow/people/password-hash.ts';
import { openPasswordHasher } from '../../src/flow/people/password-hash.ts';
import { signInWithPassword } from '../../src/flow/people/sign-in.ts';
import type { WorkspaceModel } from '../../src/model/definition/model.ts';
import { callerOf } from '../../src/model/rights/access.ts';
import { networkOf } from '../../src/model/rights/network.ts';
import { runOnce } from '../../src/postgres/run-once.ts';
import { sql } from '../../src/sql/sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, lacks, type OwnDatabase } from '../own-database.ts';
import { until } from '../until.ts';

const PASSWORD = 'a password of tests';
const DOCUMENT = {
  users: {
    'ann@example.com': { name: 'Ann', roles: ['admin'] },
    'bob@example.com': { name: 'Bob', roles: ['admin'] },
    'ina@example.com': { name: 'Ina', roles: ['admin'], active: false },
    'bot@example.com': { name: 'Bot', roles: ['admin'], kind: 'agent' },
  },
};

let own: OwnDatabase;
let acme: WorkspaceRow;
let computed: (readonly [number | undefined, number | undefined])[];

const parameters = { N: 16, r: 8, p: 1 };
const compute: HasherOptions['compute'] = async (password, salt, length, options) => {
  computed.push([options.N, options.p]);
  return scryptSync(password, salt, length, options);
};
const hasher = openPasswordHasher({ parameters, compute });

beforeAll(async () => {
  own = await createMigratedDatabase();
  acme = await createWorkspace(own.db, { slug: 'acme', document: DOCUMENT });
  computed = [];
  const made = await hasher.make(PASSWORD);
  for (const name of ['ann', 'ina', 'bot']) await putPassword(own.db, await holder(name), made);
});
afterAll(() => own?.drop());
beforeEach(async () => {
  computed = [];
  await own.rows('delete from workspace_records.sign_in_attempts');
});

async function holder(name: string) {
  const [row] = await own.rows('select id from ws_acme._users where email = $1', [
    `${name}@example.com`,
  ]);
  return { workspace_id: acme.id, user_id: Number(row?.id) };
}

const origin = {
  ...{ address: '192.0.2.1', agent: 'Mozilla/5.0', requestId: 'req', tokens: [] },
  site: { origin: 'http://localhost', hostname: 'localhost' },
  isHostOf: () => true,
};

/** The code of the refusal, and its cost. */
async function costOf(workspace: string, email: string, password: string) {
  const before = { ...own.stats };
  const form = { workspace, email, password };
  const code = await signInWithPassword(own.db, hasher, form, origin).then(
    () => 'none',
    (error) => error.code as string,
  );
  return {
    code,
    statements: own.stats.statements - before.statements,
    roundTrips: own.stats.roundTrips - before.roundTrips,
    computed,
  };
}

describe('whatever is wrong', () => {
  const wrong = 'not the one of tests';

  test.each([
    ['an unknown address', 'nobody@example.com', wrong],
    ['a person without a password', 'bob@example.com', wrong],
    ['an inactive person', 'ina@example.com', wrong],
    ['an inactive person by the right password', 'ina@example.com', PASSWORD],
    ['an agent by the right password', 'bot@example.com', PASSWORD],
  ])('%s costs the same as a wrong password', async (_, email, password) => {
    const known = await costOf('acme', 'ann@example.com', wrong);
    computed = [];
    expect(await costOf('acme', email, password)).toEqual(known);
    expect(known).toMatchObject({ code: 'invalid_credentials', computed: [[16, 1]] });
  });

  test('a person with a second factor costs the same, and is asked for it only after the right password', async () => {
    const { workspace_id, user_id } = await holder('ann');
    const made = await own.rows(
      `insert into workspace_records.second_factors (workspace_id, user_id, code_secret)
        values ($1, $2, 'lost') returning 1`,
      [workspace_id, user_id],
    );
    expect(made).toHaveLength(1);
    const known = await costOf('acme', 'ann@example.com', wrong);
    computed = [];
    expect(await costOf('acme', 'nobody@example.com', wrong)).toEqual(known);
    expect((await costOf('acme', 'ann@example.com', PASSWORD)).code).toBe('second_factor_required');
    await own.rows('delete from workspace_records.second_factors');
  });

  test('an unknown workspace costs the same but the audit row that it has no place for', async () => {
    const known = await costOf('acme', 'ann@example.com', wrong);
    computed = [];
    const { statements, ...rest } = await costOf('nowhere', 'ann@example.com', PASSWORD);
    expect(statements).toBe(known.statements - 1);
    expect(rest).toMatchObject({ code: 'invalid_credentials', computed: [[16, 1]] });
  });
});

test('a hash of other parameters is replaced when its person signs in', async () => {
  const ann = await holder('ann');
  const stronger = openPasswordHasher({ parameters: { ...parameters, N: 32 }, compute });
  const form = { workspace: 'acme', email: 'ann@example.com', password: PASSWORD };
  await signInWithPassword(own.db, stronger, form, origin);
  expect((await loadPassword(own.db, ann))?.parameters).toEqual({ N: 32, r: 8, p: 1 });
  computed = [];
  await signInWithPassword(own.db, stronger, form, origin);
  expect(computed).toEqual([[32, 1]]);
});

test('a password that is changed while it is compared begins no session', async () => {
  const ann = await holder('ann');
  const changing = openPasswordHasher({
    parameters,
    async compute(password, salt, length, options) {
      await putPassword(own.db, ann, await hasher.make('the next one of tests'));
      return scryptSync(password, salt, length, options);
    },
  });
  const before = (await loadSessionsOf(own.db, acme.id, undefined)).length;
  const form = { workspace: 'acme', email: 'ann@example.com', password: PASSWORD };
  await expect(signInWithPassword(own.db, changing, form, origin)).rejects.toMatchObject({
    code: 'invalid_credentials',
  });
  expect(await loadSessionsOf(own.db, acme.id, undefined)).toHaveLength(before);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['', ''],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the address %j is counted with all of %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('attempts without an account', () => {
  beforeAll(async () => putPassword(own.db, await holder('ann'), await hasher.make(PASSWORD)));

  const form = { workspace: 'acme', email: 'ann@example.com', password: PASSWORD };
  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'signed in',
      (error) => error.code as string,
    );
  const from = (address: string, more: object = {}, by = hasher) =>
    codeOf(signInWithPassword(own.db, by, { ...form, ...more }, { ...origin, address }));
  const wrong = { password: 'not the one of tests' };

  test('those of an address that has had its share do not lock an account', async () => {
    for (let count = 0; count < 10; count += 1) {
      expect(await from('192.0.2.7', { email: `nobody${count}@example.com` })).toBe(
        'invalid_credentials',
      );
    }
    for (let count = 0; count < 20; count += 1) {
      expect(await from('192.0.2.7', wrong)).toBe('rate_limited');
    }
    expect(await from('192.0.2.8')).toBe('signed in');
  });

  test('those of an account that is locked do not use up an address', async () => {
    for (let count = 0; count < 10; count += 1) await from(`192.0.2.${20 + count}`, wrong);
    for (let count = 0; count < 12; count += 1) {
      expect(await from('192.0.2.9', wrong)).toBe('rate_limited');
    }
    expect(await from('192.0.2.9', { email: 'nobody@example.com' })).toBe('invalid_credentials');
  });

  test('those that overload leaves without a judgement', async () => {
    const full = openPasswordHasher({ parameters, compute, atOnce: 0, waiting: 0 });
    for (let count = 0; count < 12; count += 1) {
      expect(await from('192.0.2.10', {}, full)).toBe('service_unavailable');
    }
    expect(await from('192.0.2.10')).toBe('signed in');
  });
});

describe.skipIf(lacks('locks'))('a session that begins', () => {
  beforeEach(async () => putPassword(own.db, await holder('ann'), await hasher.make(PASSWORD)));

  const isWaiting = async () =>
    (
      await own.rows(`select from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock'`)
    ).length > 0;
  const sessionsOf = async ({ user_id }: { user_id: number }) =>
    (await loadSessionsOf(own.db, acme.id, user_id)).map(({ id }) => id);

  test('by a link while the password changes ends with the others', async () => {
    const ann = await holder('ann');
    const person = (await loadMember(own.db, acme.schema, ann.user_id)) as MemberRow;
    const model = (await loadModel(own.db, acme.id)) as WorkspaceModel;
    const proof = { place: acme, person, method: 'link', origin } as const;
    const { session } = await own.db.transaction((tx) => openSession(tx, proof));
    const limits = { requests_per_minute: 60, isLimited: false, second_factor: null } as const;
    const caller = callerOf(model, person, { ...session, ...limits, kind: 'session' });
    const token_hash = Buffer.alloc(32, 'link');
    const link = { id: uuidv7(), hours: null, maker_user_id: null };
    await appendLink(own.db, { ...ann, ...link, token_hash });
    let changing: Promise<number> | undefined;
    await own.db.transaction(async (tx) => {
      expect(await useLink(tx, token_hash)).toBeDefined();
      changing = changePassword(hasher, {
        ...{ db: own.db, model, caller, requestId: 'req', address: '', now: Date.now() },
        ...{ password: 'the one after it', current: undefined },
      });
      await until(isWaiting);
      await openSession(tx, proof);
    });
    await changing;
    expect(await sessionsOf(ann)).toEqual([session.id]);
  });

  test('while its person is deactivated is refused', async () => {
    const ann = await holder('ann');
    const activate = (active: boolean) =>
      sql`update ws_acme._users set active = ${active} where id = ${ann.user_id}`;
    const form = { workspace: 'acme', email: 'ann@example.com', password: PASSWORD };
    let signingIn: Promise<string> | undefined;
    await own.db.transaction(async (tx) => {
      await runOnce(tx, activate(false));
      signingIn = signInWithPassword(own.db, hasher, form, origin).then(
        () => 'signed in',
        (error) => error.code as string,
      );
      await Promise.race([signingIn, until(isWaiting)]);
    });
    expect(await signingIn).toBe('invalid_credentials');
    await runOnce(own.db, activate(true));
    expect(await sessionsOf(ann)).toEqual([]);
  });
});
