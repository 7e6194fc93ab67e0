// Deals of the demo once more, this time as they came about: created, then moved from status to status
// through the interface. The audit explains how each got where it is.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoWorld, type Line, openDemoWorld, pipelineLines } from './demo-world.ts';

const BATCH = 100;
const lines = pipelineLines().slice(0, 4 * BATCH);
const PATHS: Readonly<Record<string, readonly string[]>> = {
  Prospecting: [],
  Engaging: ['engaging'],
  Won: ['engaging', 'won'],
  Lost: ['engaging', 'lost'],
};
const pathOf = ({ deal_stage = '' }: Line) => PATHS[deal_stage] as readonly string[];

let demo: DemoWorld;

beforeAll(async () => {
  demo = await openDemoWorld();
});
afterAll(() => demo?.close());

async function apply(operations: readonly object[]): Promise<readonly string[]> {
  const { status, body } = await demo.admin.post('/objects/deals/records/batch', { operations });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.results.map(({ id }: { id: string }) => id);
}

/** A batch of creates, then a batch for each step that any of them takes. */
async function replay(some: readonly Line[]): Promise<readonly string[]> {
  const ids = await apply(
    some.map(({ opportunity_id }) => ({
      action: 'create',
      fields: { name: `Again ${opportunity_id}`, opportunity_id: `AGAIN-${opportunity_id}` },
    })),
  );
  for (const step of [0, 1]) {
    const moves = some.flatMap((line, index) => {
      const status_id = pathOf(line)[step];
      return status_id === undefined ? [] : [{ action: 'status', id: ids[index], status_id }];
    });
    if (moves.length > 0) await apply(moves);
  }
  return ids;
}

test('every deal ends in its status, and its audit rows lead there', async () => {
  const ids: string[] = [];
  for (let from = 0; from < lines.length; from += BATCH) {
    ids.push(...(await replay(lines.slice(from, from + BATCH))));
  }
  const rows = await demo.own.rows(
    `select d.id, d.status, d.version,
        array_agg(a.action order by a.id) as actions,
        array_agg(array_to_string(a.changed_fields, ',') order by a.id) as fields,
        count(distinct a.batch_id) as batches, count(distinct a.api_key_prefix) as keys
      from ws_demo.deals d join ws_demo._audit a on a.record_id = d.id
      where d.id = any($1::uuid[]) group by d.id`,
    [ids],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  lines.forEach((line, index) => {
    const path = pathOf(line);
    const steps = path.length;
    expect(found.get(ids[index])).toMatchObject({
      status: path[steps - 1] ?? 'prospecting',
      version: 1 + steps,
      actions: ['create', ...path.map(() => 'status')],
      fields: ['name,opportunity_id,owner_user_id', ...path.map(() => 'status')].map((keys) =>
        expect.stringMatching(new RegExp(`^(?=.*${keys.split(',').join(')(?=.*')})`)),
      ),
      batches: 1 + steps,
      keys: 1,
    });
  });
});

test('no transition leads out of won: the batch is refused and changes no record', async () => {
  const { body } = await demo.admin.get('/objects/deals/records?filter[status]=won&limit=1');
  const fresh = await demo.admin.get('/objects/deals/records?filter[status]=prospecting&limit=1');
  const operations = [
    { action: 'status', id: fresh.body.data[0].id, status_id: 'engaging' },
    { action: 'status', id: body.data[0].id, status_id: 'prospecting' },
  ];
  const refused = await demo.admin.post('/objects/deals/records/batch', { operations });
  expect([refused.status, refused.body.error.code]).toEqual([422, 'invalid_write']);
  expect(refused.body.error).toMatchObject({
    param: 'operations[1].status_id',
    details: { errors: [{ operation_index: 1, action: 'status' }] },
  });
  const after = await demo.admin.get(`/objects/deals/records/${fresh.body.data[0].id}`);
  expect(after.body.data.status).toBe('prospecting');
});
