// Everything that leaves the process is judged by rights that are not older than the last administrative change that
// this process has answered: webhooks, streams, waits for changes, mails, tools of MCP and exports.

import { beforeAll, describe, expect, test } from 'vitest';
import { openModels } from '../../src/cli/service/sending-mail.ts';
import { exporting } from '../../src/export/export-job.ts';
import { openJobs } from '../api/job-world.ts';
import type { Client } from '../client.ts';
import { openEvents } from '../event-client.ts';
import { call } from '../http-client.ts';
import { openMailServer } from '../mail/mail-server.ts';
import { openMailer } from '../mail/mailer.ts';
import { useTool } from '../mcp/agents.ts';
import { until } from '../until.ts';
import { makeWebhook } from '../webhook-world.ts';
import { ACME } from '../world.ts';
import { ada, create, receiver, setUpWebhooks, update, world } from './webhook-set-up.ts';

setUpWebhooks();

/** Each change is tried so often: what was known before it is as old as chance has it. */
const ROUNDS = 3;
const HIDDEN = 'canary-after-hiding';

let rob: Client;
beforeAll(async () => {
  rob = await world.as('rob');
});

/** Answered when this resolves; nothing waits for anything else. */
async function giveRoles(...roles: readonly string[]): Promise<void> {
  const { status, body } = await ada.patch(`/users/${world.users.rob}`, { roles });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Changes a role in the definition, whose rights mails remember; answered when this resolves. */
async function grantDeals(grant: object | null): Promise<void> {
  const { status, body } = await ada.patch('/roles/rep', { objects: { deals: grant } });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** One of the roles of Rob hides the field `secret`, the other one shows it. */
const show = () => giveRoles('rep', 'contractor');
const hide = () => giveRoles('rep');

/** A field is shown, used, hidden, and used again at once, several times. */
async function hideOften(id: string, { isShown, isHidden = isShown }: Watch): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    await show();
    expect((await update('deals', id, { secret: `shown ${round} ${id}` })).status).toBe(200);
    await isShown(round);
    await hide();
    const fields = { secret: `${HIDDEN} ${round} ${id}`, amount: round };
    expect((await update('deals', id, fields)).status).toBe(200);
    await isHidden(round);
  }
}

/** Resolve when the change of a round has left the process, with the field and without it. */
interface Watch {
  isShown(round: number): Promise<void>;
  isHidden?(round: number): Promise<void>;
}

interface EventData {
  readonly changed_fields?: readonly string[];
}

/** Events of exactly these fields. */
function eventsOf(events: readonly EventData[], fields: string): number {
  return events.filter(({ changed_fields = [] }) => [...changed_fields].sort().join() === fields)
    .length;
}

const ofRob = (name = 'Own') => create('deals', { name, owner_user_id: world.users.rob });

describe('a field that a person loses, and that is changed at once', () => {
  test('is in no body of a webhook', async () => {
    await makeWebhook(rob, receiver, { payload: 'record' });
    const sent = () => receiver.events().map(({ body }) => body.data);
    await hideOften(await ofRob(), {
      isShown: (round) => until(() => eventsOf(sent(), 'secret') === round),
      isHidden: (round) => until(() => sent().length === 2 * round + 1),
    });
    expect(eventsOf(sent(), 'amount')).toBe(ROUNDS);
    expect(JSON.stringify(receiver.all)).not.toContain(HIDDEN);
  });

  test('is in no event of a stream', async () => {
    const id = await ofRob();
    const stream = await openEvents({ port: world.port, secret: rob.secret });
    const sent = () =>
      stream.events.filter(({ name }) => name === 'record.updated').map(({ data }) => data);
    await hideOften(id, {
      isShown: (round) => until(() => eventsOf(sent(), 'secret') === round),
      isHidden: (round) => until(() => sent().length === 2 * round),
    });
    stream.close();
    expect(eventsOf(sent(), 'amount')).toBe(ROUNDS);
  });

  test('is in no answer to a wait for changes', async () => {
    const id = await ofRob();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await show();
      const { pagination } = (await rob.get('/changes?limit=1')).body;
      const waiting = rob.get(`/changes?cursor=${pagination.next_cursor}&wait=20`);
      await until(async () => (await world.waiting()) > 0);
      await hide();
      await update('deals', id, { secret: `${HIDDEN} ${round} ${id}`, amount: round });
      expect(eventsOf((await waiting).body.data, 'amount,secret')).toBe(0);
    }
  });

  test('is in no answer of a tool', async () => {
    const id = await ofRob();
    const place = { port: world.port, secret: rob.secret };
    const read = async () => (await useTool(place, 'get', { object_type: 'deals', id })).text;
    await hideOften(id, {
      isShown: async (round) => expect(await read()).toContain(`shown ${round}`),
      isHidden: async () => expect(await read()).not.toContain(HIDDEN),
    });
  });

  test('is in no export, and a file that has it is no longer sent', async () => {
    const jobs = openJobs(() => world);
    const id = await ofRob();
    await show();
    await update('deals', id, { secret: `${HIDDEN} of ${id}` });
    const made = async () => {
      const { body } = await rob.post('/exports', { object_type: 'deals' });
      await jobs.work(exporting(world.database.db));
      return (await jobs.ended(rob, body.data.id)).id;
    };
    const file = async (job: string) =>
      (await call(world.port, `/v1/exports/${job}/file`, { key: rob.secret })).text;
    const before = await made();
    expect(await file(before)).toContain(HIDDEN);
    await hide();
    expect(await file(before)).not.toContain(HIDDEN);
    expect(await file(await made())).not.toContain(HIDDEN);
    await jobs.stop();
  });
});

test('a record that a person loses is in no mail that is made at once', async () => {
  const server = await openMailServer();
  let later = 0;
  const mailer = await openMailer(world, server, {
    modelOf: openModels(world.database.db, world.events.changes),
    now: () => Date.now() + later,
  });
  const mention = async (name: string) => {
    const id = await ofRob(name);
    const body = { body: 'Please read.', mention_user_ids: [world.users.rob] };
    expect((await ada.post(`/objects/deals/records/${id}/comments`, body)).status).toBe(201);
  };
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await hide();
      await mention(`Shown ${round}`);
      later += 6 * 60_000;
      await until(() => server.mails.some(({ text }) => text.includes(`Shown ${round}`)));
      later -= 6 * 60_000;
      await mention(`${HIDDEN} ${round}`);
      await grantDeals(null);
      later += 6 * 60_000;
      await until(async () => {
        const [row] = await world.database.rows(
          "select count(*)::integer as count from workspace_records.mails where state = 'skipped'",
        );
        return Number(row?.count) >= round;
      });
      await world.database.rows('delete from ws_acme._notifications');
      later -= 6 * 60_000;
      await grantDeals(ACME.roles.rep.objects.deals);
    }
    expect(server.mails.map(({ text }) => text).join()).not.toContain(HIDDEN);
  } finally {
    await mailer.stop();
    await server.close();
    await grantDeals(ACME.roles.rep.objects.deals);
  }
});
