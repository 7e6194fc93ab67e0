// Digests: which notifications become one mail, when, and with what rights. The mail server is real, the clock is not.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { hold, until } from '../until.ts';
import { openWorld, type PersonName, type World } from '../world.ts';
import { type MailServer, openMailServer, type ReceivedMail, refusal } from './mail-server.ts';
import { forgetMails, MAIL_SETTINGS, type Mailer, openMailer, someLooks } from './mailer.ts';

let world: World;
let server: MailServer;
let mailer: Mailer | undefined;
let ada: Client;
let onMail: (mail: ReceivedMail) => void = () => undefined;

beforeAll(async () => {
  world = await openWorld(MAIL_SETTINGS);
  server = await openMailServer({ onMail: (mail) => onMail(mail) });
  ada = await world.as('ada');
});
afterAll(async () => {
  await server?.close();
  await world?.close();
});
beforeEach(async () => {
  await forgetMails(world);
  server.mails.length = 0;
  onMail = () => undefined;
  mailer = undefined;
});
afterEach(async () => {
  await mailer?.stop();
  expect(mailer?.errors ?? []).toEqual([]);
});

const idOf = (name: PersonName) => world.users[name];

async function start(options: Parameters<typeof openMailer>[2] = {}): Promise<Mailer> {
  mailer = await openMailer(world, server, options);
  return mailer;
}

async function deal(owner: PersonName, name = 'Canary deal'): Promise<string> {
  const fields = { name, owner_user_id: idOf(owner), secret: 'canary secret', amount: 4711 };
  const { status, body } = await ada.post('/objects/deals/records', { fields });
  expect(status).toBe(201);
  return body.data.id;
}

/** Of Ada; everybody can read it. */
async function company(name = 'Canary deal'): Promise<Commented> {
  const { body } = await ada.post('/objects/companies/records', { fields: { name } });
  return { type: 'companies', id: body.data.id };
}

interface Commented {
  readonly type: string;
  readonly id: string;
}

async function say(on: string | Commented, mentions: readonly PersonName[]) {
  const { type, id } = typeof on === 'string' ? { type: 'deals', id: on } : on;
  const body = { body: 'canary words', mention_user_ids: mentions.map(idOf) };
  const { status } = await ada.post(`/objects/${type}/records/${id}/comments`, body);
  expect(status).toBe(201);
}

const mailsTo = (name: PersonName) =>
  server.mails.filter(({ to }) => to.includes(`${name}@acme.example`));
const arrived = (count: number) => until(() => server.mails.length >= count);
const states = async () =>
  (await world.database.rows('select state from workspace_records.mails order by id')).map(
    ({ state }) => state,
  );

