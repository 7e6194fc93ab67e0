// The holder of a key calls every endpoint with it and with all keys that result, three times over: no credential
// results that is wider than the first in user, scopes, rate or life, and nobody gains a right. A few subsets of the
// scopes in each run; every one of them where LONGER is set (`npm run test:long`).

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import type { Invocation, InvokedAnswer } from '../../src/http/route/invoke.ts';
import { SCOPES } from '../../src/model/rights/access.ts';
import { filledCall, savedFrom } from '../http/invoke-saved.ts';
import { GOOD } from '../http/invoke-steps.ts';
import { IS_LONG } from '../until.ts';
import { ACME_CANARY, openWorld, type PersonName, type World } from '../world.ts';
import { guardKey } from './canary.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ OAUTH: 'on' });
});
afterAll(() => world?.close());

const RATE = 100_000;
const LIFE = 86_400;
const ROUNDS = 3;
/** Scopes that could give more than requested, and none. */
const TELLING: readonly (readonly string[])[] = [['keys:write', 'workspace:write'], []];
const PEOPLE: readonly PersonName[] = ['ada', 'rob', 'mia', 'bea', 'con', 'bot'];
/** An administrator, one with developer access, and one without. */
const USUAL: readonly PersonName[] = ['ada', 'rob', 'con'];

/** Every subset, or all scopes and another subset for each, which is the same in every run. */
function subsetsOf(person: PersonName): readonly (readonly string[])[] {
  const all = 2 ** SCOPES.length;
  const subset = (bits: number) => SCOPES.filter((_, place) => (bits >> place) % 2 === 1);
  if (IS_LONG) return Array.from({ length: all }, (_, bits) => subset(bits));
  const seed = PEOPLE.indexOf(person);
  const telling = person === 'ada' ? TELLING : [];
  return [SCOPES, subset((389 + seed * 151) % all), ...telling];
}

interface Credential {
  readonly id: string;
  readonly secret: string;
}

interface Stored {
  readonly id: string;
  readonly user_id: number;
  readonly scopes: readonly string[];
  readonly requests_per_minute: number | null;
  readonly expires_at: string | null;
}

type Request = readonly [operationId: string, more: Invocation];

const ROUTE_OF = new Map(ROUTES.map((route) => [route.operationId, route]));

async function invoke(secret: string, [operationId, more]: Request): Promise<InvokedAnswer> {
  const route = ROUTE_OF.get(operationId);
  if (route === undefined) throw new Error(operationId);
  const headers = { ...more.headers, authorization: `Bearer ${secret}` };
  const answer = await world.invoke(route, { ...more, headers });
  expect(answer.status, operationId).toBeLessThan(500);
  return answer as InvokedAnswer;
}

/** Routes for the author of a job, or for a browser that comes back from a provider. */
const OTHERS: readonly (readonly [string, (typeof GOOD)[string]])[] = [
  ['getRejects', { params: { job_id: '$job' } }],
  ['getExportFile', { params: { job_id: '$exported' } }],
  [
    'getRecordFile',
    { params: { object_type: 'deals', record_id: '$doomed', field: 'x', file_id: '$exported' } },
  ],
  ['startSignIn', { query: 'workspace=acme&provider=none' }],
  ['finishSignIn', { query: 'code=x&state=y' }],
  ['readCalendarFeed', { params: { secret: 'x' } }],
  ['deletePasskey', { params: { passkey_id: '$exported' } }],
  ['beginPasskey', {}],
  ['createPasskey', {}],
  ['resetSecondFactor', { params: { user_id: 1 } }],
  ['showUnsubscribe', { query: 'token=x' }],
  ['unsubscribeFromMail', { query: 'token=x' }],
];

/** Every endpoint but streams, with requests that succeed for callers with the right. */
function usualRequests(saved: ReadonlyMap<string, string>): readonly Request[] {
  const known = (name: string) => saved.get(name) ?? String(world.users.mia);
  return [...Object.entries(GOOD), ...OTHERS].map(([operationId, call]) => {
    const { params, query, headers, body } = filledCall(call, known);
    // Each is a request of its own, also where an answer is stored.
    const { 'idempotency-key': __, cookie: ___, ...rest } = headers ?? {};
    return [operationId, { params, query, body, headers: rest } as Invocation] as const;
  });
}

