// kill -9 of the service while clients write under an Idempotency-Key: whatever was lost, the same request
// sent again ends in exactly one record.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMMAND, PATIENCE } from '../cli/command-process.ts';
import { timesOf } from '../until.ts';
import { openWorld, type World } from '../world.ts';

const KILLS = timesOf(2);
/** Requests that are in flight when the service dies, each under a key of its own. */
const CLIENTS = 8;

let world: World;
let secret: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  world = await openWorld();
  ({ secret } = await world.key('ada'));
  environment = {
    ...process.env,
    ...world.database.environment,
    DEMO: 'off',
  };
});
afterAll(() => world.close());

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(): Promise<Running> {
  const child = spawn(process.execPath, [COMMAND, 'start', '--port', '0'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const listening = /Listening on (http:\S+\/v1)/;
  await vi.waitFor(() => expect(said).toMatch(listening), { timeout: PATIENCE, interval: 20 });
  return { child, url: listening.exec(said)?.[1] as string };
}

/** Answers the status; undefined when there was no answer. */
async function create(url: string, key: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/objects/deals/records`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ fields: { name: key } }),
      signal: AbortSignal.timeout(60_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

/** The same request until it is answered with success. */
async function insist(url: string, key: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const status = await create(url, key);
    if (status === 201) return;
    // The dead process may hold the key until PostgreSQL notices that it is gone.
    expect([409, 503, undefined]).toContain(status);
    await sleep(50);
  }
  throw new Error(`${key} was never answered`);
}

test('one record for each key, however often the service died', async () => {
  const keys: string[] = [];
  let running = await start();
  let unanswered = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const sent = Array.from({ length: CLIENTS }, (_, client) => `kill-${round}-${client}`);
    keys.push(...sent);
    const { child, url } = running;
    const answers = sent.map((key) => create(url, key));
    // The first time before anything can be answered, then at any moment.
    await sleep(round === 0 ? 1 : Math.random() * 40);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    unanswered += (await Promise.all(answers)).filter((status) => status === undefined).length;
    running = await start();
    const again = running.url;
    await Promise.all(sent.map((key) => insist(again, key)));
  }
  const ended = once(running.child, 'exit');
  running.child.kill('SIGTERM');
  await ended;
  const rows = await world.rows(
    `select d.name, count(distinct d.id) as records, count(a.id) as audited
      from deals d join ws_acme._audit a on a.record_id = d.id group by d.name`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...keys].sort());
  expect(rows.filter(({ records, audited }) => records !== 1 || audited !== 1)).toEqual([]);
  // Otherwise the test would prove nothing.
  expect(unanswered).toBeGreaterThan(0);
  const stored = await world.database.rows('select key from ws_acme._idempotency');
  expect(stored.map(({ key }) => key).sort()).toEqual([...keys].sort());
});
