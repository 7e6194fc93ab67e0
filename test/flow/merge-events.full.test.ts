// The events of a merge, for readers of the feed and for receivers of webhooks (docs/design/merge.md).

import { expect, test } from 'vitest';
import { merge } from '../api/merged.ts';
import { makeWebhook } from '../webhook-world.ts';
import { ada, create, receiver, setUpWebhooks, world } from './webhook-set-up.ts';

setUpWebhooks();

test('`record.merged` names the record that a merged one has become, to those who may read it', async () => {
  const rob = await world.as('rob');
  const [one, two] = [
    await create('deals', { name: 'One' }),
    await create('deals', { name: 'Two' }, rob),
  ];
  await makeWebhook(ada, receiver, { events: ['record.merged'] });
  const cursors = [ada, rob].map(
    async (reader) => (await reader.get('/changes')).body.pagination.next_cursor,
  );
  const [fromAda, fromRob] = await Promise.all(cursors);
  const done = await merge(ada, 'deals', [one, two], { take: { name: two } });
  const { merge: batch_id } = done.body.data;
  const of = { object_type: 'deals', batch_id };
  const merged = { ...of, type: 'record.merged', record_id: two, into: one };
  const updated = { ...of, type: 'record.updated', record_id: one, changed_fields: ['name'] };
  const feed = await ada.get(`/changes?cursor=${fromAda}`);
  expect(feed.body.data).toMatchObject([merged, updated]);
  await expect.poll(() => receiver.events().length).toBe(1);
  expect(receiver.events()[0]?.body.data).toEqual(feed.body.data[0]);
  const three = await create('deals', { name: 'Three' });
  await merge(ada, 'deals', [one, three]);
  const { pagination } = feed.body;
  const more = await ada.get(`/changes?cursor=${pagination.next_cursor}&type=record.updated`);
  const { version } = (await ada.get(`/objects/deals/records/${one}`)).body.data;
  expect(more.body.data).toMatchObject([{ record_id: one, version, changed_fields: [] }]);
  const own = await rob.get(`/changes?cursor=${fromRob}`);
  const { into: _, ...hidden } = feed.body.data[0];
  expect(own.body.data).toEqual([hidden]);
});
