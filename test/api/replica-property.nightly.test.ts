// A replica that follows the rules of the change feed has what a list shows, whatever happens to records and whenever it
// reads: for readers with own, team and organisation reach.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { erasing } from '../../src/flow/jobs/erasure-job.ts';
import type { Client } from '../client.ts';
import { TRACED } from '../erased-traces.ts';
import { IS_LONG } from '../until.ts';
import { openWorldWith, type World } from '../world.ts';
import { openJobs } from './job-world.ts';

let world: World;
let ada: Client;
const readers = new Map<string, Client>();
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  ada = await world.as('ada');
  for (const name of READERS) readers.set(name, await world.as(name));
});
afterAll(async () => {
  await jobs.stop();
  await world?.close();
});

/** Own, team and organisation reach. */
const READERS = ['rob', 'mia', 'ada'] as const;
const OWNERS = ['rob', 'rae', 'sam', 'ada'] as const;
/** With a trash, and without. */
const OBJECTS = ['deals', 'contacts'] as const;

const { rep, manager } = TRACED.roles;
const DOCUMENT = {
  ...TRACED,
  roles: {
    ...TRACED.roles,
    rep: { ...rep, objects: { ...rep.objects, contacts: { read: 'own' } } },
    manager: { ...manager, objects: { ...manager.objects, contacts: { read: 'team' } } },
  },
} as const;

const STEPS = [
  ...(['create', 'give', 'give', 'change', 'delete', 'delete', 'restore', 'erase'] as const),
  ...(['read', 'read', 'read', 'read'] as const),
] as const;
const steps = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat(99), fc.nat(99)), {
  minLength: 8,
  maxLength: 30,
});
type Step = readonly [kind: (typeof STEPS)[number], which: number, what: number];

interface Made {
  readonly type: string;
  readonly id: string;
}

async function done(answer: ReturnType<Client['get']>, ...others: number[]) {
  const { status, body } = await answer;
  expect([200, 201, 202, ...others], JSON.stringify(body)).toContain(status);
  return body;
}

const pathOf = ({ type, id }: Made) => `/objects/${type}/records/${id}`;
const ownerOf = (number: number) => world.users[OWNERS[number % OWNERS.length] as 'rob'];

async function create(made: Made[], number: number): Promise<void> {
  const type = OBJECTS[number % 2] as string;
  const fields = { name: `R${number}`, owner_user_id: ownerOf(number >> 1) };
  const { data } = await done(ada.post(`/objects/${type}/records`, { fields }));
  made.push({ type, id: data.id });
}

async function erase({ type, id }: Made): Promise<void> {
  const records = [{ object_type: type, id }];
  const { data } = await done(ada.post('/erasures', { records }));
  await jobs.ended(ada, data.id);
}

/** Records that are gone, or there, refuse some of it. */
async function take(made: Made[], [kind, which, what]: Step): Promise<unknown> {
  const one = made[which % Math.max(1, made.length)];
  if (one === undefined || kind === 'create') return create(made, what);
  const path = pathOf(one);
  switch (kind) {
    case 'give':
      return done(ada.patch(path, { fields: { owner_user_id: ownerOf(what) } }), 404);
    case 'change':
      return done(ada.patch(path, { fields: { name: `N${what}` } }), 404);
    case 'delete':
      return done(ada.delete(path), 404);
    case 'restore':
      return done(ada.request('POST', `/objects/${one.type}/deleted/${one.id}/restore`), 403, 404);
    case 'erase':
      return erase(one);
    case 'read':
      return undefined;
  }
}

interface Replica {
  cursor: string;
  readonly records: Map<string, { readonly revision: number; readonly name: unknown }>;
}

async function follow(client: Client, replica: Replica): Promise<void> {
  const { data, pagination } = await done(
    client.get(`/changes?include=record&cursor=${replica.cursor}`),
  );
  for (const { type, record_id, revision, record } of data) {
    const isOlder = revision < (replica.records.get(record_id)?.revision ?? 0);
    if (type === 'record.left') replica.records.delete(record_id);
    else if (isOlder) continue;
    else if (type === 'record.deleted') replica.records.delete(record_id);
    else if (record) replica.records.set(record_id, { revision, name: record.fields.name });
  }
  replica.cursor = pagination.next_cursor;
  if (pagination.has_more) await follow(client, replica);
}

async function listed(client: Client, made: readonly Made[]): Promise<unknown> {
  const found: [string, unknown][] = [];
  for (const one of made) {
    const { data } = await done(client.get(pathOf(one)), 404);
    if (data !== undefined) found.push([one.id, data.fields.name]);
  }
  return new Map(found);
}

const limits = { timeout: IS_LONG ? 3_600_000 : 300_000 };

test('a replica has what its reader may read', limits, async () => {
  await jobs.work(erasing(world.database.db, { pause: 0 }));
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const replicas = new Map<string, Replica>();
      for (const [name, client] of readers) {
        const { pagination } = await done(client.get('/changes'));
        replicas.set(name, { cursor: pagination.next_cursor, records: new Map() });
      }
      const made: Made[] = [];
      const read = (name: string) =>
        follow(readers.get(name) as Client, replicas.get(name) as Replica);
      for (const step of taken) {
        await take(made, step);
        if (step[0] === 'read') await read(READERS[step[1] % READERS.length] as string);
      }
      for (const [name, client] of readers) {
        await read(name);
        const { records } = replicas.get(name) as Replica;
        const copy = new Map([...records].map(([id, record]) => [id, record.name]));
        expect(copy, name).toEqual(await listed(client, made));
      }
    }),
    { numRuns: IS_LONG ? 500 : 25, endOnFailure: true },
  );
  expect(jobs.errors).toEqual([]);
});
