// The order of fields and statuses, which a patch merged onto the definition changes, and the base of patches.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { ACME, openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let rob: Client;

beforeAll(async () => {
  world = await openWorld();
  [ada, rob] = [await world.as('ada'), await world.as('rob')];
});
afterAll(() => world?.close());

const ORDER = {
  objects: { deals: { field_order: ['amount', 'secret', 'gone', 'name'] } },
  workflows: { pipeline: { status_order: ['lost'] } },
};

async function plan(patch: unknown) {
  const { body } = await ada.post('/definition/plan', { merge: true, patch });
  return body.data;
}

async function apply(patch: unknown): Promise<void> {
  const { revision, plan_id } = await plan(patch);
  const tag = { 'if-match': `"${revision}"` };
  const { status } = await ada.post('/definition/apply', { merge: true, patch, plan_id }, tag);
  expect(status).toBe(200);
}

async function fieldsOf(client: Client) {
  const { body } = await client.get('/objects/deals');
  return body.data.fields.map(({ key }: { key: string }) => key);
}

test('a merged patch changes the order, and nothing stored', async () => {
  const { changes, problems } = await plan(ORDER);
  expect(problems).toEqual([]);
  const told = changes.map(({ summary, effect, rows }: Record<string, unknown>) => [
    summary,
    effect,
    rows,
  ]);
  expect(told).toEqual([
    ['~ workflow pipeline (status_order)', 'none', 0],
    ['~ object deals (field_order)', 'none', 0],
  ]);
  await apply(ORDER);
  const fields = await fieldsOf(ada);
  const own = fields.slice(fields.indexOf('amount'));
  expect(own).toEqual([
    ...['amount', 'secret', 'name', 'company_id', 'code', 'closes_on', 'tags', 'origin'],
  ]);
  const { body } = await ada.get('/workflows/pipeline');
  expect(body.data.statuses.map(({ id }: { id: string }) => id)).toEqual(['lost', 'open', 'won']);
});

test('the order names no field that a person may not read', async () => {
  expect(await fieldsOf(rob)).not.toContain('secret');
  const { body } = await rob.get('/definition');
  expect(body.data.document.objects.deals.field_order).toEqual(['amount', 'name']);
});

test('it follows a rename', async () => {
  const { fields } = ACME.objects.deals;
  await apply({
    objects: {
      deals: {
        field_order: ['value', 'secret', 'gone', 'name'],
        fields: { amount: null, value: { ...fields.amount, renamed_from: 'amount' } },
      },
    },
    workflows: {
      pipeline: {
        status_order: ['given_up'],
        statuses: {
          open: { transitions: ['won', 'given_up'] },
          lost: null,
          given_up: { name: 'Lost', renamed_from: 'lost', category: 'cancelled' },
        },
      },
    },
  });
  const { body } = await ada.get('/definition/revisions?limit=1');
  const summaries = body.data[0].changes.map(({ summary }: { summary: string }) => summary);
  expect(summaries.join()).not.toContain('_order');
  await apply({ objects: { deals: { fields: { value: { name: 'Value' } } } } });
  expect((await fieldsOf(ada)).indexOf('value')).toBeLessThan(
    (await fieldsOf(ada)).indexOf('name'),
  );
});

test('the base is what a patch is over', async () => {
  const [base, patch, whole] = await Promise.all(
    ['base', 'patch', 'document'].map(async (form) => {
      const { status, headers, body } = await ada.get(`/definition?form=${form}`);
      expect([status, headers.has('etag')]).toEqual([200, true]);
      return body.data;
    }),
  );
  const merged = mergePatch(base.document, patch.patch) as Record<string, unknown>;
  const { users: _, teams: __, ...document } = whole.document;
  expect(merged).toMatchObject(document);
});
