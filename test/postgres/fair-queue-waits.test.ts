// Waits for a connection: as long as PostgreSQL executes what holds the connections, not while that waits for
// locks.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { type Connections, openConnections } from '../../src/postgres/connections.ts';
import type { Database } from '../../src/postgres/db.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let connections: Connections;
let tenant: Database;

beforeAll(async () => {
  own = await createOwnDatabase();
  await own.rows('create table busy (id integer)');
  const { connection } = own;
  connections = openConnections({ connection, poolSize: 10, statementTimeout: 5000 });
  tenant = connections.tenants.forTenant({ workspace: 1, principal: 'a' });
});
afterAll(async () => {
  await connections?.close();
  await own?.drop();
});

const ask = (on: Database, text: string) => on.query({ text, values: [] }, { prepare: false });

async function outcomeOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
    return 'answered';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test('sixteen questions that take a second each are all answered', async () => {
  const answers = Array.from({ length: 16 }, () => outcomeOf(ask(tenant, 'select pg_sleep(1)')));
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['answered']));
  expect(connections.tenants.load()).toEqual({ held: 0, waiting: 0 });
});

describe('while a table is locked', () => {
  test('requests behind those that wait for the lock are refused, other tenants are served', async () => {
    let unlock: () => void = () => undefined;
    const unlocked = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    let lock: () => void = () => undefined;
    const locked = new Promise<void>((resolve) => {
      lock = resolve;
    });
    const locking = own.db.transaction(async (tx) => {
      await tx.query({ text: 'lock table busy in access exclusive mode', values: [] });
      lock();
      await unlocked;
    });
    await locked;
    const read = () => outcomeOf(ask(tenant, 'select from busy'));
    const holding = Array.from({ length: 6 }, read);
    const waiting = Array.from({ length: 5 }, read);
    // They are answered before those who hold the connections.
    expect(await Promise.all(waiting)).toEqual(Array(5).fill('service_unavailable'));
    expect(connections.tenants.load()).toEqual({ held: 6, waiting: 0 });
    const other = connections.tenants.forTenant({ workspace: 2, principal: 'b' });
    expect(await outcomeOf(ask(other, 'select 1'))).toBe('answered');
    unlock();
    await locking;
    expect(await Promise.all(holding)).toEqual(Array(6).fill('answered'));
    expect(await read()).toBe('answered');
  });
});
