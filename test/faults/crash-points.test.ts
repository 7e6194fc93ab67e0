// Every write, interrupted at each of its statements: the connection lost before it, the statement failing, the
// answer lost. The database then holds all of the effect or none, no lock remains, the error was honest, and the same
// request again has exactly one effect. `CRASH_POINTS=all` tries every fault at every statement; the suite takes them
// in turn.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import type { Written } from '../../src/flow/records/write-flow.ts';
import { writeOnce, writeRecords } from '../../src/flow/records/write-flow.ts';
import { versionToken } from '../../src/plan/write/precondition.ts';
import type {
  FieldValues,
  RecordName,
  WriteOperation,
} from '../../src/plan/write/write-operation.ts';
import type { Database, Row } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { LINKED_DOCUMENT } from '../linked-definition.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { IS_LONG } from '../until.ts';
import { type DatabaseProxy, type Fault, openDatabaseProxy } from './database-proxy.ts';

let sample: SampleWorkspace;
let proxy: DatabaseProxy;
/** The service's pool; `sample.db` does not go through the proxy. */
let db: Database;
let seeds: Seeds;

interface Seeds {
  readonly part: string;
  readonly gadgets: readonly [string, string, string];
}

beforeAll(async () => {
  sample = await openSampleWorkspace(LINKED_DOCUMENT);
  proxy = await openDatabaseProxy(sample.own.connection);
  const { host: _, port: __, ...login } = sample.own.connection;
  const connection = { ...login, host: '127.0.0.1', port: proxy.port };
  db = openDatabase({ connection, poolSize: 2, statementTimeout: 60_000 });
  seeds = await plantSeeds();
  await keepSeeds();
});

afterAll(async () => {
  await db?.close();
  await proxy?.close();
  await sample?.own.drop();
});

interface Path {
  readonly name: string;
  readonly objectType?: string;
  /** Of each operation, when they are of several. */
  readonly objectTypes?: readonly string[];
  readonly batch?: boolean;
  /** False for endpoints that take no Idempotency-Key. */
  readonly keyed?: boolean;
  /** The code a write that must not succeed is answered with. */
  readonly refused?: string;
  operations(seeds: Seeds): readonly WriteOperation[];
}

const ABSENT = '01900000-0000-7000-8000-0000000000ff';

const create = (fields: FieldValues): WriteOperation => ({ action: 'create', fields });
const update = (id: RecordName, fields: FieldValues): WriteOperation => ({
  action: 'update',
  id,
  fields,
});
const move = (id: string, status_id: string): WriteOperation => ({
  action: 'status',
  id,
  status_id,
});
const remove = (id: string): WriteOperation => ({ action: 'delete', id });
const upsert = (code: string, fields: FieldValues): WriteOperation => ({
  action: 'upsert',
  target: 'gadgets',
  match: { code },
  fields,
});
const link = (id: RecordName, association_id: string, target_id: RecordName): WriteOperation => ({
  action: 'link',
  id,
  association_id,
  target_id,
});
const unlink = (id: string, association_id: string, target_id: string): WriteOperation => ({
  action: 'unlink',
  id,
  association_id,
  target_id,
});

