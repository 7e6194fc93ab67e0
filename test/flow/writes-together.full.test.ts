// Single writes that arrive at the same time: how few transactions they take, that no write waits or fails for
// another, and that the result is the same as one by one.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import type { Answer } from '../../src/flow/records/idempotency.ts';
import type { Written } from '../../src/flow/records/write-flow.ts';
import { writeOnce, writeRecords } from '../../src/flow/records/write-flow.ts';
import type { WriteContext } from '../../src/flow/records/write-group.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { entityTag } from '../../src/model/values/entity-tag.ts';
import { versionToken } from '../../src/plan/write/precondition.ts';
import type { FieldValues, WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Database, QueryStats, Row } from '../../src/postgres/db.ts';
import { openDatabases } from '../../src/postgres/places.ts';
import { lacks } from '../own-database.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

const ABSENT = '01900000-0000-7000-8000-0000000000ff';

let sample: SampleWorkspace;
let db: Database;
/** The statements that `db` has sent. */
const stats: QueryStats = { statements: 0, roundTrips: 0 };
let requests = 0;

beforeAll(async () => {
  sample = await openSampleWorkspace();
  db = openPool(stats);
});

afterAll(async () => {
  await db?.close();
  await sample?.own.drop();
});

beforeEach(async () => {
  await rows('delete from s.gadgets');
  await rows('delete from s._audit');
  await rows('delete from s._idempotency');
});

function openPool(counted?: QueryStats): Database {
  const { connection, hasPlaces } = sample.own;
  return openDatabases({
    ...{ connection, poolSize: 24, statementTimeout: 60_000 },
    // Where a workspace is takes statements as well.
    ...(counted === undefined ? { hasPlaces } : { stats: counted }),
  });
}

/** Run SQL in which `s.` means the schema of the workspace. */
function rows(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return sample.own.rows(text.replaceAll(/\bs\./g, `"${sample.model.schema}".`), values);
}

interface Sender {
  readonly caller?: Caller;
  readonly pool?: Database;
}

function contextOf({ caller = sample.caller('anna'), pool = db }: Sender): WriteContext {
  requests += 1;
  return { db: pool, model: sample.model, caller, requestId: `req_${requests}` };
}

function write(operation: WriteOperation, sender: Sender = {}): Promise<Written> {
  const request = { operations: [operation], source: 'api', batch: false } as const;
  return writeRecords(contextOf(sender), sample.object('gadgets'), request);
}

function respond({ results }: Written): Answer {
  const row = results[0]?.row as Row;
  const { id, name, a_integer, version, created_at } = row;
  const body = { id, name, a_integer, version, created_at };
  return { status: 201, body, version: versionToken(row), fields: [] };
}

function createOnce(key: string, fields: FieldValues, sender: Sender = {}): Promise<Answer> {
  const operations = [{ action: 'create', fields }] as const;
  const request = { operations, source: 'api', batch: false } as const;
  const fingerprint = createHash('sha256').update(JSON.stringify(fields)).digest();
  const once = { claim: { key, fingerprint }, respond };
  return writeOnce(contextOf(sender), sample.object('gadgets'), request, once);
}

const patch = (row: Row | undefined, fields: FieldValues, token?: string): WriteOperation => ({
  action: 'update',
  id: String(row?.id),
  fields,
  precondition: token === undefined ? undefined : { any_of: [token] },
});

async function make(count: number): Promise<readonly Row[]> {
  const operations = Array.from({ length: count }, (_, index) => {
    return { action: 'create', fields: { name: `Made ${index}` } } as const;
  });
  const request = { operations, source: 'api', batch: true } as const;
  const { results } = await writeRecords(contextOf({}), sample.object('gadgets'), request);
  return results.map(({ row }) => row as Row);
}

/** A person as another process sees them: their requests are not coalesced with the rest. */
const elsewhere = (): Caller => ({ ...sample.caller('anna') });

const codeOf = (outcome: PromiseSettledResult<unknown>) => {
  if (outcome.status === 'fulfilled') return 'ok';
  return outcome.reason instanceof ApiError ? outcome.reason.code : String(outcome.reason);
};

