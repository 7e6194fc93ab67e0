// The histogram of request durations is the time of the service: neither the wait for changes nor the arrival of a
// slow body is in it, so that neither sets off the alert about slow requests.

import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACME, openWorldWith, type World } from '../world.ts';

/** Milliseconds; above the limit of `countsOf`. */
const SLOW = 3000;
let world: World;

beforeAll(async () => {
  const { deals } = ACME.objects;
  const contract = { type: 'file' };
  const withFiles = { ...deals, fields: { ...deals.fields, contract } };
  world = await openWorldWith({ ...ACME, objects: { ...ACME.objects, deals: withFiles } });
});
afterAll(() => world.close());

/** Requests of a route, and those of them that took the service at most 2.5 s. */
async function countsOf(route: string): Promise<{ readonly all: number; readonly quick: number }> {
  const lines = (await world.metrics()).split('\n');
  const counted = (start: string) =>
    Number(
      lines
        .find((line) => line.startsWith(start))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  const name = 'workspace_records_request_duration_seconds';
  return {
    all: counted(`${name}_count{route="${route}"}`),
    quick: counted(`${name}_bucket{le="2.5",route="${route}"}`),
  };
}

/** Send the first bytes of a body, and the rest later. */
async function sendSlowly(path: string, type: string, body: string): Promise<number> {
  const { secret } = await world.as('ada');
  const request = http.request({
    ...{ host: '127.0.0.1', port: world.port, path, method: 'POST' },
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': type,
      'content-length': body.length,
    },
  });
  request.write(body.slice(0, 10));
  const answered = once(request, 'response');
  await sleep(SLOW);
  request.end(body.slice(10));
  const [response] = (await answered) as [http.IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

test('waits for changes do not count', async () => {
  const ada = await world.as('ada');
  const { body } = await ada.get('/changes');
  const begun = performance.now();
  const waits = Array.from({ length: 4 }, () =>
    ada.get(`/changes?wait=3&cursor=${body.pagination.next_cursor}`),
  );
  const statuses = (await Promise.all(waits)).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(performance.now() - begun).toBeGreaterThan(2500);
  expect(await countsOf('GET /changes')).toEqual({ all: 5, quick: 5 });
});

test.each([
  ['a JSON body', '/objects/deals/records', 'application/json', '{"fields":{"name":"Slow deal"}}'],
  [
    'a file',
    '/files?purpose=field&name=slow.txt',
    'text/plain',
    'The text of a file that arrives slowly.',
  ],
])('the arrival of %s does not count', async (_, path, type, body) => {
  const status = await sendSlowly(`/v1${path}`, type, body);
  expect(status).toBe(201);
  const route = path.startsWith('/files') ? 'POST /files' : 'POST /objects/{object_type}/records';
  expect(await countsOf(route)).toEqual({ all: 1, quick: 1 });
});