const PATHS: readonly Path[] = [
  { name: 'create', operations: () => [create({ name: 'new' })] },
  {
    name: 'create with references',
    operations: ({ part, gadgets }) => [
      create({
        name: 'new',
        a_reference: part,
        model_id: gadgets[0],
        a_user: sample.caller('ben').user.id,
      }),
    ],
  },
  {
    name: 'create that refers to nothing',
    refused: 'invalid_write',
    operations: () => [create({ name: 'new', a_reference: ABSENT })],
  },
  {
    name: 'create of a value that is taken',
    refused: 'conflict',
    operations: () => [create({ name: 'new', code: 'ONE' })],
  },
  {
    name: 'update',
    operations: ({ gadgets }) => [
      update(gadgets[0], { name: 'other', a_integer: 5, custom_fields: { x_text: 'custom' } }),
    ],
  },
  {
    name: 'update that changes nothing',
    operations: ({ gadgets }) => [update(gadgets[0], { name: 'one' })],
  },
  { name: 'status', operations: ({ gadgets }) => [move(gadgets[0], 'built')] },
  {
    name: 'status that the workflow does not allow',
    refused: 'invalid_write',
    operations: ({ gadgets }) => [move(gadgets[0], 'sold')],
  },
  { name: 'delete', keyed: false, operations: ({ gadgets }) => [remove(gadgets[0])] },
  {
    name: 'delete of what others need',
    keyed: false,
    objectType: 'parts',
    refused: 'conflict',
    operations: ({ part }) => [remove(part)],
  },
  {
    name: 'link by reference',
    operations: ({ part, gadgets }) => [link(gadgets[1], 'ref.a_reference', part)],
  },
  {
    name: 'link',
    operations: ({ part, gadgets }) => [link(gadgets[1], 'link.uses', part)],
  },
  {
    name: 'link of a record to another of its object',
    operations: ({ gadgets }) => [link(gadgets[1], 'link.twins', gadgets[2])],
  },
  {
    name: 'unlink of a reference',
    keyed: false,
    operations: ({ part, gadgets }) => [unlink(gadgets[0], 'ref.a_reference', part)],
  },
  {
    name: 'unlink',
    keyed: false,
    operations: ({ part, gadgets }) => [unlink(gadgets[0], 'link.uses', part)],
  },
  { name: 'upsert that creates', batch: true, operations: () => [upsert('NEW', { name: 'new' })] },
  {
    name: 'upsert that updates',
    batch: true,
    operations: () => [upsert('ONE', { name: 'other' })],
  },
  {
    name: 'batch of creates',
    batch: true,
    operations: () => ['a', 'b', 'c'].map((name) => create({ name })),
  },
  {
    name: 'batch of everything',
    batch: true,
    operations: ({ part, gadgets }) => [
      create({ name: 'first', a_reference: part }),
      create({ name: 'second', model_id: gadgets[2] }),
      link(gadgets[1], 'link.uses', part),
      upsert('NEW', { name: 'third' }),
      upsert('TRE', { name: 'fourth' }),
      remove(gadgets[0]),
    ],
  },
  {
    name: 'batch of changes',
    batch: true,
    operations: ({ part, gadgets }) => [
      unlink(gadgets[0], 'link.uses', part),
      move(gadgets[1], 'built'),
      update(gadgets[2], { name: 'other', model_id: null }),
      create({ name: 'new' }),
    ],
  },
  {
    name: 'batch over objects',
    batch: true,
    objectTypes: ['parts', 'gadgets', 'fittings', 'gadgets', 'parts'],
    operations: ({ gadgets }) => [
      create({ label: 'first' }),
      create({ name: 'second', a_reference: { $op: 0 } }),
      create({ part_id: { $op: 0 }, gadget_id: { $op: 1 }, custom_fields: { note: 'third' } }),
      update(gadgets[0], { model_id: { $op: 1 } }),
      update({ $op: 0 }, { label: 'fourth' }),
    ],
  },
  {
    name: 'batch over objects about what upserts find and make',
    batch: true,
    objectTypes: ['parts', 'gadgets', 'gadgets', 'gadgets', 'fittings'],
    operations: () => [
      create({ label: 'first' }),
      upsert('TWO', { name: 'found', a_reference: { $op: 0 } }),
      upsert('NEW', { name: 'made' }),
      link({ $op: 1 }, 'link.peers', { $op: 2 }),
      create({ part_id: { $op: 0 }, gadget_id: { $op: 2 }, custom_fields: { note: 'last' } }),
    ],
  },
];

/** The faults of a statement. */
const FAULTS: readonly ((at: number) => Fault)[] = [
  (at) => ({ kind: 'lost_before', at }),
  (at) => ({ kind: 'lost_after', at }),
  (at) => ({ kind: 'fails', at, sqlstate: '57014' }),
  (at) => ({ kind: 'fails', at, sqlstate: '40001' }),
];

/** In the suite one fault at each statement, in turn, and COMMIT without an answer in every case. */
function faultsAt(at: number, count: number) {
  if (IS_LONG) return FAULTS;
  const [, lostAfter] = FAULTS;
  const inTurn = FAULTS[(at + count) % FAULTS.length] as (typeof FAULTS)[number];
  return at === count && lostAfter !== undefined ? [...new Set([lostAfter, inTurn])] : [inTurn];
}

