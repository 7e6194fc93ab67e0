// Merges at the same moment as other merges, writes, links, comments and deletes of the same records: no reference,
// link or comment is left without its record, and each record exists once, or in the trash once.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { merge, mergePath, unmerge } from '../api/merged.ts';
import type { Client } from '../client.ts';
import { timesOf, until } from '../until.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const trash = { keep: '30d' };
const DOCUMENT = {
  ...ACME,
  objects: { ...ACME.objects, companies: { ...ACME.objects.companies, trash } },
};
const ROUNDS = timesOf(6);

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const make = async (type: string, fields: object): Promise<string> =>
  (await ada.post(`/objects/${type}/records`, { fields })).body.data.id;

/** Rows that belong to no record. */
const LOST = [
  'select from contacts t where company_id is not null and not exists (select from companies c where c.id = t.company_id)',
  `select from _comments t where object_type = 'companies' and not exists (select from companies c where c.id = t.record_id)`,
  'select from companies t where exists (select from _trash d where d.record_id = t.id)',
  'select from companies t where exists (select from _merged d where d.record_id = t.id)',
];

test('records keep what belongs to them, whatever happens at once', {
  timeout: 240_000,
}, async () => {
  const statuses = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, two, three] = (await Promise.all(
      ['One', 'Two', 'Three'].map((name) => make('companies', { name })),
    )) as [string, string, string];
    const contact = await make('contacts', { name: 'C', company_id: two });
    const of = `/objects/companies/records`;
    const all = [
      () => merge(ada, 'companies', [one, two, three]),
      () => merge(ada, 'companies', [two, one]),
      () => merge(ada, 'companies', [three, two], { take: { name: two } }),
      () => unmerge(ada, 'companies', one),
      () => ada.patch(`${of}/${two}`, { fields: { name: 'Changed' } }),
      () => ada.patch(`/objects/contacts/records/${contact}`, { fields: { company_id: three } }),
      () => ada.post('/objects/contacts/records', { fields: { name: 'D', company_id: two } }),
      () => ada.post(`${of}/${two}/comments`, { body: 'Now' }),
      () => ada.delete(`${of}/${three}`),
    ];
    const first = round % all.length;
    const sent = [...all.slice(first), ...all.slice(0, first)].map((send) => send());
    for (const { status } of await Promise.all(sent)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    for (const text of LOST) expect(await world.rows(text), text).toEqual([]);
    const stored = await world.rows(
      `select id from companies where id = any($1)
        union all select record_id from _trash where record_id = any($1)`,
      [[one, two, three]],
    );
    expect(stored).toHaveLength(3);
  }
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
});

test('a merge whose connection is killed half-way changes nothing, and its key repeats it', async () => {
  const [one, two] = (await Promise.all(
    ['One', 'Two'].map((name) => make('companies', { name })),
  )) as [string, string];
  const contact = await make('contacts', { name: 'C', company_id: two });
  const { body } = await ada.get(`/objects/companies/records/${two}`);
  const from = [{ id: two, expected_version: body.data.version }];
  const send = () =>
    ada.post(mergePath('companies', one), { from }, { 'Idempotency-Key': 'killed' });
  const before = await world.digest();
  // It waits for the contact, with the records in the trash already.
  const killed = await world.database.db.transaction(async (tx) => {
    await tx.query({
      text: 'select from ws_acme.contacts where id = $1 for update',
      values: [contact],
    });
    const answer = send();
    const victims = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%_audit%'`;
    await until(async () => (await world.database.rows(victims)).length > 0);
    return answer;
  });
  expect(killed.status).toBe(503);
  expect(await world.digest()).toBe(before);
  expect((await send()).status).toBe(200);
  expect(await world.rows('select from contacts where company_id = $1', [one])).toHaveLength(1);
});
