// Pools on a server that has less room than they want.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConnectionRoom } from '../../src/control/process/connection-room.ts';
import { connectionUrl, withSslMode } from '../../src/postgres/connection-url.ts';
import type { ConnectionOptions } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
const role = `limited_${randomBytes(6).toString('hex')}`;
const LIMIT = 3;
let connection: ConnectionOptions;

beforeAll(async () => {
  own = await createOwnDatabase();
  await own.rows(`create role ${role} login connection limit ${LIMIT}`);
  connection = { ...own.connection, user: role };
});
afterAll(async () => {
  await own.rows(`drop role ${role}`);
  await own.drop();
});

const open = (poolSize: number) => openDatabase({ connection, poolSize, statementTimeout: 5000 });
const PAUSE = { text: 'select pg_sleep(0.01)', values: [] };

test('a pool continues with the existing connections', async () => {
  const db = open(10);
  try {
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => db.query(PAUSE)));
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
  } finally {
    await db.close();
  }
});

test('without a single connection the answer says why, and not that there is much to do', async () => {
  const [taking, late] = [open(LIMIT), open(2)];
  try {
    await Promise.all(Array.from({ length: LIMIT }, () => taking.query(PAUSE)));
    await expect(late.query(PAUSE)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The database has no connection left for this service. Try again shortly.',
    });
  } finally {
    await Promise.all([taking.close(), late.close()]);
  }
});

test('the room is that of the narrowest limit, less the open connections', async () => {
  const [asking, other] = [open(1), open(1)];
  try {
    // Connections of the tests before may be about to end.
    await expect.poll(() => loadConnectionRoom(asking)).toBe(LIMIT);
    await other.query(PAUSE);
    expect(await loadConnectionRoom(asking)).toBe(LIMIT - 1);
    expect(await loadConnectionRoom(own.db)).toBeGreaterThan(LIMIT);
  } finally {
    await Promise.all([asking.close(), other.close()]);
  }
});

test('sslmode matches the behaviour of the driver', () => {
  const url = 'postgres://u:p@db.example:5432/records';
  expect(withSslMode(`${url}?sslmode=require`)).toBe(`${url}?sslmode=verify-full`);
  for (const same of [
    url,
    `${url}?sslmode=disable`,
    `${url}?uselibpqcompat=true&sslmode=require`,
  ]) {
    expect(withSslMode(same)).toBe(same);
  }
  expect(withSslMode(connectionUrl(own.connection))).toBe(connectionUrl(own.connection));
});

test('no session compiles its plans, whatever the role says', async () => {
  await own.rows(`alter role ${role} set jit = on`);
  const db = open(2);
  const SHOWN = { text: 'show jit', values: [] };
  try {
    const shown = await Promise.all([SHOWN, SHOWN, SHOWN].map((statement) => db.query(statement)));
    expect(shown.flat()).toEqual(shown.map(() => ({ jit: 'off' })));
    const pooled = openDatabase({ connection, poolSize: 1, statementTimeout: 0, pooled: true });
    expect(await pooled.query(SHOWN)).toEqual([{ jit: 'on' }]);
    await pooled.close();
  } finally {
    await db.close();
  }
});