/** With a key, which the answer is kept under, and without; in the suite one of the two, in turn. */
const CASES = PATHS.flatMap((path, index) => {
  const [without, withKey] = [
    { ...path, key: undefined },
    { ...path, key: 'the key' },
  ];
  if (path.keyed === false) return [without];
  if (IS_LONG) return [without, withKey];
  return [index % 2 === 0 ? withKey : without];
});

describe.each(CASES)('$name, key: $key', (path) => {
  test('interrupted at each of its statements', async () => {
    await restoreSeeds();
    const before = await quietDigest();
    // Twice: the first time it is not yet known which texts come again.
    await attempt(path);
    const after = await quietDigest();
    await restoreSeeds();
    proxy.arm();
    const plain = await attempt(path);
    expect(plain).toBe(path.refused ?? 'ok');
    expect(await quietDigest()).toBe(after);
    expect(after === before).toBe(plain !== 'ok' || isWithoutEffect(path));
    const texts = [...proxy.seen()];
    const last = path.refused === undefined ? texts.length : Number.POSITIVE_INFINITY;
    for (let at = 1; at <= texts.length; at += 1) {
      for (const fault of faultsAt(at, texts.length)) {
        const legal = { before, after, last };
        await interrupt(path, fault(at), legal).catch((error: unknown) => {
          const { cause, message } = error as Error;
          const where = `${JSON.stringify(fault(at))} of ${texts.length}: ${texts[at - 1]}`;
          throw new Error(`${where.slice(0, 300)}\n${message}`, { cause });
        });
      }
    }
    expect(texts.at(-1)).toMatch(path.refused === undefined ? /^commit$|^with/ : /./);
  });
});

interface Legal {
  readonly before: string;
  readonly after: string;
  /** Number of the statement that makes the effect last. */
  readonly last: number;
}

async function interrupt(path: Case, fault: Fault, { before, after, last }: Legal): Promise<void> {
  await restoreSeeds();
  proxy.arm(fault);
  const outcome = await attempt(path);
  expect(proxy.hasStruck()).toBe(true);
  proxy.arm();
  const left = await quietDigest();
  const isRetried = fault.kind === 'fails' && fault.sqlstate === '40001';
  const isCommitted = isRetried || (fault.kind === 'lost_after' && fault.at === last);
  const failures = ['ok', 'service_unavailable', 'internal_error', path.refused ?? 'ok'];
  expect(isRetried ? [path.refused ?? 'ok'] : failures).toContain(outcome);
  if (outcome === 'ok') expect(isRetried).toBe(true);
  expect(left).toBe(isCommitted ? after : before);
  if (isCommitted && path.key === undefined) return;
  expect(await attempt(path)).toBe(path.refused ?? (isCommitted ? 'replayed' : 'ok'));
  expect(await quietDigest()).toBe(after);
}

type Case = (typeof CASES)[number];

function isWithoutEffect({ name, key }: Case): boolean {
  return name === 'update that changes nothing' && key === undefined;
}

/** Answers `ok`, `replayed` or the code of the error. */
async function attempt(path: Case): Promise<string> {
  const { model } = sample;
  const context = { db, model, caller: sample.caller('anna'), requestId: 'req_1' };
  const object =
    path.objectTypes?.map((one) => sample.object(one)) ??
    sample.object(path.objectType ?? 'gadgets');
  const operations = path.operations(seeds);
  const refers = path.objectTypes !== undefined;
  const request = { operations, source: 'api', batch: path.batch ?? false, refers } as const;
  try {
    if (path.key === undefined) {
      await writeRecords(context, object, request);
      return 'ok';
    }
    const fingerprint = createHash('sha256').update(JSON.stringify(operations)).digest();
    const claim = { key: path.key, fingerprint };
    const { replayed } = await writeOnce(context, object, request, { claim, respond });
    return replayed === true ? 'replayed' : 'ok';
  } catch (error) {
    return error instanceof ApiError ? error.code : 'internal_error';
  }
}

function respond({ results }: Written) {
  const body = results.map(({ action, id, created, row }) => {
    return { action, id, created, ...(row === undefined ? {} : { version: versionToken(row) }) };
  });
  return { status: 200, body, version: '1', fields: ['name'] };
}

