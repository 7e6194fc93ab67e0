// The database access: values as the wire shows them, transactions, timeouts, cancellation, recovery.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { openConnections } from '../../src/postgres/connections.ts';
import type { Database } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let db: Database;

beforeAll(async () => {
  own = await createOwnDatabase();
  await own.rows('create table t (id integer primary key)');
  db = openDatabase({ connection: own.connection, poolSize: 3, statementTimeout: 500 });
});
afterAll(async () => {
  await db.close();
  await own.drop();
});

function run(text: string, values: readonly unknown[] = []) {
  return db.query({ text, values });
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'service_unavailable';
}

test.each([
  ['count(*)', 1],
  ['9007199254740993::int8', '9007199254740993'],
  ['0.1::numeric + 0.2', 0.3],
  ["date '2026-02-03'", '2026-02-03'],
  ["timestamptz '2026-02-03 04:05:06.7+02'", '2026-02-03T02:05:06.700Z'],
  ["timestamptz(3) '0001-01-01 00:00:00+00'", '0001-01-01T00:00:00.000Z'],
  ["array['a', null]::text[]", ['a', null]],
  [`'{"a": 1}'::jsonb`, { a: 1 }],
])('%s arrives as %j', async (expression, expected) => {
  expect(await run(`select ${expression} as value`)).toEqual([{ value: expected }]);
});

test('a server that lacks something says what', async () => {
  const full = `do $$ begin raise exception 'no space left' using errcode = '53100'; end $$`;
  const crowded = `do $$ begin raise exception 'too many' using errcode = '53300'; end $$`;
  const short = `do $$ begin raise exception 'no memory' using errcode = '53200'; end $$`;
  const messageOf = (text: string) => run(text).catch((error: ApiError) => error.message);
  expect(await messageOf(full)).toBe('The disk of the database is full.');
  expect(await messageOf(crowded)).toContain('no connection left');
  expect(await messageOf(short)).toBe('The service is busy. Try again shortly.');
  const stopping = `do $$ begin raise exception 'going down' using errcode = '57P01'; end $$`;
  expect(await messageOf(stopping)).toBe('The database does not answer. Try again shortly.');
});

test('a server that is not there is not an overload of the service', async () => {
  const connection = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' };
  const away = openDatabase({ connection, poolSize: 1, statementTimeout: 500 });
  const failure = await away.query({ text: 'select 1', values: [] }).catch((error) => error);
  await away.close();
  expect(isUnavailable(failure)).toBe(true);
  expect(failure.message).toBe('The database does not answer. Try again shortly.');
});

test.each(['America/New_York', 'Asia/Kolkata', 'Europe/Berlin', 'UTC'])(
  'times are in UTC although the session is in %s',
  async (zone) => {
    const { database } = own.connection;
    await own.rows(`alter database "${database}" set timezone = '${zone}'`);
    const elsewhere = openDatabase({
      connection: own.connection,
      poolSize: 1,
      statementTimeout: 0,
    });
    try {
      const times = [
        '0001-01-02T00:00:00.007Z',
        '1883-11-18T12:34:56.700Z',
        '2026-07-01T00:00:00.000Z',
      ];
      const text = 'select unnest($1::timestamptz[]) as at';
      const rows = await elsewhere.query({ text, values: [times] });
      expect(rows.map(({ at }) => at)).toEqual(times);
    } finally {
      await elsewhere.close();
    }
  },
);

test.each([
  ['text[]', ['a b', '', 'NULL', 'null', null, '{x,y}', 'ω, 株, \u{1F600}', ' padded ']],
  ['text[]', ['"quoted"', 'C:\\temp', 'line\nline', '\u007f\u2028', "it's"]],
  ['text[]', []],
  ['integer[]', [0, -1, null, 2_147_483_647]],
  ['numeric[]', [0.1, 1e21, 1e-7]],
  ['boolean[]', [true, false, null]],
  ['jsonb[]', [{ a: ['b"\\'] }, null]],
  [
    'integer[]',
    [
      [1, 2],
      [3, 4],
    ],
  ],
])('a list sent as %s: %j', async (type, list) => {
  const text = `select to_jsonb($1::${type}) as list`;
  expect(await run(text, [list])).toEqual([{ list }]);
});

