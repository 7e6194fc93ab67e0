// kill -9 of the service during merges: each is made whole or not at all, and the same request again makes it once.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergePath } from '../api/merged.ts';
import type { Client } from '../client.ts';
import { timesOf, until } from '../until.ts';
import { ACME, openWorldWith, type World } from '../world.ts';
import { insist, type KilledService, startService, writeKeyed } from './killed-service.ts';

const KILLS = timesOf(4);
const { companies } = ACME.objects;
const DOCUMENT = {
  ...ACME,
  objects: { ...ACME.objects, companies: { ...companies, comments: true, trash: { keep: '30d' } } },
};

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const make = async (type: string, fields: object) =>
  (await ada.post(`/objects/${type}/records`, { fields })).body.data;

/** Rows of each part of a merge, with the deleted record and with the one that stays. */
const PARTS = `select (select count(*) from companies where id = $2) as records,
  (select count(*) from contacts where company_id = $2) as own_references,
  (select count(*) from _comments where record_id = $2) as own_comments,
  (select count(*) from contacts where company_id = $1) as references,
  (select count(*) from _comments where record_id = $1) as comments,
  (select count(*) from _trash where record_id = $2 and merged is not null) as trash,
  (select count(*) from _merged where record_id = $2) as merged,
  (select count(*) from _audit where record_id = $2 and action = 'merge') as audit,
  (select count(*) from _audit where record_id = $1 and action = 'update') as changes`;
const NOTHING = [1, 1, 1, 0, 0, 0, 0, 0, 0];
const WHOLE = [0, 0, 0, 1, 1, 1, 1, 1, 1];

const BUSY = `select pid from pg_stat_activity where datname = current_database()
  and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`;

test('a merge is made whole or not at all, whenever the service dies', async () => {
  let running = await startService(world);
  for (let round = 0; round < KILLS; round += 1) {
    const [one, two] = [
      await make('companies', { name: 'One' }),
      await make('companies', { name: 'Two' }),
    ];
    const contact = await make('contacts', { name: 'C', company_id: two.id });
    await ada.post(`/objects/companies/records/${two.id}/comments`, { body: 'Hello' });
    const body = {
      from: [{ id: two.id, expected_version: two.version }],
      take: { name: two.id },
    };
    const send = ({ url }: KilledService) =>
      writeKeyed(url + mergePath('companies', one.id), {
        ...{ secret: ada.secret, key: `merge-${round}`, body },
      });
    const partsNow = async () =>
      Object.values((await world.rows(PARTS, [one.id, two.id]))[0] ?? {}).map(Number);
    const dying = running;
    const answer =
      round === 0 ? await dieHalfWay(contact.id, dying, send) : await dieSoon(dying, send);
    await until(async () => (await world.database.rows(BUSY)).length === 0);
    const left = await partsNow();
    expect([NOTHING, WHOLE]).toContainEqual(left);
    if (answer !== undefined) expect(left).toEqual(WHOLE);
    if (round === 0) expect(left).toEqual(NOTHING);
    running = await startService(world);
    const again = running;
    await insist(() => send(again));
    expect(await partsNow()).toEqual(WHOLE);
  }
  await running.end('SIGTERM');
});

type Send = (service: KilledService) => Promise<number | undefined>;

/** The merge waits for a contact, with the records in the trash already. */
function dieHalfWay(contact: string, service: KilledService, send: Send) {
  return world.database.db.transaction(async (tx) => {
    const values = [contact];
    await tx.query({ text: 'select from ws_acme.contacts where id = $1 for update', values });
    const answer = send(service);
    const waiting = `${BUSY} and wait_event_type = 'Lock' and query like '%_audit%'`;
    await until(async () => (await world.database.rows(waiting)).length > 0);
    await service.end();
    // The database may have got all statements already: its part ends here as well.
    await world.database.rows(`select pg_terminate_backend(pid) from (${waiting}) w`);
    return answer;
  });
}

async function dieSoon(service: KilledService, send: Send) {
  const answer = send(service);
  await sleep(Math.random() * 40);
  await service.end();
  return answer;
}
