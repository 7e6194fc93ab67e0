// A deal that has left traces in every place of the service, and how to find them: each place has a word of its own,
// which no other place has.

import { uuidv7 } from 'uuidv7';
import { expect } from 'vitest';
import { type JobKind, openLease } from '../src/control/job-lease.ts';
import { exporting } from '../src/export/export-job.ts';
import { importing } from '../src/import/import-job.ts';
import type { Database } from '../src/postgres/db.ts';
import { sentFile } from './api/job-world.ts';
import type { Answer, Client } from './client.ts';
import type { OwnDatabase } from './own-database.ts';
import { ACME, GATED_ACME, type World } from './world.ts';

const { deals } = ACME.objects;

/** Deals with a history, a trash and gates. */
export const TRACED = {
  ...GATED_ACME,
  objects: {
    ...GATED_ACME.objects,
    deals: {
      ...deals,
      searchable: true,
      history: { keep: '90d' },
      trash: { keep: '30d' },
      fields: { ...deals.fields, memo: { type: 'long_text', storage: 'jsonb' } },
    },
  },
} as const;

export const DEALS = '/objects/deals/records';

/** A deal with its traces. */
export interface Traced {
  readonly id: string;
  /** The word of each place. */
  readonly words: Readonly<Record<string, string>>;
  /** Sends the request that made it, under its key, once more. */
  again(): Promise<Answer>;
}

interface Leaving {
  readonly world: World;
  readonly ada: Client;
}

/** Work at a job, without a process of jobs. */
export async function workAt(db: Database, kind: JobKind, id: string): Promise<void> {
  const lease = await openLease(db, { kinds: [kind.kind], id });
  if (lease === undefined) throw new Error('the job was not there');
  await kind.run(lease.job, lease.signal, lease.report);
  await lease.finish();
}

const PLACES = [
  ...['name', 'column', 'custom', 'comment', 'history', 'request'],
  ...['sent', 'rejected', 'delivery', 'bulk'],
] as const;

type Words = Readonly<Record<(typeof PLACES)[number], string>>;

/** Words that no file of a database has by chance. */
function newWords(): Words {
  const letters = () =>
    Array.from({ length: 12 }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(Math.random() * 26)]);
  return Object.fromEntries(PLACES.map((place) => [place, `qx${letters().join('')}`])) as never;
}

/** Make a deal, and use the service with it in every way. */
export async function leaveTraces(leaving: Leaving): Promise<Traced> {
  const { ada } = leaving;
  const words = newWords();
  const fields = {
    ...{ name: words.name, secret: words.column, code: words.history },
    custom_fields: { memo: words.custom },
  };
  const key = { 'idempotency-key': uuidv7() };
  const again = () => ada.post(DEALS, { fields }, key);
  const id = String((await fine(again(), 201)).data.id);
  await fine(ada.patch(`${DEALS}/${id}`, { fields: { code: `now ${id}` } }));
  await fine(ada.post(`${DEALS}/${id}/comments`, { body: words.comment }), 201);
  const contact = { fields: { name: 'Contact' } };
  const other = await fine(ada.post('/objects/contacts/records', contact), 201);
  const target = { target_id: other.data.id };
  await fine(ada.post(`${DEALS}/${id}/relationships/assoc.contacts_deals`, target));
  await fine(ada.post(`${DEALS}/${id}/status`, { status_id: 'lost' }));
  const asked = { status_id: 'won', comment: words.request };
  await fine(ada.post(`${DEALS}/${id}/status_requests`, asked), 201);
  await leaveFiles(leaving, words);
  await leaveDelivery(leaving.world, id, words.delivery);
  return { id, words, again };
}

async function fine(asked: Promise<Answer>, status = 200): Promise<Answer['body']> {
  const answer = await asked;
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
}

/** An import with a refused row, an export, a bulk change that has ended. */
async function leaveFiles({ world, ada }: Leaving, words: Words): Promise<void> {
  const text = `name,amount\n${words.sent},1\n${words.rejected},much\n`;
  const file_id = await sentFile(world, ada, text);
  const mapping = { object_type: 'deals', match: ['name'] };
  const imported = await fine(ada.post('/imports', { file_id, mapping }), 202);
  const exported = await fine(ada.post('/exports', { object_type: 'deals', format: 'jsonl' }), 202);
  const where = { field: 'name', op: 'eq', value: words.bulk };
  const bulk = { object_type: 'deals', where, action: 'delete', expected_count: 1 };
  await world.database.rows(
    `insert into workspace_records.jobs (id, workspace_id, kind, input, state, asked_by_user_id, finished_at)
      select $1, id, 'bulk', $2, 'done', $3, now() from workspace_records.workspaces where slug = 'acme'`,
    [uuidv7(), JSON.stringify(bulk), world.users.ada],
  );
  const { db } = world.database;
  await workAt(db, importing(db), imported.data.id);
  await workAt(db, exporting(db), exported.data.id);
  // The record that the import has made is another one.
  const found = await world.rows('select id from deals where name = $1', [words.sent]);
  for (const { id: made } of found) {
    await fine(ada.delete(`${DEALS}/${made}`));
    await fine(ada.delete(`/objects/deals/deleted/${made}`));
  }
}

/** As a receiver that repeats what was sent to it. */
async function leaveDelivery(world: World, id: string, word: string): Promise<void> {
  const webhook = uuidv7();
  await world.database.rows(
    `insert into ws_acme._webhooks (id, owner_user_id, scopes, url, events, object_types, changed_fields, status_to,
        "except", payload, state)
      values ($1, $2, '{}', 'https://hooks.example.com', '{record.*}', '{}', '{}', '{}', '{}', 'thin', 'disabled')`,
    [webhook, world.users.ada],
  );
  await world.database.rows(
    `insert into ws_acme._webhook_deliveries (id, webhook_id, event_id, type, object_type, record_id, state, answer)
      values ($1, $2, 'event', 'record.updated', 'deals', $3, 'delivered', $4)`,
    [uuidv7(), webhook, id, `Got ${word}.`],
  );
}

/** The words that a dump of the database has, with their tables, also where a dump prints bytes. */
export async function wordsInDump(
  { db }: Pick<OwnDatabase, 'db'>,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const tables = await db.query({
    text: `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    values: [],
  });
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await db.query(
      { text: `select t::text as row from ${name} t`, values: [] },
      { prepare: false },
    );
    const text = rows.map(({ row }) => String(row)).join('\n');
    for (const word of words) {
      if (text.includes(word) || text.includes(Buffer.from(word).toString('hex')))
        found.set(word, String(name));
    }
  }
  return found;
}

export function wordsOf(traced: readonly Traced[]): readonly string[] {
  return traced.flatMap(({ words }) => Object.values(words));
}