describe('transactions', () => {
  test('a failure leaves no trace, and the connection is used again', async () => {
    const backends = new Set<unknown>();
    for (let round = 0; round < 10; round += 1) {
      const attempt = db.transaction(async (tx) => {
        await tx.query({ text: 'insert into t values ($1)', values: [round] });
        const rows = await tx.query({ text: 'select pg_backend_pid() as pid', values: [] });
        backends.add(rows[0]?.pid);
        throw new ApiError('invalid_write');
      });
      await expect(attempt).rejects.toMatchObject({ code: 'invalid_write' });
    }
    expect(await run('select count(*) from t')).toEqual([{ count: 0 }]);
    expect(backends.size).toBe(1);
  });

  test('work that fails by itself is undone, and its connection is used again', async () => {
    const single = openDatabase({ connection: own.connection, poolSize: 1, statementTimeout: 0 });
    const backend = { text: 'select pg_backend_pid() as id', values: [] };
    const [before] = await single.query(backend);
    const insert = { text: 'insert into t values (77)', values: [] };
    const failing = single.transaction(async (tx) => {
      await tx.query(insert);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await single.query(backend)).toEqual([before]);
    expect(await run('select id from t where id = 77')).toEqual([]);
    await single.close();
  });

  test('finish sends the last statements with COMMIT; their failure is the failure', async () => {
    const insert = (id: number) => ({ text: 'insert into t values ($1)', values: [id] });
    await db.transaction((tx) => tx.finish([insert(1), insert(2)]));
    expect(await run('select count(*) from t')).toEqual([{ count: 2 }]);
    const failing = db.transaction((tx) => tx.finish([insert(3), insert(1), insert(4)]));
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await run('select count(*) from t')).toEqual([{ count: 2 }]);
  });

  test('work that continues after a failed statement is not a success', async () => {
    const working = db.transaction(async (tx) => {
      await tx.query({ text: 'insert into t values (88)', values: [] });
      await tx.query({ text: 'select 1 / 0', values: [] }).catch(() => undefined);
    });
    await expect(working).rejects.toThrow('the transaction ended in ROLLBACK');
    expect(await run('select id from t where id = 88')).toEqual([]);
  });

  test('statements behind one that failed can be sent again on the same connection', async () => {
    const single = openDatabase({ connection: own.connection, poolSize: 1, statementTimeout: 0 });
    const select = (what: string) => ({ text: `select $1::integer / 1 as ${what}`, values: [7] });
    const fails = { text: 'select 1 / $1::integer', values: [0] };
    try {
      // A text gets a name when it comes for the second time.
      for (let round = 0; round < 3; round += 1) {
        const all = [select('before'), fails, select('behind'), select('last')];
        const failing = single.transaction((tx) => tx.queryAll(all));
        await expect(failing).rejects.toMatchObject({ code: '22012' });
      }
      const answers = await single.transaction((tx) => tx.finish([select('behind')]));
      expect(answers).toEqual([[{ behind: 7 }]]);
      expect(await single.query(select('last'))).toEqual([{ last: 7 }]);
    } finally {
      await single.close();
    }
  });

  test('BEGIN and COMMIT cost no round trip of their own', async () => {
    const before = own.stats.roundTrips;
    const one = { text: 'select 1 as one', values: [] };
    await own.db.transaction(async (tx) => {
      await tx.queryAll([one, one]);
      await tx.finish([one]);
    });
    expect(own.stats.roundTrips - before).toBe(2);
  });

  test('deadlocks are repeated, not shown', async () => {
    const lock = (id: number) => ({ text: 'select from t where id = $1 for update', values: [id] });
    const both = (first: number, second: number) =>
      db.transaction(async (tx) => {
        await tx.query(lock(first));
        await new Promise((resolve) => setTimeout(resolve, 50));
        await tx.query(lock(second));
        return 'done';
      });
    await run(
      'alter database ' + JSON.stringify(own.connection.database) + ' set deadlock_timeout = 50',
    );
    expect(await Promise.all([both(1, 2), both(2, 1)])).toEqual(['done', 'done']);
  });
});

test('a statement over the time limit is service_unavailable', async () => {
  await expect(run('select pg_sleep(600)')).rejects.toSatisfy(isUnavailable);
});

