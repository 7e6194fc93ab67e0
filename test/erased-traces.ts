// A deal that has left traces in every place of the service, and how to find them: each place has a word of its own,
// which no other place has.

import { uuidv7 } from 'uuidv7';
import { expect } from 'vitest';
import { type JobKind, openLease } from '../src/control/jobs/job-lease.ts';
import { exporting } from '../src/export/export-job.ts';
import { changingMany } from '../src/flow/jobs/bulk-job.ts';
import { importing } from '../src/import/import-job.ts';
import type { Database } from '../src/postgres/db.ts';
import type { Answer, Client } from './client.ts';
import { call } from './http-client.ts';
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
      fields: {
        ...deals.fields,
        memo: { type: 'long_text', storage: 'jsonb' },
        text: { type: 'long_text' },
        mail: { type: 'email' },
        site: { type: 'url' },
        info: { type: 'json' },
        papers: { type: 'file', multiple: true },
      },
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
  ...['name', 'column', 'custom', 'text', 'mail', 'site', 'info', 'infoKey', 'batch'],
  ...['comment', 'keyedComment', 'history', 'request', 'keyedRequest', 'delivery'],
  ...['file', 'fileBytes', 'keyedFile', 'replacedFile'],
  ...['sent', 'rejected', 'refusal', 'header', 'sentName', 'replace', 'with', 'value', 'lookedUp'],
  ...['constant', 'template', 'wrongMapping', 'rehearsed', 'exportQuery', 'exportFilter'],
  ...['bulk', 'bulkField', 'bulkRefusal', 'failure'],
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
  const papers = [await sent(leaving, `purpose=field&name=${words.file}.txt`, words.fileBytes)];
  papers.push(
    await sent(leaving, `purpose=field&name=${words.keyedFile}`, words.fileBytes, keyed()),
  );
  const fields = {
    ...{ name: words.name, secret: words.column, code: words.history, text: words.text },
    ...{ mail: `${words.mail}@people.example`, site: `https://sites.example/${words.site}` },
    info: { [words.infoKey]: [words.info] },
    papers: [
      ...papers,
      await sent(leaving, `purpose=field&name=${words.replacedFile}`, words.fileBytes, keyed()),
    ],
    custom_fields: { memo: words.custom },
  };
  const key = keyed();
  const again = () => ada.post(DEALS, { fields }, key);
  const id = String((await fine(again(), 201)).data.id);
  await fine(ada.patch(`${DEALS}/${id}`, { fields: { code: `now ${id}`, papers } }));
  const operations = [{ action: 'update', id, fields: { secret: words.batch } }];
  await fine(ada.post('/objects/deals/records/batch', { operations }, keyed()));
  await fine(ada.patch(`${DEALS}/${id}`, { fields: { secret: words.column } }, keyed()));
  await fine(ada.post(`${DEALS}/${id}/comments`, { body: words.comment }), 201);
  const mention = { body: words.keyedComment, mention_user_ids: [leaving.world.users.mia] };
  await fine(ada.post(`${DEALS}/${id}/comments`, mention, keyed()), 201);
  const contact = { fields: { name: 'Contact' } };
  const other = await fine(ada.post('/objects/contacts/records', contact), 201);
  const target = { target_id: other.data.id };
  await fine(ada.post(`${DEALS}/${id}/relationships/assoc.contacts_deals`, target, keyed()));
  await fine(ada.post(`${DEALS}/${id}/status`, { status_id: 'lost' }, keyed()));
  const asked = { status_id: 'won', comment: words.request };
  const open = await fine(ada.post(`${DEALS}/${id}/status_requests`, asked), 201);
  await fine(ada.post(`/status_requests/${open.data.id}/withdraw`, undefined));
  const second = { status_id: 'won', comment: words.keyedRequest };
  await fine(ada.post(`${DEALS}/${id}/status_requests`, second, keyed()), 201);
  await leaveFiles(leaving, words);
  await leaveBulkChanges(leaving, id, words);
  await leaveDelivery(leaving.world, id, words.delivery);
  return { id, words, again };
}

const keyed = () => ({ 'idempotency-key': uuidv7() });

async function fine(asked: Promise<Answer>, status = 200): Promise<Answer['body']> {
  const answer = await asked;
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
}

