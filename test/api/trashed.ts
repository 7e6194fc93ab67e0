// The fleet with a trash for most of its objects, and what is stored of its records: equal before a delete and after a
// restore.

import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import type { World } from '../world.ts';
import { FLEET } from './fleet.ts';

const trash = { keep: '30d' };

type Objects = Readonly<Record<string, object>>;

const KEPT = ['companies', 'deals', 'contacts', 'boats', 'gauges', 'events', 'work_items'];
const fleet: Objects = FLEET.objects;

export const TRASHED = {
  ...FLEET,
  name: 'Trashed',
  objects: {
    ...fleet,
    ...Object.fromEntries(KEPT.map((type) => [type, { ...fleet[type], trash }])),
  },
};

export const deletedPath = (type: string, id = '') =>
  `/objects/${type}/deleted${id === '' ? '' : `/${id}`}`;

export async function remove(client: Client, type: string, id: string): Promise<Answer> {
  const answer = await client.delete(`/objects/${type}/records/${id}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
}

export function restore(
  client: Client,
  type: string,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return client.request('POST', `${deletedPath(type, id)}/restore`, { headers });
}

/** All of a record that is stored, without the counters and times that a restore changes. */
const CONTENT = `to_jsonb(t) - 'version' - 'updated_at'`;
const TABLES: readonly (readonly [table: string, content: string])[] = [
  ...[...KEPT, 'products'].map((table) => [table, CONTENT] as const),
  ['_links', `to_jsonb(t) - 'created_at'`],
  ['_comments', 'to_jsonb(t)'],
  ['_follows', 'to_jsonb(t)'],
  ['_search', `to_jsonb(t) - 'created_at'`],
];

export async function contentOf(world: World): Promise<Readonly<Record<string, unknown>>> {
  const contents = await Promise.all(
    TABLES.map(async ([table, content]) => {
      const rows = await world.rows(`select ${content} as content from ${table} t order by 1`);
      return [table, rows.map((row) => row.content)] as const;
    }),
  );
  return Object.fromEntries(contents);
}
