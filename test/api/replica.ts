// A copy of all records and links that a reader may read, kept by the rule of docs/guide/changes.md.

import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of any form
type Json = any;

export interface Replica {
  /** Read the feed to its end. */
  follow(): Promise<void>;
  /** The records by object type and id, each with its links by the id of the relationship. */
  state(): Json;
}

interface Copied {
  record: Json;
  readonly links: Map<string, readonly string[]>;
}

type Copies = Map<string, Map<string, Copied>>;

async function done(answer: Promise<Answer>): Promise<Json> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

export async function openReplica(client: Client): Promise<Replica> {
  let cursor = (await done(client.get('/changes'))).pagination.next_cursor;
  const copies: Copies = new Map();
  for (const type of await readable(client)) await list(client, copies, type);
  async function follow(): Promise<void> {
    const path = `/changes?include=record&limit=3&cursor=${cursor}`;
    const { data, pagination } = await done(client.get(path));
    for (const event of data) await take(client, copies, event);
    cursor = pagination.next_cursor;
    if (pagination.has_more) await follow();
  }
  return { follow, state: () => stateOf(copies) };
}

async function readable(client: Client): Promise<readonly string[]> {
  const { data } = await done(client.get('/objects'));
  return data.map(({ object_type }: Json) => object_type);
}

async function list(client: Client, copies: Copies, type: string): Promise<void> {
  copies.delete(type);
  if (!(await readable(client)).includes(type)) return;
  const data: Json[] = [];
  for (let cursor = ''; ; ) {
    const path = `/objects/${type}/records?limit=100&cursor=${cursor}`;
    const page = await done(client.get(path));
    data.push(...page.data);
    if (!page.pagination.has_more) break;
    cursor = page.pagination.next_cursor;
  }
  const ids = data.length === 0 ? [] : await relationshipsOf(client, type);
  for (const { id } of data) {
    const path = `/objects/${type}/records/${id}`;
    const { data: record } = await done(client.get(path));
    put(copies, { record, links: await linksOf(client, path, ids) });
  }
}

/** Those of fields are in the fields. */
async function relationshipsOf(client: Client, type: string): Promise<readonly string[]> {
  const { data } = await done(client.get(`/objects/${type}`));
  const ids: readonly string[] = data.relationships.map(({ id }: Json) => id);
  return ids.filter((id) => /^(link|assoc)[.]/.test(id));
}

async function linksOf(
  client: Client,
  path: string,
  relationships: readonly string[],
): Promise<Copied['links']> {
  const links = new Map<string, readonly string[]>();
  for (const id of relationships) {
    const { status, body } = await client.get(`${path}/relationships/${id}?limit=100`);
    const ids = status === 200 ? body.data.map((one: Json) => one.id) : [];
    if (ids.length > 0) links.set(id, ids.sort());
  }
  return links;
}

function put(copies: Copies, { record, links }: Copied): void {
  const { object_type, id } = record;
  const own = copies.get(object_type) ?? new Map<string, Copied>();
  copies.set(object_type, own.set(id, { record, links: own.get(id)?.links ?? links }));
}

async function take(client: Client, copies: Copies, event: Json): Promise<void> {
  if (event.type === 'definition.changed') {
    for (const one of event.renamed) rename(copies, one);
    for (const one of event.removed) remove(copies, one);
  } else if (event.type === 'reach.changed') {
    for (const type of event.object_types) await list(client, copies, type);
  } else if (event.type === 'record.deleted' || event.type === 'record.left') {
    copies.get(event.object_type)?.delete(event.record_id);
  } else if (event.record) put(copies, { record: event.record, links: new Map() });
}

function rename(copies: Copies, { of, object_type, from, to, work_item_types }: Json): void {
  if (of === 'object') {
    const own = copies.get(from);
    copies.delete(from);
    if (own !== undefined) copies.set(to, own);
    for (const { record } of own?.values() ?? []) record.object_type = to;
    return;
  }
  for (const { record, links } of copies.get(object_type)?.values() ?? []) {
    const { fields } = record;
    if (of === 'relationship') renameLinks(links, from, to);
    if (of === 'field') {
      for (const values of [fields, fields.custom_fields ?? {}]) {
        if (!(from in values)) continue;
        values[to] = values[from];
        delete values[from];
      }
    }
    if (of !== 'status') continue;
    if (work_item_types?.includes(record.work_item_type_id) === false) continue;
    if (record.status === from) record.status = to;
    for (const key of ['status', 'custom_status_id']) {
      if (fields[key] === from) fields[key] = to;
    }
  }
}

function renameLinks(links: Copied['links'], from: string, to: string): void {
  const own = links.get(from);
  links.delete(from);
  if (own !== undefined) links.set(to, own);
}

function remove(copies: Copies, { object_type, field }: Json): void {
  if (field === null) {
    copies.delete(object_type);
    return;
  }
  for (const { record, links } of copies.get(object_type)?.values() ?? []) {
    links.delete(field);
    delete record.fields[field];
    delete record.fields.custom_fields?.[field];
  }
}

/** Empty objects are none. */
function stateOf(copies: Copies): Json {
  const found: Json = {};
  for (const [type, own] of [...copies].sort()) {
    for (const [id, { record, links }] of [...own].sort()) {
      found[`${type} ${id}`] = { record, links: Object.fromEntries(links) };
    }
  }
  return found;
}