describe('a digest', () => {
  test('has what is unread, with names and addresses and no other values', async () => {
    const id = await deal('mia');
    await say(id, ['mia']);
    await start();
    await arrived(1);
    const [mail] = mailsTo('mia');
    expect(mail?.headers.get('subject')).toBe('2 notifications in Acme');
    expect(mail?.text).toContain('Ada assigned to you: Canary deal');
    expect(mail?.text).toContain('Ada mentioned you: Canary deal');
    expect(mail?.text).toContain(`https://acme.example.com/app/acme/o/deals/${id}`);
    expect(`${mail?.raw}${mail?.text}${mail?.html}`).not.toMatch(/canary (?:words|secret)|4711/);
    await someLooks();
    expect(server.mails).toHaveLength(1);
    await expect.poll(states).toEqual(['sent']);
  });

  test('is of what is left after five minutes', async () => {
    const first = await deal('mia');
    await say(first, ['mia']);
    await start({ now: () => Date.now() + 4 * 60_000 });
    await someLooks();
    expect(server.mails).toEqual([]);
    const mia = await world.as('mia');
    const { body } = await mia.get('/notifications');
    for (const { id } of body.data.slice(1)) await mia.request('POST', `/notifications/${id}/read`);
    await mailer?.stop();
    await start();
    await arrived(1);
    expect(mailsTo('mia')[0]?.headers.get('subject')).toBe('Ada mentioned you: Canary deal');
  });

  test('is not sent when all of it was read, or by a person who wants none', async () => {
    const id = await deal('mia');
    await say(id, ['rob']);
    await world.database.rows(
      'update ws_acme._notifications set read_at = now() where user_id = $1',
      [idOf('mia')],
    );
    await (await world.as('rob')).patch('/me/notification_settings', { mail: 'off' });
    await start();
    await someLooks();
    expect(server.mails).toEqual([]);
  });

  test('leaves out the kinds that a person has switched off', async () => {
    const id = await deal('mia');
    await say(id, ['mia']);
    const mia = await world.as('mia');
    await mia.patch('/me/notification_settings', { kinds: { assignment: { mail: false } } });
    await start();
    await arrived(1);
    expect(mailsTo('mia')[0]?.headers.get('subject')).toBe('Ada mentioned you: Canary deal');
  });

  test('says nothing of a record that the person has lost', async () => {
    const [lost, kept] = [await deal('rob', 'Lost canary'), await deal('rob', 'Kept one')];
    await say(lost, ['rob']);
    await ada.patch(`/objects/deals/records/${lost}`, { fields: { owner_user_id: idOf('sam') } });
    await start();
    await until(() => mailsTo('rob').length > 0 && mailsTo('sam').length > 0);
    const [mail] = mailsTo('rob');
    expect(mail?.headers.get('subject')).toBe('Ada assigned to you: Kept one');
    expect(mail?.raw).toContain(kept);
    expect(`${mail?.raw}${mail?.text}`).not.toMatch(new RegExp(`Lost|${lost}`));
  });

  test('of nothing but lost records is not sent', async () => {
    const lost = await deal('rob', 'Lost canary');
    await ada.patch(`/objects/deals/records/${lost}`, { fields: { owner_user_id: idOf('ada') } });
    await start();
    await until(async () => (await states()).includes('skipped'));
    expect(mailsTo('rob')).toEqual([]);
  });

  test('has no display name that the person may not read', async () => {
    const made = await ada.post('/objects/companies/records', {
      fields: { name: 'Hidden canary' },
    });
    const path = `/objects/companies/records/${made.body.data.id}/comments`;
    await ada.post(path, { body: 'x', mention_user_ids: [idOf('bea')] });
    await start();
    await arrived(1);
    const [mail] = mailsTo('bea');
    expect(mail?.headers.get('subject')).toBe('Ada mentioned you: a record without a name');
    expect(mail?.raw).not.toContain('canary');
  });

  test('goes to nobody who is no longer active', async () => {
    await say(await company(), ['rob']);
    await world.database.rows('update ws_acme._users set active = false where id = $1', [
      idOf('rob'),
    ]);
    try {
      await start();
      await new Promise((done) => setTimeout(done, 1000));
      expect([server.mails, await states()]).toEqual([[], []]);
    } finally {
      await world.database.rows('update ws_acme._users set active = true where id = $1', [
        idOf('rob'),
      ]);
    }
  });

  test('of a thousand notifications lists fifty, and a second one has only what is new', async () => {
    const id = await deal('mia');
    await world.database.rows(
      `insert into ws_acme._notifications (id, kind, user_id, object_type, record_id, author_user_id)
        select gen_random_uuid(), 'assignment', $1, 'deals', $2, $3 from generate_series(1, 999)`,
      [idOf('mia'), id, idOf('ada')],
    );
    await start();
    await arrived(1);
    const [mail] = mailsTo('mia');
    expect(mail?.headers.get('subject')).toBe('1000 notifications in Acme');
    expect(mail?.text).toContain('(50×)');
    expect(mail?.text).toContain('950 more notifications');
    expect(mail?.raw.length).toBeLessThan(100_000);
    await say(id, ['mia']);
    await arrived(2);
    expect(mailsTo('mia')[1]?.headers.get('subject')).toBe('Ada mentioned you: Canary deal');
  });

  test('has the language of the person', async () => {
    await (await world.as('mia')).patch('/me/notification_settings', { language: 'de' });
    await say(await company('Straße 😀'), ['mia']);
    await start();
    await arrived(1);
    expect(mailsTo('mia')[0]?.headers.get('subject')).toBe('Ada hat Sie erwähnt: Straße 😀');
  });

  test('of names with line breaks has no further header', async () => {
    await say(await company('x\r\nBcc: all@example.com\r\n\r\ny'), ['mia']);
    await start();
    await arrived(1);
    const [mail] = server.mails;
    expect(mail?.to).toEqual(['mia@acme.example']);
    expect(mail?.headers.has('bcc')).toBe(false);
  });

  test('by the hour and by the day waits for its time', async () => {
    await say(await company(), ['mia', 'rob']);
    const mia = await world.as('mia');
    await mia.patch('/me/notification_settings', { mail: 'daily', time_zone: 'Europe/Berlin' });
    await (await world.as('rob')).patch('/me/notification_settings', { mail: 'hourly' });
    const day = new Date().toISOString().slice(0, 10);
    await world.database.rows('update ws_acme._notifications set created_at = $1', [
      `${day}T10:30:00Z`,
    ]);
    await world.database.rows(
      `update workspace_records.workspaces set created_at = created_at - interval '2 days'`,
    );
    let now = Date.parse(`${day}T10:59:59Z`);
    await start({ now: () => now });
    await someLooks();
    expect(server.mails).toEqual([]);
    now = Date.parse(`${day}T11:00:00Z`);
    await arrived(1);
    expect(mailsTo('rob')).toHaveLength(1);
    // 8 in Berlin on the next day.
    now += 19 * 3_600_000;
    await someLooks();
    expect(server.mails).toHaveLength(1);
    now += 3_600_000 * 2;
    await arrived(2);
    expect(mailsTo('mia')).toHaveLength(1);
  });
});

