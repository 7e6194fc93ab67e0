// A cursor over a long text looks the rest of it up (D82): only among the records its user may read, so that it
// reveals nothing about the records of others.

import { expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal } = cast;
const LONG = 'x'.repeat(200);
const PATH = '/objects/deals/records';

/** Three deals of rob's with long names; the second is renamed after the cursor behind it was made. */
async function cursorOverRenamed(read: (cursor?: string) => Promise<Answer>): Promise<string> {
  for (const end of ['a', 'b', 'c']) await deal(cast.rob, { name: LONG + end });
  const { body } = await read();
  const { data } = (await cast.rob.get(`${PATH}?filter[name]=${LONG}b`)).body;
  await cast.rob.patch(`${PATH}/${data[0].id}`, { fields: { name: 'moved' } });
  return body.pagination.next_cursor;
}

type Answer = Awaited<ReturnType<Client['get']>>;

async function removeAll(): Promise<void> {
  await cast.world.database.rows('delete from ws_acme.deals');
}

test('groups: a text that only others have is as good as gone', async () => {
  const body = { group_by: ['name'], metrics: [{ name: 'n', op: 'count' }], limit: 2 };
  const read = (cursor?: string) =>
    cast.rob.post(`${PATH}/aggregate`, cursor === undefined ? body : { ...body, cursor });
  const cursor = await cursorOverRenamed(read);
  const alone = (await read(cursor)).body;
  await deal(cast.sam, { name: `${LONG}b` });
  expect((await read(cursor)).body).toEqual(alone);
  await removeAll();
});

test('records: a record that was given away is as good as gone', async () => {
  for (const end of ['a', 'b', 'c']) await deal(cast.rob, { name: LONG + end });
  const path = `${PATH}?sort=name&limit=2`;
  const first = (await cast.rob.get(path)).body;
  const cursor = first.pagination.next_cursor;
  const { id } = first.data[1];
  const given = { fields: { owner_user_id: cast.world.users.sam } };
  expect((await cast.ada.patch(`${PATH}/${id}`, given)).status).toBe(200);
  const before = (await cast.rob.get(`${path}&cursor=${cursor}`)).body;
  const renamed = await cast.sam.patch(`${PATH}/${id}`, { fields: { name: 'changed' } });
  expect(renamed.status).toBe(200);
  expect((await cast.rob.get(`${path}&cursor=${cursor}`)).body).toEqual(before);
  await removeAll();
});
