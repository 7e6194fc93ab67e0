// Other requests are answered during hostile bodies: each endpoint that takes a body is sent a megabyte of its worst
// input, and no turn of the event loop is long. The test measures processor time, in units of other work of the same
// run.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import type { Route } from '../../src/http/route/route.ts';
import { HOSTILE_DOCUMENT, type HostileRequest, hostileRequests } from '../hostile-requests.ts';
import { call } from '../http-client.ts';
import { measureTurns } from '../turns.ts';
import { leastWork } from '../until.ts';
import type { SessionClient } from '../world.ts';
import { openWorldWith, type World } from '../world.ts';

const withBody = (ROUTES as readonly Route<never>[]).filter(
  ({ body, takesFile }) => body !== undefined || takesFile !== undefined,
);

let world: World;
let session: SessionClient;
let requests: Readonly<Record<string, readonly HostileRequest[]>>;
/** Milliseconds that a turn may take on this machine. */
let most: number;

beforeAll(async () => {
  world = await openWorldWith(HOSTILE_DOCUMENT, { OPERATOR_KEY, OAUTH: 'on' });
  session = await world.inSession('ada');
  const made = async (path: string, body: object) => (await session.post(path, body)).body.data;
  const thing = await made('/objects/things/records', { fields: { t0: 'thing' } });
  const company = await made('/objects/companies/records', { fields: { name: 'company' } });
  const view = await made('/views', { object_type: 'things', name: 'view', query: {} });
  const dashboard = await made('/dashboards', { name: 'dashboard' });
  const team = await made('/teams', { name: 'Hostile' });
  const key = await made('/keys', { name: 'key' });
  const url = 'https://hooks.example.com/in';
  const webhook = await made('/webhooks', { url, events: ['record.*'] });
  requests = hostileRequests({
    ...{ webhook: webhook.id, dashboard: dashboard.id },
    ...{ thing: thing.id, company: company.id, view: view.id, key: key.id },
    ...{ user: world.users.sam, team: team.id, operatorKey: OPERATOR_KEY },
  });
  const text = JSON.stringify(Array.from({ length: 100_000 }, (_, at) => `text ${at}`));
  most = UNITS * (await leastWork(() => JSON.parse(text), 20));
});
afterAll(() => world.close());

/** The steps of the check of a definition that are still long. */
const AS_YET_LONG: ReadonlySet<string> = new Set([
  'planDefinition document: many keys',
  'planDefinition patch: many keys',
]);

/** So many times parsing a list of 1.3 MB: 50 ms where that takes 5. */
const UNITS = 10;

/** The least of them counts: other work of the machine slows some. */
const TRIES = 10;

const OPERATOR_KEY = 'operator-key-of-the-tests-0123456789';

function send({ path, body, type, key }: HostileRequest, method: string) {
  const headers = {
    ...(key === undefined
      ? { cookie: session.cookie, 'sec-fetch-site': 'same-origin' }
      : { authorization: `Bearer ${key}` }),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  return call(world.port, `/v1${path}`, { method, headers, body, owner: session.secret });
}

test('there is a body for every endpoint that takes one', () => {
  expect(Object.keys(requests).sort()).toEqual(withBody.map((one) => one.operationId).sort());
});

describe('one after the other', () => {
  test.each(withBody.map(({ operationId, method }) => [operationId, method]))(
    '%s',
    async (operationId, method) => {
      const long: string[] = [];
      for (const request of requests[operationId] ?? []) {
        let turn = Number.POSITIVE_INFINITY;
        let status = 0;
        for (let tries = 0; tries < TRIES && turn > most; tries += 1) {
          const { longest } = await measureTurns(async () => {
            ({ status } = await send(request, method));
          });
          turn = Math.min(turn, longest);
        }
        expect(status).not.toBe(500);
        const isLong = turn > most && !AS_YET_LONG.has(`${operationId} ${request.what}`);
        if (isLong) long.push(`${request.what}: ${turn}`);
      }
      expect(long).toEqual([]);
    },
  );
});

test('all at once', async () => {
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && longest > most; tries += 1) {
    const { longest: turn } = await measureTurns(() => {
      const sent = withBody.map(({ operationId, method }) => {
        const [request] = requests[operationId] ?? [];
        return send(request as HostileRequest, method);
      });
      return Promise.all(sent);
    });
    longest = Math.min(longest, turn);
  }
  expect(longest).toBeLessThan(most);
});
