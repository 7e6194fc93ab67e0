// Whoever holds one key makes, changes and lists keys with all the keys that come of it, three times over: none
// of them comes out wider than the first in user, scopes, rate or life.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import type { Invocation, InvokedAnswer } from '../../src/http/invoke.ts';
import { openWorld, type PersonName, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

const RATE = 100_000;
const LIFE = 86_400;
const SUBSETS: readonly (readonly string[])[] = [
  ['keys:write'],
  ['keys:write', 'records:read'],
  ['keys:write', 'workspace:write'],
  ['keys:write', 'workspace:read', 'audit:read', 'users:read'],
  ['records:read', 'records:write', 'workspace:write', 'users:read'],
  [],
];
const PEOPLE: readonly PersonName[] = ['ada', 'rob', 'mia', 'bot'];

interface Made {
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

async function invoke(secret: string, operationId: string, more: Invocation = {}) {
  const route = ROUTES.find((one) => one.operationId === operationId);
  if (route === undefined) throw new Error(operationId);
  const headers = { authorization: `Bearer ${secret}` };
  const answer = (await world.invoke(route, { ...more, headers })) as InvokedAnswer;
  expect(answer.status).toBeLessThan(500);
  return answer as { readonly status: number; readonly body: { readonly data: Made } };
}

const stored = async (ids: readonly string[]) =>
  (await world.database.rows(
    `select id, user_id, scopes, requests_per_minute, expires_at from workspace_records.api_keys
      where id = any($1::uuid[])`,
    [ids],
  )) as unknown as readonly Stored[];

/** Everything a key can ask for of keys, sensible or not. */
function requestsOf(first: { readonly id: string }, others: readonly string[]) {
  const wide = { scopes: ['records:delete', 'keys:write'], requests_per_minute: RATE * 2 };
  const scopes = ['keys:write'];
  const bodies = [
    { scopes },
    { scopes, requests_per_minute: null },
    { scopes, expires_at: null },
    { scopes, expires_at: '2999-01-01T00:00:00Z' },
    { scopes: [], requests_per_minute: RATE - 1 },
    { scopes: [...scopes, 'records:read'] },
    wide,
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
    ...[first.id, ...others].flatMap((key_id) =>
      changes.map((body) => ['updateKey', { params: { key_id }, body }] as const),
    ),
    ['listKeys', {}] as const,
  ];
}

test.each(PEOPLE)('keys of %s', async (person) => {
  for (const scopes of SUBSETS) {
    const first = await world.key(person, { scopes, requestsPerMinute: RATE, expiresIn: LIFE });
    const [origin] = await stored([first.id]);
    const held = new Map([[first.id, first.secret]]);
    let round = [first];
    for (let time = 0; time < 3; time += 1) {
      const made: { readonly id: string; readonly secret: string }[] = [];
      for (const { id, secret } of round) {
        for (const [operation, more] of requestsOf(first, [id])) {
          const { status, body } = await invoke(secret, operation, more);
          if (operation === 'createKey' && status === 201) made.push(body.data);
        }
      }
      for (const { id, secret } of made) held.set(id, secret);
      round = await different(made);
    }
    const mayAll = person === 'ada' || person === 'bot';
    for (const key of await stored([...held.keys()])) {
      const about = JSON.stringify({ person, origin, key });
      expect(mayAll || key.user_id === origin?.user_id, about).toBe(true);
      expect(
        key.scopes.every((scope) => scopes.includes(scope)),
        about,
      ).toBe(true);
      expect(key.requests_per_minute ?? Number.POSITIVE_INFINITY, about).toBeLessThanOrEqual(RATE);
      const end = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at);
      expect(end, about).toBeLessThanOrEqual(Date.parse(origin?.expires_at ?? ''));
    }
    expect(held.size > 1).toBe(scopes.includes('keys:write'));
  }
});

/** Keys that are the same in all but their names can do the same. */
async function different(made: readonly { readonly id: string; readonly secret: string }[]) {
  const rows = await stored(made.map(({ id }) => id));
  const byForm = new Map(
    rows.map(({ id, ...form }) => [JSON.stringify(form), made.find((one) => one.id === id)]),
  );
  return [...byForm.values()].filter((one) => one !== undefined);
}
