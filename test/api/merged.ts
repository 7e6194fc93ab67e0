// Merges of random records, and what is stored of all records before and after.

import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import type { Fleet } from './fleet.ts';
import { build, choice, GRAPH, type Made } from './graphs.ts';
import { contentOf } from './trashed.ts';

export const mergePath = (type: string, id: string) => `/objects/${type}/records/${id}/merge`;

/** Merge records by their present versions. */
export async function merge(
  client: Client,
  type: string,
  [id, ...others]: readonly string[],
  more: object = {},
): Promise<Answer> {
  const from = await Promise.all(
    others.map(async (other) => {
      const { body } = await client.get(`/objects/${type}/records/${other}`);
      return { id: other, expected_version: body.data?.version ?? '1-none' };
    }),
  );
  return client.post(mergePath(type, String(id)), { from, ...more });
}

/** `named`: the merge. */
export function unmerge(client: Client, type: string, id: string, named?: string): Promise<Answer> {
  const body = named === undefined ? {} : { body: { merge: named } };
  return client.request('POST', `/objects/${type}/records/${id}/unmerge`, body);
}

const merges = fc.record({
  ...GRAPH,
  merged: fc.array(choice, { minLength: 2, maxLength: 4 }),
  taken: fc.array(choice, { maxLength: 3 }),
});

/** Fields that a merge can take. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  companies: ['name'],
  deals: ['name', 'company_id', 'partner_id', 'related_id', 'owner_user_id'],
  contacts: ['name', 'company_id'],
  boats: ['name', 'company_id'],
  work_items: ['title', 'parent_work_item_id'],
};

/** Merges that are undone leave all records as they were; a merge that is refused changes nothing. */
export async function mergeGraphs(fleet: Fleet, numRuns: number): Promise<number> {
  let merged = 0;
  await fc.assert(
    fc.asyncProperty(merges, async (graph) => {
      const all = await build(fleet, graph);
      const before = await contentOf(fleet.world);
      const { type } = all[(graph.merged[0] as number) % all.length] as Made;
      const same = all.filter((one) => one.type === type).map(({ id }) => id);
      const ids = [...new Set(graph.merged.map((number) => same[number % same.length] as string))];
      if (ids.length < 2) return;
      const keys = TAKEN[type] ?? [];
      const take = Object.fromEntries(
        graph.taken.map((number) => [keys[number % keys.length], ids[number % ids.length]]),
      );
      const rehearsed = await merge(fleet.ada, type, ids, { take, dry_run: true });
      expect(await contentOf(fleet.world)).toEqual(before);
      const answer = await merge(fleet.ada, type, ids, { take });
      expect(outcomeOf(rehearsed)).toEqual(outcomeOf(answer));
      if (answer.status === 200) {
        merged += 1;
        await expectMerged(fleet, ids, before);
        const undone = await unmerge(fleet.ada, type, String(ids[0]));
        expect(
          [undone.status, undone.body.data?.not_restored],
          JSON.stringify(undone.body),
        ).toEqual([200, { links: 0, references: 0, fields: [] }]);
      } else expect([409, 422], JSON.stringify(answer.body)).toContain(answer.status);
      expect(await contentOf(fleet.world)).toEqual(before);
      expect(await traces(fleet, ids)).toEqual([]);
    }),
    { numRuns, endOnFailure: true },
  );
  return merged;
}

/** The status, and the place and the words of a refusal. */
function outcomeOf({ status, body: { error } }: Answer) {
  return [status, error?.code, error?.param, error?.message];
}

/** Rows of the trash and of the list of merged records about these. */
const traces = ({ world }: Fleet, ids: readonly string[]) =>
  world.rows(
    `select record_id from _trash where record_id = any($1)
      union all select record_id from _merged where record_id = any($1)`,
    [ids],
  );

type Content = Readonly<Record<string, unknown>>;

/** Expect that no row names the merged records, and that no comment, follower or link of theirs is lost. */
async function expectMerged(
  { world }: Fleet,
  [id, ...others]: readonly string[],
  before: Content,
): Promise<void> {
  const after = await contentOf(world);
  const text = JSON.stringify(after);
  for (const other of others) expect(text).not.toContain(other);
  const rowsOf = (content: Content, table: string) =>
    content[table] as readonly Readonly<Record<string, string>>[];
  expect(rowsOf(after, '_comments')).toHaveLength(rowsOf(before, '_comments').length);
  const into = (one: string) => (others.includes(one) ? String(id) : one);
  const peopleOf = (content: Content) =>
    new Set(
      rowsOf(content, '_follows').map((row) => `${row.user_id} ${into(row.record_id ?? '')}`),
    );
  expect(peopleOf(after)).toEqual(peopleOf(before));
  const pairsOf = (content: Content) =>
    rowsOf(content, '_links')
      .filter((row) => !row.from_one && !row.to_one)
      .map((row) => [row.relationship, into(row.from_id ?? ''), into(row.to_id ?? '')])
      .filter(([, from, to]) => from !== to)
      .map(String);
  expect(new Set(pairsOf(after))).toEqual(new Set(pairsOf(before)));
}