test('an aborted statement is cancelled in PostgreSQL, its connection lives on', async () => {
  const slow = openDatabase({ connection: own.connection, poolSize: 1, statementTimeout: 600_000 });
  try {
    const [before] = await slow.query({ text: 'select pg_backend_pid() as pid', values: [] });
    const controller = new AbortController();
    const statement = { text: 'select pg_sleep(500)', values: [] };
    const sleeping = slow.query(statement, { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(sleeping).rejects.toSatisfy(isUnavailable);
    const [after] = await slow.query({ text: 'select pg_backend_pid() as pid', values: [] });
    expect(after).toEqual(before);
  } finally {
    await slow.close();
  }
});

test('a killed connection is replaced', async () => {
  const [row] = await run('select pg_backend_pid() as pid');
  await own.rows('select pg_terminate_backend($1)', [row?.pid]);
  for (let round = 0; round < 5; round += 1) {
    await run('select 1').catch((error) => expect(error).toSatisfy(isUnavailable));
  }
  expect(await run('select 1 as one')).toEqual([{ one: 1 }]);
});

test('a text is prepared when it comes again, one that is said not to is never', async () => {
  const single = openDatabase({ connection: own.connection, poolSize: 1, statementTimeout: 0 });
  const ask = (text: string, prepare = true) => single.query({ text, values: [] }, { prepare });
  const prepared = async () => {
    const rows = await ask('select statement from pg_prepared_statements order by 1', false);
    return rows.map(({ statement }) => statement);
  };
  try {
    await ask("select 'once'");
    for (const text of ["select 'again'", "select 'again'"]) await ask(text);
    for (const text of ["select 'ddl'", "select 'ddl'"]) await ask(text, false);
    expect(await prepared()).toEqual(["select 'again'"]);
  } finally {
    await single.close();
  }
});

test('a change of a column type does not outlive a prepared statement', async () => {
  await run('create table shape (a integer)');
  await run('insert into shape values (1)');
  const select = () => run('select a from shape');
  for (let round = 0; round < 6; round += 1) await select();
  await own.rows('alter table shape alter column a type text');
  expect(await select()).toEqual([{ a: '1' }]);
});

describe('shares of the connections', () => {
  /** Takes until the lock is released; of those who wait many can have it. */
  const WAIT = { text: 'select pg_advisory_xact_lock_shared(1)', values: [] };

  async function holdLock(): Promise<() => Promise<void>> {
    const holder = openDatabase({
      connection: own.connection,
      poolSize: 1,
      statementTimeout: 60_000,
    });
    await holder.query({ text: 'select pg_advisory_lock(1)', values: [] });
    return () => holder.close();
  }

  test('slow statements of one workspace leave connections for others', async () => {
    const {
      db: direct,
      tenants,
      close,
    } = openConnections({
      connection: own.connection,
      poolSize: 5,
      statementTimeout: 10_000,
    });
    try {
      const release = await holdLock();
      const slow = tenants.forTenant({ workspace: 1, principal: 'a' });
      const sleeps = Array.from({ length: 6 }, () => slow.query(WAIT));
      let isSlowOver = false;
      const all = Promise.all(sleeps).then(() => {
        isSlowOver = true;
      });
      const select = { text: 'select 1 as one', values: [] };
      const other = tenants.forTenant({ workspace: 2, principal: 'b' });
      expect(await other.query(select)).toEqual([{ one: 1 }]);
      expect(await other.transaction((tx) => tx.query(select))).toEqual([{ one: 1 }]);
      expect(await direct.query(select)).toEqual([{ one: 1 }]);
      expect([isSlowOver, tenants.load()]).toEqual([false, { held: 3, waiting: 3 }]);
      await release();
      await all;
      expect(tenants.load()).toEqual({ held: 0, waiting: 0 });
    } finally {
      await close();
    }
  });

  test('a wait that is too long ends in 503, and a failure releases its slot', async () => {
    const { tenants, close } = openConnections({
      connection: own.connection,
      poolSize: 1,
      statementTimeout: 10_000,
    });
    try {
      const tenant = tenants.forTenant({ workspace: 1, principal: 'a' });
      const release = await holdLock();
      const slow = tenant.query(WAIT);
      const late = tenant.query({ text: 'select 1', values: [] });
      await expect(late).rejects.toSatisfy(isUnavailable);
      await release();
      await slow;
      await expect(tenant.query({ text: 'select 1/0', values: [] })).rejects.toThrow('division');
      expect(tenants.load()).toEqual({ held: 0, waiting: 0 });
    } finally {
      await close();
    }
  });
});
