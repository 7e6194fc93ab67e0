// Rows of tables in a stream, whatever the other side does: the connection stays usable after every
// end, a slow reader slows PostgreSQL down, and a stream that cannot continue ends with its cause.

import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Copying } from '../../src/postgres/copy.ts';
import type { Transaction } from '../../src/postgres/db.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
beforeAll(async () => {
  own = await createOwnDatabase();
  await own.rows('create table copied (row text)');
});
afterAll(() => own?.drop());

type Both = Transaction & Copying;

const rowsOf = (count: number, bytes: number) =>
  `copy (select repeat('x', ${bytes - 1}) from generate_series(1, ${count})) to stdout`;

/** Read a stream to its end, a turn of the event loop for each piece. */
async function sizeOf(pieces: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    await turn();
  }
  return size;
}

const isAlive = async (tx: Both) =>
  (await tx.query({ text: 'select 1 as alive', values: [] }))[0]?.alive === 1;

const backends = async () =>
  (await own.rows(`select pid from pg_stat_activity where datname = current_database()`)).length;

test.each([
  [0, 10],
  [10, 1000],
  [20, 1000],
  [3, 100_000],
  [70, 16_384],
  [1, 5_000_000],
  [5000, 1000],
])('%i rows of %i bytes, and the connection continues', async (count, bytes) => {
  await own.db.copying(async (tx) => {
    for (const _ of ['first', 'second']) {
      expect(await sizeOf(tx.copyOut(rowsOf(count, bytes)))).toBe(count * bytes);
    }
    expect(await isAlive(tx)).toBe(true);
  });
});

test('rows without a reader are not taken from PostgreSQL', async () => {
  await own.db.copying(async (tx) => {
    const pieces = tx.copyOut(rowsOf(40_000, 1000))[Symbol.asyncIterator]();
    let size = (await pieces.next()).value.length;
    const [{ pid } = {}] = await own.rows(
      `select pid from pg_stat_activity where query like 'copy (select repeat%' and state = 'active'
        and datname = current_database()`,
    );
    // It waits for its client, which the sockets alone would have let run ahead by megabytes.
    const waiting = `select wait_event from pg_stat_activity where pid = $1`;
    await expect
      .poll(async () => own.rows(waiting, [pid]))
      .toEqual([{ wait_event: 'ClientWrite' }]);
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      size += next.value.length;
    }
    expect(size).toBe(40_000_000);
    expect(await isAlive(tx)).toBe(true);
  });
});

test('a failure in the middle has its cause, and the pool continues', async () => {
  const failing = `copy (select repeat('x', 999) || 1 / (15000 - n) from generate_series(1, 20000) n) to stdout`;
  await expect(own.db.copying((tx) => sizeOf(tx.copyOut(failing)))).rejects.toThrow(
    'division by zero',
  );
  await own.db.copying(async (tx) => {
    await expect(sizeOf(tx.copyOut('copy nothing to stdout'))).rejects.toThrow('does not exist');
    await tx.query({ text: 'rollback', values: [] }, { prepare: false });
    expect(await isAlive(tx)).toBe(true);
  });
});

test.each([3, 40_000])('a reader that stops early fails as it says (%i rows)', async (count) => {
  const leaving = own.db.copying(async (tx) => {
    for await (const _ of tx.copyOut(rowsOf(count, 1000))) throw new Error('no space left');
  });
  await expect(leaving).rejects.toThrow('no space left');
  await own.db.copying(async (tx) => expect(await isAlive(tx)).toBe(true));
  const copying = `select 1 from pg_stat_activity where query like 'copy (select repeat%'
    and state = 'active' and datname = current_database()`;
  await expect.poll(() => own.rows(copying)).toEqual([]);
});

test('a server that goes away under a slow reader is a failure', async () => {
  const reading = own.db.copying(async (tx) => {
    const pieces = tx.copyOut(rowsOf(40_000, 1000))[Symbol.asyncIterator]();
    await pieces.next();
    await own.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy (select repeat%'
        and datname = current_database()`,
    );
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next());
  });
  await expect(reading).rejects.toThrow(/./);
  expect(await backends()).toBeGreaterThan(0);
});

async function* many(count: number, bytes: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index += 1) {
    if (index % 100 === 0) await turn();
    yield Buffer.from(`${'x'.repeat(bytes - 1)}\n`);
  }
}

test('rows that are fed slowly or all at once arrive', async () => {
  await own.db.copying(async (tx) => {
    const into = 'copy copied from stdin';
    expect(await tx.copyIn(into, many(0, 10))).toBe(0);
    expect(await tx.copyIn(into, many(3, 2_000_000))).toBe(3);
    expect(await tx.copyIn(into, many(5000, 1000))).toBe(5000);
    expect(await isAlive(tx)).toBe(true);
  });
});

test('rows that end in a failure leave none', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield* many(2000, 1000);
    throw new Error('the pipe is closed');
  }
  const before = await own.rows('select count(*) as rows from copied');
  const into = 'copy copied from stdin';
  await expect(own.db.copying((tx) => tx.copyIn(into, broken()))).rejects.toThrow('pipe is closed');
  const refused = own.db.copying((tx) => tx.copyIn('copy copied (nothing) from stdin', many(9, 9)));
  await expect(refused).rejects.toThrow('does not exist');
  async function* twoColumns(): AsyncGenerator<Buffer> {
    for (;;) yield Buffer.from('a\tb\n');
  }
  const endless = own.db.copying((tx) => tx.copyIn(into, twoColumns()));
  await expect(endless).rejects.toThrow('extra data');
  expect(await own.rows('select count(*) as rows from copied')).toEqual(before);
});
