// The built service is killed 20 times while it sends mail: no notification is lost, and at most the mails that were in
// flight arrive twice, under the same Message-ID.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND, PATIENCE } from '../cli/command-process.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { type MailServer, openMailServer } from './mail-server.ts';

const KILLS = 20;
/** Mails that the service hands over at once (mail-runner.ts). */
const IN_FLIGHT = 5;
const PEOPLE = 60;

let world: World;
let server: MailServer;
let child: ChildProcess | undefined;

beforeAll(async () => {
  world = await openWorld();
  // Slow enough for a kill to find some in flight.
  server = await openMailServer({
    onMail: () => new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 60)),
  });
  await world.database.rows(
    `insert into ws_acme._users (email, name, roles)
      select 'p' || n || '@acme.example', 'P' || n, '{admin}' from generate_series(1, $1::integer) n`,
    [PEOPLE],
  );
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await server?.close();
  await world?.close();
});

async function start(): Promise<ChildProcess> {
  const started = spawn(process.execPath, [COMMAND, 'start', '--port', '0', '--workers', '1'], {
    env: {
      ...{ PATH: process.env.PATH, ...world.database.environment, DEMO: 'off', LOG_LEVEL: 'warn' },
      ...{ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'records@example.com' },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  started.stderr.on('data', (piece) => {
    output += piece;
  });
  await until(() => {
    if (started.exitCode !== null) throw new Error(output);
    return output.includes('Listening on');
  });
  return started;
}

/** A notification for each person, which nobody has read for an hour. */
async function notify(record: string, round: number): Promise<void> {
  await world.database.rows(
    `insert into ws_acme._notifications (id, kind, user_id, object_type, record_id, author_user_id, created_at)
      select gen_random_uuid(), 'assignment', u.id, 'deals', $1, $2, now() - interval '1 hour'
      from ws_acme._users u where u.email like 'p%' and u.id % $3::integer = $4::integer`,
    [record, world.users.ada, KILLS, round],
  );
}

test(`${KILLS} kills lose no mail and repeat at most those in flight`, {
  timeout: 2 * PATIENCE,
}, async () => {
  const ada = await world.as('ada');
  const made = await ada.post('/objects/deals/records', { fields: { name: 'Deal' } });
  child = await start();
  await until(async () => (await world.database.rows(STARTED)).length > 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  // As if it had begun to send mail long ago.
  await world.database.rows(
    `update workspace_records.jobs set progress = '{"since": 0}' where kind = 'mail'`,
  );
  await world.database.rows(
    `update workspace_records.workspaces set created_at = now() - interval '1 day'`,
  );
  for (let round = 0; round < KILLS; round += 1) {
    await notify(made.body.data.id, round);
    await world.database.rows(`update workspace_records.jobs set lease_until = now()`);
    await world.database.rows(`update workspace_records.mails set next_attempt_at = now()`);
    const before = server.mails.length;
    child = await start();
    const goal = before + 1 + (round % 3);
    await Promise.race([
      until(() => server.mails.length >= goal),
      new Promise((resolve) => setTimeout(resolve, 3000)),
    ]);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await world.database.rows(`update workspace_records.jobs set lease_until = now()`);
  await world.database.rows(`update workspace_records.mails set next_attempt_at = now()`);
  child = await start();
  const toAll = () => new Set(server.mails.flatMap(({ to }) => to)).size === PEOPLE;
  await until(toAll);
  await until(async () => (await world.database.rows(WAITING)).length === 0);
  const ids = server.mails.map(({ headers }) => headers.get('message-id'));
  const twice = ids.length - new Set(ids).size;
  expect(twice).toBeLessThanOrEqual(KILLS * IN_FLIGHT);
  // One notification for each person, so no person has two mails with different ids.
  expect(new Set(ids).size).toBe(PEOPLE);
});

const STARTED = `select 1 from workspace_records.jobs where kind = 'mail' and progress ? 'since'`;
const WAITING = `select 1 from workspace_records.mails where state = 'waiting'`;