/** Every request that a key can send about keys, sensible or not. */
function keyRequests(first: string, own: string): readonly Request[] {
  const scopes = ['keys:write'];
  const bodies = [
    { scopes },
    { scopes, requests_per_minute: null },
    { scopes, expires_at: null },
    { scopes, expires_at: '2999-01-01T00:00:00Z' },
    { scopes: [], requests_per_minute: RATE - 1 },
    { scopes: [...scopes, 'records:read'] },
    { scopes: ['records:delete', 'keys:write'], requests_per_minute: RATE * 2 },
    {},
    ...[world.users.ada, world.users.rob, world.users.bot].map((user_id) => ({ scopes, user_id })),
  ];
  const changes = [
    { requests_per_minute: null },
    { requests_per_minute: RATE * 2 },
    { requests_per_minute: RATE },
    { expires_at: null },
    { expires_at: '2999-01-01T00:00:00Z' },
  ];
  return [
    ...bodies.map((body) => ['createKey', { body: { name: 'x', ...body } }] as const),
    ...[...new Set([first, own])].flatMap((key_id) =>
      changes.map((body) => ['updateKey', { params: { key_id }, body }] as const),
    ),
  ];
}

/** Requests that would give somebody more rights, or a credential of another kind. */
function wideningRequests(userId: number): readonly Request[] {
  const { rob } = world.users;
  const address = `wide${userId}@acme.example`;
  const wide = { roles: { rep: { administrator: true } } };
  return [
    ...[userId, rob].flatMap((user_id): readonly Request[] => [
      ['updateUser', { params: { user_id }, body: { roles: ['admin'] } }],
      ['updateUser', { params: { user_id }, body: { email: address } }],
      ['createSignInLink', { params: { user_id } }],
    ]),
    ['createUser', { body: { email: address, name: 'Wide', roles: ['admin'] } }],
    ['createRole', { body: { key: `wide${userId}`, administrator: true } }],
    ['updateRole', { params: { role_key: 'rep' }, body: { administrator: true } }],
    ['planDefinition', { body: { patch: wide } }],
    ['setPassword', { body: { password: 'a password of three' } }],
  ];
}