describe('attempts', () => {
  /** Failed mails are due again at once. */
  const hurry = () =>
    world.database.rows(`update workspace_records.mails set next_attempt_at = now()`);

  test('a mail that the server does not take now is sent later, under the same Message-ID', async () => {
    const ids: (string | undefined)[] = [];
    onMail = (mail) => {
      ids.push(mail.headers.get('message-id'));
      if (ids.length < 3) throw refusal(451);
    };
    await say(await company(), ['mia']);
    const { outcomes } = await start();
    await until(async () => {
      await hurry();
      return server.mails.length > 0;
    });
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(3);
    await until(() => outcomes.includes('sent'));
    expect(outcomes).toEqual(['retried', 'retried', 'sent']);
  });

  test('a notification that comes between two attempts is in a mail of its own', async () => {
    let isDown = true;
    onMail = () => {
      if (isDown) throw refusal(451);
    };
    const id = await company('First');
    await say(id, ['mia']);
    const { outcomes } = await start();
    await until(() => outcomes.includes('retried'));
    await say(await company('Second'), ['mia']);
    isDown = false;
    await hurry();
    await arrived(2);
    const subjects = mailsTo('mia').map(({ headers }) => headers.get('subject'));
    expect(subjects.sort()).toEqual(['Ada mentioned you: First', 'Ada mentioned you: Second']);
  });

  test('a recipient that is refused for good fails alone', async () => {
    onMail = ({ to }) => {
      if (to.includes('rob@acme.example')) throw refusal(550);
    };
    await say(await company(), ['mia', 'rob']);
    const { outcomes } = await start();
    await until(() => outcomes.length === 2);
    expect([...outcomes].sort()).toEqual(['failed', 'sent']);
    await hurry();
    await someLooks();
    expect(outcomes).toHaveLength(2);
    const [row] = await world.database.rows(
      `select error from workspace_records.mails where state = 'failed'`,
    );
    expect(row?.error).toMatch(/550/);
    expect(row?.error).not.toMatch(/acme/);
  });

  test('a slow recipient does not delay the others', async () => {
    const { held, release } = hold();
    const slow = await openMailServer({
      async onMail({ to }) {
        if (to.includes('rob@acme.example')) await held;
      },
    });
    try {
      await say(await company(), ['mia', 'rob', 'ada']);
      mailer = await openMailer(world, slow);
      const others = () => slow.mails.filter(({ to }) => !to.includes('rob@acme.example'));
      await until(() => others().length === 2);
      expect(slow.mails).toHaveLength(2);
      release();
      await until(() => slow.mails.length === 3);
    } finally {
      release();
      await mailer?.stop();
      await slow.close();
    }
  });

  test('a process that is told to stop while it takes the lease stops', async () => {
    await start();
    await mailer?.stop();
  });

  test('two processes send each notification once', async () => {
    const other = await openMailer(world, server);
    await start();
    const names = ['One', 'Two', 'Three'];
    for (const name of names) await deal('mia', name);
    await say(await company(), ['rob']);
    // A look between two deals sends two mails.
    const told = () =>
      names.map((name) => {
        const text = `Ada assigned to you: ${name}`;
        return mailsTo('mia').filter((mail) => mail.text.includes(text)).length;
      });
    await until(() => !told().includes(0) && mailsTo('rob').length > 0);
    await someLooks();
    expect([told(), mailsTo('rob').length]).toEqual([[1, 1, 1], 1]);
    await other.stop();
  });
});
