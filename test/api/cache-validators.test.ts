// The caching of answers by clients: a tag covers all that the answer depends on, and names the version of the record
// for `If-Match` (D160).

import { expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { ACME } from '../world.ts';
import { useCast } from './cast.ts';

const cast = useCast();

const tagOf = async (client: Client, path: string) =>
  (await client.get(path)).headers.get('etag') ?? '';

const withReps = (fields: object) => ({
  ...ACME,
  roles: {
    ...ACME.roles,
    rep: {
      ...ACME.roles.rep,
      objects: {
        ...ACME.roles.rep.objects,
        deals: { ...ACME.roles.rep.objects.deals, fields },
      },
    },
  },
});

test('a change of rights or definition makes a new tag; If-Match is met by the old one', async () => {
  const { id } = await cast.deal(cast.rob);
  const path = `/objects/deals/records/${id}`;
  const first = await tagOf(cast.rob, path);
  const again = () => cast.rob.get(path, { 'if-none-match': first });
  expect((await again()).status).toBe(304);

  await cast.world.apply(withReps({ code: 'read' }));
  const wider = await again();
  expect([wider.status, Object.keys(wider.body.data.fields).includes('secret')]).toEqual([
    200,
    true,
  ]);
  expect(wider.headers.get('etag')).not.toBe(first);

  const deals = {
    ...ACME.objects.deals,
    fields: { ...ACME.objects.deals.fields, shade: { type: 'text' } },
  };
  const document = { ...withReps({ code: 'read' }), objects: { ...ACME.objects, deals } };
  const second = wider.headers.get('etag') ?? '';
  await cast.world.apply(document);
  const changed = await cast.rob.get(path, { 'if-none-match': second });
  expect([changed.status, 'shade' in changed.body.data.fields]).toEqual([200, true]);

  await cast.world.apply(ACME, ['deals.shade']);
  expect((await again()).status).toBe(304);
  for (const tag of [first, second, changed.headers.get('etag') ?? '']) {
    const { status } = await cast.rob.patch(path, { fields: {} }, { 'if-match': tag });
    expect(status, tag).toBe(200);
  }
  const weak = await cast.rob.patch(path, { fields: {} }, { 'if-match': `W/${first}` });
  expect(weak.status).toBe(200);
});

test('two people who read other fields have other tags, and so has each list of fields', async () => {
  const { id } = await cast.deal(cast.rob, { amount: 5 });
  const path = `/objects/deals/records/${id}`;
  const tags = [
    await tagOf(cast.rob, path),
    await tagOf(cast.ada, path),
    await tagOf(cast.rob, `${path}?fields=name`),
    await tagOf(cast.rob, `${path}?fields=amount`),
  ];
  expect(new Set(tags).size).toBe(4);
  const versions = new Set(tags.map((tag) => tag.slice(1, -1).split('.')[0]));
  expect([...versions]).toEqual([(await cast.rob.get(path)).body.data.version]);
  const narrow = await cast.rob.get(path, { 'if-none-match': tags[2] as string });
  expect(narrow.status).toBe(200);
  const same = await cast.rob.get(path, { 'if-none-match': tags.join(', ') });
  expect([same.status, same.headers.get('etag')]).toEqual([304, tags[0]]);
});

test('the tag of a write is that of the record, and a replay repeats it', async () => {
  const key = { 'idempotency-key': 'tags-1' };
  const body = { fields: { name: 'Tagged' } };
  const first = await cast.rob.post('/objects/deals/records', body, key);
  const path = `/objects/deals/records/${first.body.data.id}`;
  const tag = first.headers.get('etag') ?? '';
  expect((await cast.rob.get(path, { 'if-none-match': tag })).status).toBe(304);

  // The names of fields that are read now do not change what was answered then.
  await cast.world.apply(withReps({ code: 'read' }));
  const replayed = await cast.rob.post('/objects/deals/records', body, key);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(replayed.headers.get('etag')).toBe(tag);
  await cast.world.apply(ACME);

  const patched = await cast.rob.patch(path, { fields: { name: 'Again' } }, { 'if-match': tag });
  expect(patched.status).toBe(200);
  expect(await tagOf(cast.rob, path)).toBe(patched.headers.get('etag'));
  const stale = await cast.rob.patch(path, { fields: { name: 'Late' } }, { 'if-match': tag });
  expect(stale.status).toBe(412);
});

test('a tag without its quotation marks is an expected version, and agrees with If-Match', async () => {
  const { id, version } = await cast.deal(cast.rob);
  const path = `/objects/deals/records/${id}`;
  const tag = await tagOf(cast.rob, path);
  const body = { fields: {}, expected_version: tag.slice(1, -1) };
  expect((await cast.rob.patch(path, body)).status).toBe(200);
  expect((await cast.rob.patch(path, body, { 'if-match': `"${version}"` })).status).toBe(200);
  const unchanged = { 'if-none-match': tag };
  expect((await cast.rob.patch(path, { fields: {} }, unchanged)).status).toBe(412);
});
