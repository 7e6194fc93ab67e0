// Connections that listen end with the process that opened them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openListeners } from '../../src/postgres/listen.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await createMigratedDatabase();
});
afterAll(() => own?.drop());

const listening = () =>
  own.rows(`select query from pg_stat_activity where query like 'listen "left_behind"%'`);

test('a connection that is closed while it is made does not stay', async () => {
  const listeners = openListeners(own);
  const made = listeners.listen('left_behind', () => undefined).catch(() => undefined);
  await listeners.close();
  await made;
  expect(await listening()).toEqual([]);
});

test('a connection that listens is closed', async () => {
  const listeners = openListeners(own);
  await listeners.listen('left_behind', () => undefined);
  expect(await listening()).toHaveLength(1);
  await listeners.close();
  await expect.poll(listening).toEqual([]);
});
