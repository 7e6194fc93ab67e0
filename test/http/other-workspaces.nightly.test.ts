// A workspace is answered while another one sends the worst input under its size limit to a parser. The wait of a read is
// the processor time that the process spends meanwhile, which does not depend on other programs of the machine.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importing } from '../../src/import/import-job.ts';
import { LIMITS } from '../../src/limits.ts';
import { openJobs, sendFile } from '../api/job-world.ts';
import type { Client } from '../client.ts';
import { call } from '../http-client.ts';
import { IS_LONG } from '../until.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let reader: string;
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorld({ REQUESTS_PER_MINUTE: '1000000' });
  ada = await world.as('ada');
  reader = (await world.key('gus', { workspace: 'globex', requestsPerMinute: 1_000_000 })).secret;
  await jobs.work(importing(world.database.db));
});
afterAll(async () => {
  await jobs.stop();
  await world?.close();
});

/** Milliseconds between reads, and reads of a quiet time. */
const EVERY = 10;
const QUIET = 50;
/** The p99 may be so many times that of a quiet time; below so many milliseconds it is noise of the machine. */
const TIMES = 3;
const NOISE = 100;
/** The best of them counts. */
const TRIES = 3;

/** The p99 of reads during some work, in milliseconds. */
async function readDuring(work: () => Promise<unknown>): Promise<number> {
  const waits: number[] = [];
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    await sleep(EVERY);
    const path = '/v1/objects/companies/records?limit=5';
    expect((await call(world.port, path, { key: reader })).status).toBe(200);
    const { user, system } = process.cpuUsage(cpu);
    const wait = Math.min((user + system) / 1000, performance.now() - began);
    // Reads that were due meanwhile waited for the rest of it.
    for (let rest = wait; rest > 0; rest -= EVERY) waits.push(rest);
  }
  await working;
  return waits.sort((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? 0;
}

/** Bytes of files and of bodies. */
const FILE = IS_LONG ? LIMITS.sentFileBytes - 1000 : 3_000_000;
const BODY = 1_000_000;

function filled(bytes: number, item: (at: number) => string, between = ','): string {
  const items: string[] = [];
  for (let size = 0; size < bytes; size += (items.at(-1) as string).length + 1) {
    items.push(item(items.length));
  }
  return items.join(between);
}

async function importFile(text: string, type: string): Promise<void> {
  const { status, json } = await sendFile(world, ada, text, type);
  expect(status).toBe(201);
  const mapping = { object_type: 'companies' };
  const answer = await ada.post('/imports', { file_id: json.data.id, mapping, dry_run: true });
  expect(answer.status).toBe(202);
  const job = await jobs.ended(ada, answer.body.data.id);
  expect(['done', 'failed']).toContain(job.state);
}

const csv = (text: string) => () => importFile(text, 'text/csv');
const lines = (text: string) => () => importFile(text, 'application/x-ndjson');
const sent = (method: string, path: string, body: string) => async () => {
  const { status } = await call(world.port, path, { key: ada.secret, method, body });
  expect([200, 400, 413, 422, 431]).toContain(status);
};
const columns = Array.from({ length: LIMITS.importColumns }, (_, at) => `c${at}`);

const INPUTS: Readonly<Record<string, () => () => Promise<unknown>>> = {
  'keys of a JSON line': () => lines(`{${filled(FILE, (at) => `"k${at}":1`)}}\n`),
  'nested keys of a JSON line': () =>
    lines(`{"custom_fields":{${filled(FILE, (at) => `"k${at}":1`)}}}\n`),
  'values of a JSON line': () => lines(`{"name":[${filled(FILE, () => '1')}]}\n`),
  'unknown keys in each JSON line': () =>
    lines(filled(FILE / 4, (at) => `{${filled(20_000, (key) => `"k${at}x${key}":1`)}}`, '\n')),
  'short JSON lines': () => lines('{}\n'.repeat(50_000)),
  'a header of CSV': () => csv(`${filled(FILE, (at) => `c${at}`)}\n1,2\n`),
  'a row of CSV': () => csv(`name\n${filled(FILE, () => '1')}\n`),
  'empty cells of CSV': () => csv(`name\n${filled(FILE, () => ','.repeat(16_000), '\n')}\n`),
  'rows of 2,000 columns': () => csv(`${columns}\n${filled(FILE, () => ','.repeat(1999), '\n')}\n`),
  'short rows of CSV': () => csv(`name\n${'x\n'.repeat(5000)}`),
  'keys of a body': () =>
    sent(
      'POST',
      '/v1/objects/companies/records',
      `{"fields":{${filled(BODY, (at) => `"k${at}":1`)}}}`,
    ),
  'keys of a batch': () =>
    sent(
      'POST',
      '/v1/objects/companies/records/batch',
      `{"operations":[{${filled(8 * BODY, (at) => `"k${at}":1`)}}]}`,
    ),
  'values of a query': () =>
    sent(
      'POST',
      '/v1/objects/companies/records/search',
      `{"filters":{"name":{"in":[${filled(BODY, () => '1')}]}}}`,
    ),
  'keys of a definition': () =>
    sent(
      'POST',
      '/v1/definition/plan',
      `{"document":{"objects":{${filled(BODY, (at) => `"k${at}":{}`)}}}}`,
    ),
  'a nested definition': () =>
    sent(
      'POST',
      '/v1/definition/plan',
      `{"document":${'['.repeat(BODY / 2)}${']'.repeat(BODY / 2)}}`,
    ),
  'arguments of a tool': () =>
    sent(
      'POST',
      '/mcp',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{${filled(BODY, (at) => `"k${at}":1`)}}}}`,
    ),
  'a query string': () =>
    sent(
      'GET',
      `/v1/objects/companies/records?${filled(15_000, (at) => `filter[k${at}]=1`, '&')}`,
      '',
    ),
};

test.each(Object.entries(INPUTS))('%s', async (_, prepare) => {
  const work = prepare();
  const measured: string[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const quiet = await readDuring(() => sleep(QUIET * EVERY));
    const p99 = await readDuring(work);
    if (p99 < Math.max(TIMES * quiet, NOISE)) return;
    measured.push(`${p99.toFixed()} ms, quiet ${quiet.toFixed()} ms`);
  }
  expect(measured).toEqual([]);
});
