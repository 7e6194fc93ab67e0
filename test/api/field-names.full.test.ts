// Fields may have any name that the definition allows: words of SQL, names that the service gives to tables and
// columns of its own statements, names of JavaScript.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const SQL = join(import.meta.dirname, '..', '..', 'src', 'sql');
/** The word after these words of SQL is a name, or at least looks like one. */
const words = new Set(
  readdirSync(SQL, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    if (!name.endsWith('.ts')) return [];
    const text = readFileSync(join(SQL, name), 'utf8');
    return [...text.matchAll(/\b(?:as|from|join|with) (\w+)/g)].map(([, word]) => word as string);
  }),
);
const reserved = new Set(['id', 'public_id', 'display', 'version', 'status', 'fields']);
const KEPT =
  /^(?:.*_at|object_type|custom_.*|owner_user_id|created_.*|[cx](?:min|max)|ctid|tableoid)$/;
const KEYS = new Set([...words, 'select', 'user', 'table', 'constructor', 'oid', 'match_index']);
const NAMES = [...KEYS]
  .filter((word) => /^[a-z][a-z0-9_]{0,49}$/.test(word))
  .filter((word) => !reserved.has(word) && !KEPT.test(word));

const OBJECT = {
  name: 'Names',
  singular_name: 'Name',
  display_field: 'name',
  fields: Object.fromEntries(['name', ...NAMES].map((key) => [key, { type: 'text' }])),
};
const PATH = '/objects/names/records';
const textOf = (key: string) => `value of ${key}`;
const GROUPS = Array.from({ length: Math.ceil(NAMES.length / 20) }, (_, index) =>
  NAMES.slice(index * 20, index * 20 + 20),
);

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorldWith({ ...ACME, objects: { ...ACME.objects, names: OBJECT } });
  ada = await world.as('ada');
});
afterAll(() => world?.close());

test('every name can be written, read, matched, filtered, sorted and grouped by', async () => {
  expect(NAMES.length).toBeGreaterThan(50);
  for (const keys of GROUPS) {
    const fields = Object.fromEntries(keys.map((key) => [key, textOf(key)]));
    const made = await ada.post(PATH, { fields });
    expect([made.status, made.body.data?.fields], JSON.stringify(made.body)).toEqual([
      201,
      expect.objectContaining(fields),
    ]);
    const { id } = made.body.data;
    const listed = await ada.get(`${PATH}?fields=${keys.join(',')}&sort=-${keys[0]}`);
    expect(listed.status, JSON.stringify(listed.body)).toBe(200);
    expect(listed.body.data.find((one: { id: string }) => one.id === id).fields).toEqual(fields);
    const operations = keys.map((key) => {
      return { action: 'upsert', target: 'names', match: { [key]: textOf(key) }, fields: {} };
    });
    const matched = async (operation: object) => {
      const { status, body } = await ada.post(`${PATH}/batch`, { operations: [operation] });
      expect([status, body.data?.results[0].id], JSON.stringify(operation)).toEqual([200, id]);
    };
    await Promise.all(operations.map(matched));
    const asked = async (key: string) => {
      const filters = { [key]: textOf(key) };
      const found = await ada.post(`${PATH}/search`, { filters, sort: [{ field: key }] });
      expect(
        found.body.data?.map((one: { id: string }) => one.id),
        key,
      ).toEqual([id]);
      const metrics = [{ name: 'how_many', op: 'count' }];
      const grouped = await ada.post(`${PATH}/aggregate`, { filters, group_by: [key], metrics });
      expect(grouped.body.data, key).toEqual([{ ...filters, how_many: 1 }]);
    };
    await Promise.all(keys.map(asked));
    expect((await ada.delete(`${PATH}/${id}`)).status).toBe(200);
  }
});