const codesOf = async (attempts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map(codeOf);

async function costOf(work: () => Promise<unknown>): Promise<readonly [number, number]> {
  const before = [stats.roundTrips, stats.statements] as const;
  await work();
  return [stats.roundTrips - before[0], stats.statements - before[1]];
}

/** Runs `work` while somebody else holds the record. */
async function whileHeld<Result>(
  row: Row | undefined,
  work: (release: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hold: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    hold = sample.db.transaction(async (tx) => {
      const text = `select from "${sample.model.schema}".gadgets where id = $1 for update`;
      await tx.query({ text, values: [row?.id] });
      resolve();
      await released;
    });
  });
  try {
    return await work(() => {
      release();
      return hold;
    });
  } finally {
    release();
    await hold;
  }
}

describe('updates at the same time', () => {
  test('twenty take two round trips, forty take four', async () => {
    const made = await make(40);
    const all = (some: readonly Row[], name: string) => () =>
      Promise.all(some.map((row) => write(patch(row, { name }))));
    expect(await costOf(all(made.slice(0, 20), 'a'))).toEqual([2, 7]);
    expect(await costOf(all(made, 'b'))).toEqual([4, 14]);
    expect(await costOf(all(made.slice(0, 1), 'c'))).toEqual([2, 7]);
    const stored = await rows('select name, version from s.gadgets order by version');
    expect(stored.map(({ name, version }) => `${name}${version}`)).toEqual([
      ...Array(20).fill('b2'),
      ...Array(19).fill('b3'),
      'c4',
    ]);
  });

  test('each has its answer, its version and an audit row with the id of its request', async () => {
    const made = await make(15);
    const first = requests + 1;
    const written = await Promise.all(
      made.map((row, index) => write(patch(row, index % 5 === 0 ? {} : { a_integer: index }))),
    );
    const audited = await rows(
      `select record_id, request_id, batch_id, action, changed_fields from s._audit
        where action = 'update' order by id`,
    );
    expect(audited).toEqual(
      made.flatMap(({ id: record_id }, index) => {
        const request_id = `req_${first + index}`;
        const row = { record_id, request_id, batch_id: null };
        return index % 5 === 0 ? [] : [{ ...row, action: 'update', changed_fields: ['a_integer'] }];
      }),
    );
    written.forEach(({ results }, index) => {
      const isChanged = index % 5 !== 0;
      expect(results).toMatchObject([
        {
          action: 'update',
          id: made[index]?.id,
          created: false,
          changed: isChanged,
          row: expect.objectContaining({
            a_integer: isChanged ? index : null,
            version: isChanged ? 2 : 1,
          }),
        },
      ]);
    });
  });

  test('refused writes cost the others nothing', async () => {
    const made = await make(12);
    const work = () =>
      codesOf(
        made.map((row, index) => {
          if (index % 4 === 0) return write(patch(row, { a_integer: 1 }, '9-x'));
          if (index % 4 === 1) return write(patch(row, { a_user: 999_999 }));
          return write(patch(row, { a_integer: 1 }, versionToken(row)));
        }),
      );
    let codes: readonly string[] = [];
    const cost = await costOf(async () => {
      codes = await work();
    });
    const each = ['stale_record', 'invalid_write', 'ok', 'ok'];
    expect(codes).toEqual([...each, ...each, ...each]);
    // The rows, the people, the updates, the audit.
    expect(cost).toEqual([2, 4]);
    const changed = await rows('select id from s.gadgets where version = 2');
    expect(changed).toHaveLength(6);
  });

  test('of one record are made one after the other', async () => {
    const [row] = await make(1);
    const written = await Promise.all(
      Array.from({ length: 10 }, (_, index) => write(patch(row, { a_integer: index }))),
    );
    expect(written.map(({ results }) => results[0]?.row?.version)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 2),
    );
    const token = `11-${String(row?.id).slice(-12)}`;
    const codes = await codesOf(
      Array.from({ length: 10 }, (_, index) => write(patch(row, { a_integer: -index - 1 }, token))),
    );
    expect(codes.sort()).toEqual(['ok', ...Array(9).fill('stale_record')]);
    const audited = await rows(`select id from s._audit where action = 'update'`);
    expect(audited).toHaveLength(11);
  });

  test('a record that is locked elsewhere, or missing, delays no other write', async () => {
    const made = await make(6);
    const waiting = await whileHeld(made[0], async () => {
      const held = write(patch(made[0], { name: 'late' }));
      const free = made.slice(1).map((row) => write(patch(row, { name: 'early' })));
      const absent = write(patch({ id: ABSENT }, { name: 'never' }));
      expect(await codesOf([...free, absent])).toEqual([
        ...Array(5).fill('ok'),
        'record_not_found',
      ]);
      let isDone = false;
      const done = held.then((written) => {
        isDone = true;
        return written;
      });
      await sleep(20);
      expect(isDone).toBe(false);
      return { done };
    });
    const { results } = await waiting.done;
    expect(results[0]?.row).toMatchObject({ name: 'late', version: 2 });
  });

  test.skipIf(lacks('triggers'))('a refusal of the database concerns one write only', async () => {
    const { schema } = sample.model;
    const made = await make(8);
    await rows(`create function s.boom() returns trigger language plpgsql as $$ begin
      if new.name = 'boom' then raise exception 'boom' using errcode = '23514'; end if;
      return new; end $$`);
    await rows(`create trigger boom before update on s.gadgets
      for each row execute function "${schema}".boom()`);
    const outcomes = await Promise.allSettled(
      made.map((row, index) => write(patch(row, { name: index === 3 ? 'boom' : 'fine' }))),
    );
    await rows('drop function s.boom() cascade');
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      made.map((_, index) => index !== 3),
    );
    const stored = await rows('select name, version from s.gadgets where version > 1');
    expect(stored.map(({ name, version }) => `${name}${version}`)).toEqual(Array(7).fill('fine2'));
    const audited = await rows(`select id from s._audit where action = 'update'`);
    expect(audited).toHaveLength(7);
  });

  test('unique values and references are sent alone', async () => {
    const [one, two, three] = await make(3);
    await write(patch(three, { code: 'TAKEN' }));
    const codes = await codesOf([
      write(patch(one, { code: 'TAKEN' })),
      write(patch(two, { code: 'FREE' })),
      write(patch(three, { a_reference: ABSENT })),
    ]);
    expect(codes).toEqual(['conflict', 'ok', 'invalid_write']);
  });

  test('groups of two processes in opposite orders: all are made, without a deadlock', async () => {
    const made = await make(12);
    const senders = [0, 1].map(() => ({ caller: elsewhere(), pool: openPool() }));
    const send = (row: Row, round: number, side: 0 | 1) =>
      write(patch(row, { a_integer: 2 * round + side }), senders[side]);
    const opposite = made.toReversed();
    for (let round = 0; round < 150; round += 1) {
      const [from, to] = [round % 5, 12 - (round % 3)];
      await Promise.all([
        ...made.slice(from, to).map((row) => send(row, round, 0)),
        ...opposite.slice(from, to).map((row) => send(row, round, 1)),
      ]);
    }
    // A sender that leaves reports its counts.
    await Promise.all(senders.map(({ pool }) => pool.close()));
    const [{ deadlocks } = {}] = await rows(
      'select deadlocks::integer from pg_stat_database where datname = current_database()',
    );
    expect(deadlocks).toBe(0);
    const wrong = await rows(
      `select g.id from s.gadgets g where version - 1 <>
        (select count(*) from s._audit a where a.record_id = g.id and a.action = 'update')`,
    );
    expect(wrong).toEqual([]);
  });
});

