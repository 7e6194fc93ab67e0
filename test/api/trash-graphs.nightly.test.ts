// Random graphs of records with references, links, comments, followers and trees: some are deleted, and restored in another order.
// When all are back, the graph is as it was before, whatever did not come back at once.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { IS_LONG } from '../until.ts';
import { useFleet } from './fleet.ts';
import { build, choice, GRAPH, type Made } from './graphs.ts';
import { contentOf, restore, TRASHED } from './trashed.ts';

const fleet = useFleet();

beforeAll(() => fleet.apply(TRASHED));

const graphs = fc.record({
  ...GRAPH,
  deleted: fc.array(choice, { minLength: 1, maxLength: 14 }),
  restored: fc.array(choice, { minLength: 14, maxLength: 14 }),
});

/** Delete some, alone or together; those that others need stay. The deleted ones. */
async function deleteSome(all: readonly Made[], choices: readonly number[]): Promise<Made[]> {
  const gone: Made[] = [];
  for (const number of choices) {
    const left = all.filter((one) => !gone.includes(one));
    const one = left[number % Math.max(1, left.length)];
    if (one === undefined) break;
    const others = left.filter(({ type, id }) => type === one.type && id !== one.id);
    const pair = number % 3 === 0 ? [one, ...others.slice(0, 1)] : [one];
    const operations = pair.map(({ id }) => ({ action: 'delete', id }));
    const path = `/objects/${one.type}/records/batch`;
    const { status } = await fleet.ada.post(path, { operations });
    if (status === 200) gone.push(...pair);
    else expect(status).toBe(409);
  }
  return gone;
}

/** In rounds, each in an order of its own: a record that waits for one it requires comes again in the next round. */
async function restoreAll(gone: readonly Made[], choices: readonly number[]): Promise<void> {
  let left = [...gone];
  for (let turn = 0; left.length > 0; ) {
    const round = [...left];
    const waiting: Made[] = [];
    for (; round.length > 0; turn += 1) {
      const number = choices[turn % choices.length] ?? 0;
      const [one] = round.splice(number % round.length, 1) as [Made];
      const { status, body } = await restore(fleet.ada, one.type, one.id);
      if (status === 200) continue;
      const told = [status, body.error?.param];
      expect(told, JSON.stringify(body)).toEqual([422, 'fields.company_id']);
      waiting.push(one);
    }
    expect(waiting.length, 'a round brings back at least one').toBeLessThan(left.length);
    left = waiting;
  }
}

test('restored records leave the graph as it was', { timeout: 300_000 }, async () => {
  let restored = 0;
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const all = await build(fleet, graph);
      const before = await contentOf(fleet.world);
      const gone = await deleteSome(all, graph.deleted);
      await restoreAll(gone, graph.restored);
      restored += gone.length;
      expect(await contentOf(fleet.world)).toEqual(before);
      expect(await fleet.world.rows('select from _trash')).toEqual([]);
    }),
    { numRuns: IS_LONG ? 400 : 60, endOnFailure: true },
  );
  expect(restored).toBeGreaterThan(25);
});
