// Who waits for a connection: as long as the database works at what came before, not when that waits itself.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { type Database, openDatabase } from '../../src/store/db.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let db: Database;
let lane: Database;

beforeAll(async () => {
  own = await createOwnDatabase();
  await own.rows('create table busy (id integer)');
  db = openDatabase({ connection: own.connection, poolSize: 10, statementTimeout: 5000 });
  lane = db.laneOf({ workspace: 1, key: 'a' });
});
afterAll(async () => {
  await db?.close();
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
  const asked = Array.from({ length: 16 }, () => outcomeOf(ask(lane, 'select pg_sleep(1)')));
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['answered']));
  expect(db.load()).toEqual({ held: 0, waiting: 0 });
});

describe('while a table is locked', () => {
  test('nobody waits behind those who wait for the lock, but others are served', async () => {
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
    const read = () => outcomeOf(ask(lane, 'select from busy'));
    const holding = Array.from({ length: 6 }, read);
    const waiting = Array.from({ length: 5 }, read);
    // They are answered before those who hold the connections.
    expect(await Promise.all(waiting)).toEqual(Array(5).fill('service_unavailable'));
    expect(db.load()).toEqual({ held: 6, waiting: 0 });
    const other = db.laneOf({ workspace: 2, key: 'b' });
    expect(await outcomeOf(ask(other, 'select 1'))).toBe('answered');
    unlock();
    await locking;
    expect(await Promise.all(holding)).toEqual(Array(6).fill('answered'));
    expect(await read()).toBe('answered');
  });
});