describe('creates under keys at the same time', () => {
  const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);

  test('twenty take two round trips; each is stored as it was sent', async () => {
    const before = requests;
    const send = () =>
      keysOf(20).map((key) => createOnce(key, { name: `Of ${key}`, a_integer: 7 }));
    let answers: readonly Answer[] = [];
    const cost = await costOf(async () => {
      answers = await Promise.all(send());
    });
    // The keys, the records, the audit, two of the search, the answers.
    expect(cost).toEqual([2, 6]);
    const stored = await rows(
      `select key, etag, body::text as body, record_ids from s._idempotency order by key`,
    );
    expect(stored).toEqual(
      answers
        .map(({ body, version }, index) => {
          const etag = entityTag(JSON.stringify(body), version);
          const record_ids = [(body as Row).id];
          return { key: `key-${index}`, etag, body: JSON.stringify(body), record_ids };
        })
        .sort((a, b) => (a.key < b.key ? -1 : 1)),
    );
    const audited = await rows('select request_id, batch_id from s._audit order by id');
    expect(audited).toEqual(
      keysOf(20).map((_, index) => ({ request_id: `req_${before + index + 1}`, batch_id: null })),
    );
    const again = await Promise.all(send());
    expect(again).toEqual(
      answers.map(({ body, version }) => {
        const etag = entityTag(JSON.stringify(body), version);
        return { status: 201, body, etag, fields: [], replayed: true };
      }),
    );
    expect(await rows('select id from s.gadgets')).toHaveLength(20);
  });

  test('one key among them twice: one record, the second hears of it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const keys = ['a', 'b', 'a', 'c', 'a'].map((key) => `${key}-${round}`);
      const outcomes = await Promise.allSettled(keys.map((key) => createOnce(key, { name: key })));
      const codes = outcomes.map(codeOf);
      expect([codes[0], codes[1], codes[3]]).toEqual(['ok', 'ok', 'ok']);
      for (const index of [2, 4]) {
        const outcome = outcomes[index];
        if (outcome?.status !== 'fulfilled') expect(codes[index]).toBe('idempotency_key_in_use');
        else expect(outcome.value.replayed).toBe(true);
      }
      expect(await rows('select id from s.gadgets where name = $1', [`a-${round}`])).toHaveLength(
        1,
      );
    }
  });

  test('a key with another body, one that is broken, a value that is taken: the rest is made', async () => {
    await createOnce('used', { name: 'first', code: 'TAKEN' });
    const work = () =>
      codesOf([
        createOnce('used', { name: 'other' }),
        createOnce('broken', { name: null }),
        createOnce('unknown', { name: 'n', nope: 1 }),
        createOnce('absent', { name: 'n', a_reference: ABSENT }),
        createOnce('taken', { name: 'n', code: 'TAKEN' }),
        createOnce('good', { name: 'good' }),
        createOnce('fine', { name: 'fine' }),
      ]);
    const refusals = ['idempotency_key_reused', 'invalid_write', 'invalid_filter', 'invalid_write'];
    expect(await work()).toEqual([...refusals, 'conflict', 'ok', 'ok']);
    const stored = await rows('select key from s._idempotency order by key');
    expect(stored.map(({ key }) => key)).toEqual(['fine', 'good', 'used']);
    const made = await rows('select name from s.gadgets order by name');
    expect(made.map(({ name }) => name)).toEqual(['fine', 'first', 'good']);
    // A failed one has freed its key.
    expect(await codesOf([createOnce('broken', { name: 'mended' })])).toEqual(['ok']);
    const held = await rows(
      `select objid from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(held).toEqual([]);
  });

  test('the same keys from two processes: one record each', async () => {
    const pool = openPool();
    for (let round = 0; round < 20; round += 1) {
      const keys = keysOf(10).map((key) => `${key}-${round}`);
      const theirs = { caller: elsewhere(), pool };
      const codes = await codesOf([
        ...keys.map((key) => createOnce(key, { name: key })),
        ...keys.toReversed().map((key) => createOnce(key, { name: key }, theirs)),
      ]);
      expect(codes.filter((code) => !['ok', 'idempotency_key_in_use'].includes(code))).toEqual([]);
      const made = await rows('select name from s.gadgets where name like $1', [`%-${round}`]);
      expect(made.map(({ name }) => name).sort()).toEqual([...keys].sort());
    }
    await pool.close();
  });

  test('answers that are over are forgotten', async () => {
    await Promise.all(keysOf(5).map((key) => createOnce(key, { name: 'old' })));
    await rows(`update s._idempotency set stored_at = now() - interval '25 hours'
      where key in ('key-1', 'key-3')`);
    const answers = await Promise.all(keysOf(5).map((key) => createOnce(key, { name: 'old' })));
    expect(answers.map(({ replayed }) => replayed === true)).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(await rows('select id from s.gadgets')).toHaveLength(7);
  });
});
