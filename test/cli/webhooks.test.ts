// `webhooks`: what each command does and prints, sent by the process that a service has for it, and refused calls.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/verify-webhook.ts';
import {
  type NotingReceiver,
  openReceiver,
  openWebhookWorld,
  type Sending,
  type WebhookWorld,
} from '../webhook-world.ts';
import { runCommandHere } from './command-here.ts';

let world: WebhookWorld;
let sending: Sending;
let receiver: NotingReceiver;

beforeAll(async () => {
  world = await openWebhookWorld();
  sending = await world.startSending();
  receiver = await openReceiver();
});
afterAll(async () => {
  await sending?.stop();
  await receiver?.close();
  await world?.close();
});

const run = (command: string, ...args: readonly string[]) =>
  runCommandHere(
    {
      ...world.database.environment,
      SECRETS_KEY: world.config.secretsKeys.join(','),
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    },
    ...['webhooks', command, '-w', 'acme', ...args],
  );

async function linesOf(...args: Parameters<typeof run>) {
  const { code, out, err } = await run(...args);
  expect([code, err]).toEqual([0, '']);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('a webhook from its creation to its end', async () => {
  const made = await run(
    'create',
    receiver.url,
    '--events',
    'record.created',
    '--object-types',
    'deals',
  );
  expect(made.err).toMatch(/^The secret of \S+\. It is not shown again\.\n$/);
  const [, id = ''] = /of (\S+)\./.exec(made.err) ?? [];
  const [tested] = await linesOf('test', id);
  expect(tested).toMatchObject({ type: 'ping', state: 'delivered', status: 204 });
  const ada = await world.as('ada');
  const { body } = await ada.post('/objects/deals/records', { fields: { name: 'Sent' } });
  await expect.poll(() => receiver.events().length).toBe(1);
  const [received] = receiver.events();
  const message = await verifyWebhook(
    received?.headers ?? {},
    received?.text ?? '',
    made.out.trim(),
  );
  expect(message).toMatchObject({ type: 'record.created', data: { record_id: body.data.id } });
  const deliveries = await linesOf('deliveries', id, '--json');
  const sent = deliveries.find(({ type }) => type === 'record.created');
  await linesOf('replay', id, '--delivery', sent.id);
  await expect.poll(() => receiver.events().map((one) => one.id)).toEqual([message.id, message.id]);
  const [job] = await linesOf('replay', id, '--since', '1h');
  expect(job).toMatchObject({ kind: 'webhook_replay', state: 'queued' });
  expect((await run('pause', id)).out).toBe(`${id} is paused.\n`);
  expect((await run('list')).out).toContain(`${id}  paused`);
  expect((await run('resume', id)).out).toBe(`${id} is active.\n`);
  const rotated = await run('rotate', id, '--overlap-hours', '1');
  expect(rotated.out).toMatch(/^whsec_/);
  expect((await linesOf('list', '--json'))[0]).toMatchObject({ id, secret_state: 'overlapping' });
  expect((await run('delete', id)).out).toBe(`Deleted ${id}.\n`);
  expect((await run('list')).out).not.toContain(id);
});

test.each<[readonly string[], number, RegExp]>([
  [['create', 'https://example.com/', '--events', 'record.all'], 2, /no event "record\.all"/],
  [['create', 'https://example.com/', '--events', 'record.*', '--payload', 'x'], 2, /--payload is/],
  [['create', 'http://10.0.0.1/', '--events', 'record.*'], 1, /^url: /],
  [
    ['create', 'https://example.com/', '--events', 'record.*', '--object-types', 'x'],
    1,
    /^object_types/,
  ],
  [['rotate', 'x', '--overlap-hours', '999'], 2, /--overlap-hours takes 0 to/],
  [['replay', 'x'], 2, /give one of --delivery and --since/],
  [['test', 'x'], 1, /There is no such webhook/],
  [['list', '--user', 'nobody@acme.example'], 1, /nobody@acme\.example/],
])('%j is refused', async ([command = '', ...args], code, told) => {
  const said = await run(command, ...args);
  expect([said.code, said.out]).toEqual([code, '']);
  expect(said.err).toMatch(told);
});