/** The results of one key: keys, and values of its answers for further requests. */
async function callEverything(
  holder: Credential,
  { first, userId, saved }: { first: string; userId: number; saved: Map<string, string> },
): Promise<readonly Credential[]> {
  const made: Credential[] = [];
  const requests = [
    ...usualRequests(saved),
    ...keyRequests(first, holder.id),
    ...wideningRequests(userId),
  ];
  for (const request of requests) {
    const answer = await invoke(holder.secret, request);
    if (!('body' in answer)) continue;
    const text = JSON.stringify([answer.body ?? null, answer.headers]);
    for (const [secret] of text.matchAll(/wrs_[po]_\w{38}/g)) {
      // Checks of answers know whose it is.
      guardKey(secret, ACME_CANARY);
      const { id } = (answer.body as { readonly data: Credential }).data;
      made.push({ id, secret });
    }
    // Neither a cookie of a session nor a one-time link.
    expect(text).not.toMatch(/set-cookie|#[\w-]{43}/i);
    const { save } = GOOD[request[0]] ?? {};
    if (answer.status >= 300) continue;
    for (const [name, value] of savedFrom(save, answer)) saved.set(name, value);
  }
  return made;
}

async function storedKeys(ids: readonly string[]): Promise<readonly Stored[]> {
  const rows = await world.database.rows(
    `select id, user_id, scopes, requests_per_minute, expires_at from workspace_records.api_keys
      where id = any($1::uuid[])`,
    [ids],
  );
  return rows as unknown as readonly Stored[];
}

/** Keys that are the same in all but their names can do the same. */
async function different(made: readonly Credential[]): Promise<readonly Credential[]> {
  const rows = await storedKeys(made.map(({ id }) => id));
  const byForm = new Map(
    rows.map(({ id, ...form }) => [JSON.stringify(form), made.find((one) => one.id === id)]),
  );
  return [...byForm.values()].filter((one) => one !== undefined);
}

/** Everything else that somebody could sign in by or be an administrator by. */
async function otherPower(): Promise<unknown> {
  return world.database.rows(
    `select (select count(*) from workspace_records.sessions) as sessions,
      (select count(*) from workspace_records.sign_in_links) as links,
      (select count(*) from workspace_records.passwords) as passwords,
      (select count(*) from workspace_records.oidc_identities) as identities,
      (select string_agg(email || ' ' || active || ' ' || kind, ', ' order by id) from ws_acme._users
        where roles && array['admin']) as administrators,
      (select string_agg(email, ', ' order by id) from ws_acme._users where id <= $1) as addresses,
      (select (document -> 'roles')::text from ws_acme._definitions where in_force) as roles`,
    [Math.max(...Object.values(world.users))],
  );
}

/** Forms that were followed, from any key: their results were within its rights. */
const followed = new Set<string>();

async function follow(person: PersonName, scopes: readonly string[]): Promise<number> {
  const userId = world.users[person];
  const first = await world.key(person, { scopes, requestsPerMinute: RATE, expiresIn: LIFE });
  const [origin] = (await storedKeys([first.id])) as [Stored];
  const held = new Set([first.id]);
  const saved = new Map<string, string>();
  let round: readonly Credential[] = [first];
  for (let time = 0; time < ROUNDS; time += 1) {
    const made: Credential[] = [];
    for (const holder of round) {
      made.push(...(await callEverything(holder, { first: first.id, userId, saved })));
    }
    for (const { id } of made) held.add(id);
    round = await notFollowed(await different(made));
  }
  const mayAll = person === 'ada' || person === 'bot';
  for (const key of await storedKeys([...held])) requireWithin(origin, key, mayAll);
  return held.size;
}

async function notFollowed(keys: readonly Credential[]): Promise<readonly Credential[]> {
  const rows = new Map((await storedKeys(keys.map(({ id }) => id))).map((row) => [row.id, row]));
  return keys.filter(({ id }) => {
    const { user_id, scopes, requests_per_minute, expires_at } = rows.get(id) as Stored;
    const form = JSON.stringify([user_id, [...scopes].sort(), requests_per_minute, !expires_at]);
    if (followed.has(form)) return false;
    followed.add(form);
    return true;
  });
}

function requireWithin(origin: Stored, key: Stored, mayAll: boolean): void {
  const about = JSON.stringify({ origin, key });
  expect(mayAll || key.user_id === origin.user_id, about).toBe(true);
  expect(
    key.scopes.every((scope) => origin.scopes.includes(scope)),
    about,
  ).toBe(true);
  expect(key.requests_per_minute ?? Number.POSITIVE_INFINITY, about).toBeLessThanOrEqual(RATE);
  const end = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at);
  expect(end, about).toBeLessThanOrEqual(Date.parse(origin.expires_at ?? ''));
}

/** They send, and make no keys: test/api/webhooks.test.ts. */
const NEED_A_RECEIVER: ReadonlySet<string> = new Set(['testWebhook', 'replayWebhookDelivery']);

test('every endpoint but the stream of events is called', () => {
  const called = new Set(usualRequests(new Map()).map(([operationId]) => operationId));
  const all = ROUTES.filter(({ events }) => events !== true).map(({ operationId }) => operationId);
  const expected = all.filter((operationId) => !NEED_A_RECEIVER.has(operationId));
  expect([...called].sort()).toEqual(expected.sort());
});

test.each(IS_LONG ? PEOPLE : USUAL)('keys of %s', { timeout: 7_200_000 }, async (person) => {
  for (const scopes of subsetsOf(person)) {
    const before = await otherPower();
    const held = await follow(person, scopes);
    const about = `${person} with ${scopes.join(' ')}`;
    expect(await otherPower(), about).toEqual(before);
    // Con may use no key at all.
    expect(held > 1, about).toBe(person !== 'con' && scopes.includes('keys:write'));
  }
});