/** The digest when the backends that were cut off have noticed; no lock may remain for long then. */
async function quietDigest(): Promise<string> {
  const giveUp = Date.now() + 60_000;
  for (;;) {
    const [seen, ...rows] = await sample.own.rows(
      `select -1 as place, jsonb_build_object(
        'cut', (select count(*) from pg_stat_activity where pid = any($1)),
        'idle', (select count(*) from pg_stat_activity where datname = current_database()
          and state like 'idle in transaction%'),
        'locks', (select count(*) from pg_locks l where locktype = 'advisory' and l.database =
          (select oid from pg_database where datname = current_database())))::text as row
        union all select * from kept.rows() order by place`,
      [proxy.cutBackends()],
    );
    const text = String(seen?.row);
    if (/^[^1-9]*$/.test(text)) return digestOf(rows);
    if (Date.now() > giveUp) expect(JSON.parse(text)).toEqual({ cut: 0, idle: 0, locks: 0 });
  }
}

async function plantSeeds(): Promise<Seeds> {
  const { own, model } = sample;
  const context = { db: own.db, model, caller: sample.caller('anna'), requestId: null };
  async function write(objectType: string, operations: readonly WriteOperation[]) {
    const request = { operations, source: 'api', batch: true } as const;
    const { results } = await writeRecords(context, sample.object(objectType), request);
    return results.map(({ id }) => id);
  }
  const [part] = (await write('parts', [create({ label: 'part' })])) as [string];
  const names = ['one', 'two', 'three'];
  const codes = ['ONE', 'TWO', 'TRE'];
  const made = names.map((name, index) => create({ name, code: codes[index], rating: 1 }));
  const gadgets = (await write('gadgets', made)) as [string, string, string];
  const [first, second, third] = gadgets;
  await write('gadgets', [
    link(first, 'link.uses', part),
    link(second, 'link.peers', first),
    update(third, { model_id: first }),
  ]);
  await write('gadgets', [link(first, 'ref.a_reference', part)]);
  await write('fittings', [
    create({ part_id: part, gadget_id: first, custom_fields: { note: 'n' } }),
  ]);
  return { part, gadgets };
}

/** Keep a copy of every table, with a procedure that brings it back and a function that shows all. */
async function keepSeeds(): Promise<void> {
  const { own, model } = sample;
  const found = await own.rows(
    `select tablename from pg_tables where schemaname = $1 and not tablename in
      ('_definitions', '_users', '_teams', '_team_members') order by 1`,
    [model.schema],
  );
  const tables = found.map(({ tablename }) => String(tablename));
  await own.rows('create schema kept');
  for (const name of tables) {
    await own.rows(`create table kept."${name}" as table "${model.schema}"."${name}"`);
  }
  const steps = tables.map(
    (name) => `delete from "${model.schema}"."${name}";
      insert into "${model.schema}"."${name}" overriding system value table kept."${name}";`,
  );
  // Without foreign keys, so that the order of the tables does not matter.
  await own.rows(`create procedure kept.restore() language plpgsql as $$ begin
    set local session_replication_role = replica; ${steps.join('\n')} end $$`);
  const selects = tables.map((name, place) => {
    const row = name === '_audit' ? `to_jsonb(t) - '{id,transaction}'::text[]` : 'to_jsonb(t)';
    return `select ${place}, '${name} ' || (${row})::text from "${model.schema}"."${name}" t`;
  });
  await own.rows(`create function kept.rows() returns table (place integer, "row" text)
    language plpgsql as $$ begin return query ${selects.join(' union all ')}; end $$`);
}

async function restoreSeeds(): Promise<void> {
  await sample.own.rows('call kept.restore()');
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+(?:\+00:00|Z)/g;

const TRANSACTION = /"transaction": "?\d+"?/g;

/** Every row of the workspace, with new ids, times and transactions made the same. */
function digestOf(rows: readonly Row[]): string {
  const known = new Set([seeds.part, ...seeds.gadgets]);
  const texts = rows.map(({ row }) => {
    const text = String(row).replaceAll(UUID, (id) => (known.has(id) ? id : 'new'));
    return text
      .replaceAll(TIME, 'time')
      .replaceAll(TRANSACTION, '"transaction"')
      .replaceAll(/"\d-[0-9a-f]{12}"/g, '"version"')
      .replaceAll(/"etag": "[^,]*"/g, '"etag": "tag"');
  });
  return texts.sort().join('\n');
}