/** The id of a file that is sent with this query. */
async function sent(
  { world, ada }: Leaving,
  query: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const request = { method: 'POST', key: ada.secret, body };
  const type = query.includes('field') ? 'text/plain' : 'text/csv';
  const { status, json } = await call(world.port, `/v1/files?${query}`, {
    ...request,
    headers: { 'content-type': type, ...headers },
  });
  expect(status, JSON.stringify(json)).toBe(201);
  return String(json.data.id);
}

/** Imports with refused rows, one that fails, one that only checks, and an export. */
async function leaveFiles({ world, ada }: Leaving, words: Words): Promise<void> {
  const { db } = world.database;
  const text = `name,amount,${words.header}\n${words.sent},1,\n${words.rejected},much ${words.refusal},\n`;
  const file_id = await sent({ world, ada }, `name=${words.sentName}.csv`, text, keyed());
  const columns = {
    name: {
      field: 'name',
      replace: [{ text: words.replace, with: words.with }],
      values: { [words.value]: words.lookedUp },
    },
    amount: 'amount',
  };
  const made = { text: { constant: words.constant }, secret: { template: words.template } };
  const mapping = { object_type: 'deals', match: ['name'], columns, fields: made };
  const run = async (body: object) => {
    const { data } = await fine(ada.post('/imports', body, keyed()), 202);
    const lease = await openLease(db, { kinds: ['import'], id: data.id });
    if (lease === undefined) throw new Error('the import was not there');
    await importing(db)
      .run(lease.job, lease.signal, lease.report)
      .then(
        () => lease.finish(),
        (error) => lease.fail(error, undefined),
      );
    return (await fine(ada.get(`/jobs/${data.id}`))).data.state;
  };
  expect(await run({ file_id, mapping })).toBe('done');
  const wrong = { ...mapping, columns: { ...columns, [words.wrongMapping]: 'code' } };
  expect(await run({ file_id, mapping: wrong })).toBe('failed');
  const rehearsed = { ...mapping, fields: { text: { constant: words.rehearsed } } };
  expect(await run({ file_id, mapping: rehearsed, dry_run: true })).toBe('done');
  const filter = { query: words.exportQuery, filters: { name: words.exportFilter } };
  const request = { object_type: 'deals', format: 'jsonl' };
  for (const asked of [request, { ...request, ...filter }]) {
    const exported = await fine(ada.post('/exports', asked, keyed()), 202);
    await workAt(db, exporting(db), exported.data.id);
  }
  // The record that the import has made is another one.
  const found = await world.rows('select id from deals where name = $1', [words.sent]);
  for (const { id: made } of found) {
    await fine(ada.delete(`${DEALS}/${made}`));
    await fine(ada.delete(`/objects/deals/deleted/${made}`));
  }
}

/** A bulk change that is refused, one that is only counted, and one that has failed. */
async function leaveBulkChanges({ world, ada }: Leaving, id: string, words: Words): Promise<void> {
  const { db, rows } = world.database;
  const path = '/objects/deals/records/bulk';
  const found = { field: 'name', op: 'eq', value: words.name };
  const where = { any: [found, { field: 'name', op: 'eq', value: words.bulk }] };
  const sample = { action: 'delete', where: found, dry_run: true };
  await fine(ada.post(path, sample, keyed()));
  const fields = { code: `now ${id}`, text: words.text, origin: words.bulkField };
  await rows(
    `insert into workspace_records.jobs (id, workspace_id, kind, input, state, error, progress, asked_by_user_id, finished_at)
      select $1, id, 'bulk', $2, 'failed', $3, $4, $5, now() from workspace_records.workspaces where slug = 'acme'`,
    [
      ...[uuidv7(), JSON.stringify({ action: 'update', fields, where, expected_count: 1 })],
      ...[`No record ${words.failure}.`, JSON.stringify({ reason: `No ${words.failure}.` })],
      world.users.ada,
    ],
  );
  const refused = { action: 'update', where, expected_count: 1, fields: { text: words.text } };
  const { data } = await fine(ada.post(path, refused, keyed()), 202);
  await workAt(db, changingMany(db), data.id);
  await rows(
    `insert into workspace_records.bulk_refusals (job_id, record_id, field, reason) values ($1, $2, 'code', $3)`,
    [data.id, id, `The value ${words.bulkRefusal} is taken.`],
  );
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

/** The words that any table of the database or its statistics has, with their tables, also within bytes. */
export async function wordsInDump(
  { db }: Pick<OwnDatabase, 'db'>,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const tables = await db.query({
    text: `select format('%I.%I', n.nspname, c.relname) as name from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname <> 'information_schema' order by 1`,
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
