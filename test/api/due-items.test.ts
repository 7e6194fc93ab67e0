// Work items on the day when they are due: their owners are notified once, by their own time zones.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { notifyOfDue } from '../../src/flow/jobs/sweeper.ts';
import type { Client } from '../client.ts';
import { ACME, openWorldWith, type PersonName, type World } from '../world.ts';

const everything = {
  create: 'organisation',
  read: 'organisation',
  update: 'organisation',
} as const;
const WORK = {
  ...ACME,
  workflows: {
    ...ACME.workflows,
    work: {
      name: 'Work',
      initial: 'todo',
      statuses: { todo: { name: 'To do', transitions: ['done'] }, done: { name: 'Done' } },
    },
  },
  work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'work' } },
  roles: {
    ...ACME.roles,
    rep: { ...ACME.roles.rep, objects: { ...ACME.roles.rep.objects, work_items: everything } },
  },
};

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await openWorldWith(WORK);
  ada = await world.as('ada');
});
afterAll(() => world?.close());
beforeEach(async () => {
  for (const table of ['_notifications', '_notification_settings', 'work_items']) {
    await world.database.rows(`delete from ws_acme.${table}`);
  }
});

const at = (text: string) => () => Date.parse(text);
const sweep = (now: string) => notifyOfDue(world.database.db, undefined, at(now));

async function task(owner: PersonName, due_date: string | null): Promise<string> {
  const fields = { title: 'Task', work_item_type_id: 'task', due_date };
  const owned = { ...fields, owner_user_id: world.users[owner] };
  const { status, body } = await ada.post('/objects/work_items/records', { fields: owned });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

async function told(name: PersonName) {
  const { body } = await (await world.as(name)).get('/notifications');
  const due = body.data.filter(({ kind }: { readonly kind: string }) => kind === 'due');
  return due.map((one: { readonly record_id: string; readonly due_on: string }) => [
    one.record_id,
    one.due_on,
  ]);
}

test('the owner is notified once, on the day', async () => {
  const id = await task('rob', '2026-11-26');
  await task('rob', '2026-11-27');
  await task('rob', null);
  expect(await sweep('2026-11-25T23:59:59Z')).toBe(0);
  expect(await sweep('2026-11-26T00:00:00Z')).toBe(1);
  expect(await sweep('2026-11-26T12:00:00Z')).toBe(0);
  expect(await told('rob')).toEqual([[id, '2026-11-26']]);
  const [{ author }] = (await (await world.as('rob')).get('/notifications')).body.data.filter(
    ({ kind }: { readonly kind: string }) => kind === 'due',
  );
  expect(author).toEqual({ kind: 'user', id: null, name: null });
});

test('another date notifies again, and so does another owner', async () => {
  const id = await task('rob', '2026-11-26');
  await sweep('2026-11-26T01:00:00Z');
  const change = (fields: object) => ada.patch(`/objects/work_items/records/${id}`, { fields });
  await change({ due_date: '2026-11-28' });
  expect(await sweep('2026-11-28T01:00:00Z')).toBe(1);
  await change({ owner_user_id: world.users.rae });
  expect(await sweep('2026-11-28T02:00:00Z')).toBe(1);
  expect(await told('rae')).toEqual([[id, '2026-11-28']]);
});

test('the day is that of the time zone of the owner', async () => {
  const zone = (name: PersonName, time_zone: string) =>
    world.as(name).then((client) => client.patch('/me/notification_settings', { time_zone }));
  await zone('rob', 'Pacific/Auckland');
  await zone('rae', 'America/Los_Angeles');
  const [early, late] = [await task('rob', '2026-11-26'), await task('rae', '2026-11-26')];
  expect(await sweep('2026-11-25T12:00:00Z')).toBe(1);
  expect([await told('rob'), await told('rae')]).toEqual([[[early, '2026-11-26']], []]);
  expect(await sweep('2026-11-26T07:59:59Z')).toBe(0);
  expect(await sweep('2026-11-26T08:00:00Z')).toBe(1);
  expect(await told('rae')).toEqual([[late, '2026-11-26']]);
});

test('an item that is done, and a person who is not active, are left out', async () => {
  const id = await task('rob', '2026-11-26');
  const moved = await ada.post(`/objects/work_items/records/${id}/status`, { status_id: 'done' });
  expect(moved.status).toBe(200);
  await task('sam', '2026-11-26');
  const active = (to: boolean) =>
    world.database.rows('update ws_acme._users set active = $2 where id = $1', [
      world.users.sam,
      to,
    ]);
  await active(false);
  expect(await sweep('2026-11-26T12:00:00Z')).toBe(0);
  await active(true);
  expect(await sweep('2026-11-26T12:00:00Z')).toBe(1);
});
