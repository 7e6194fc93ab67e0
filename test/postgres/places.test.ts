// The cached places of workspaces: queried once for all that are needed, again when they are old, and kept without an
// answer (D333). test/citus tries it on a real cluster.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database, Queryable } from '../../src/postgres/db.ts';
import { connectionAt, openPlaces } from '../../src/postgres/places.ts';
import { until } from '../until.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A cluster of which a test says where schemas are; undefined: it does not answer. */
function openCluster() {
  let found: Readonly<Record<string, string>> | undefined = {};
  const asked: (readonly string[])[] = [];
  const opened: string[] = [];
  const closed: string[] = [];
  const main: Queryable = {
    async query({ values }) {
      const schemas = values[0] as readonly string[];
      asked.push(schemas);
      if (found === undefined) throw new Error('away');
      const known = found;
      return schemas.flatMap((schema) =>
        known[schema] === undefined ? [] : [{ schema, address: known[schema] }],
      );
    },
  };
  const places = openPlaces(main, (address) => {
    opened.push(address);
    return { close: async () => void closed.push(address) } as unknown as Database;
  });
  const put = (next: typeof found) => {
    found = next;
  };
  return { places, put, asked, opened, closed };
}

test('unknown places are queried, and each server is opened once', async () => {
  const { places, put, asked, opened, closed } = openCluster();
  put({ a: 'one:1', b: 'two:2', c: 'one:1' });
  for (const schema of ['a', 'b', 'c', 'main']) expect(places.find(schema)).toBeUndefined();
  await until(() => places.find('c') !== undefined);
  expect(places.find('a')).toBe(places.find('c'));
  expect(places.find('b')).not.toBe(places.find('a'));
  expect(places.find('main')).toBeUndefined();
  expect(asked.flat().sort()).toEqual(['a', 'b', 'c', 'main']);
  expect(opened).toEqual(['one:1', 'two:2']);
  await places.close();
  expect(closed.sort()).toEqual(['one:1', 'two:2']);
});

test('a place that is not known is waited for', async () => {
  const { places, put } = openCluster();
  put({ a: 'one:1' });
  const [first, second] = await Promise.all([places.load('a'), places.load('a')]);
  expect(first).toBeDefined();
  expect(second).toBe(first);
  expect(places.find('a')).toBe(first);
  expect(await places.load('main')).toBeUndefined();
  put(undefined);
  expect(await places.load('b')).toBeUndefined();
});

test('a move is noticed after a second, and meanwhile the old server is used', async () => {
  const { places, put, asked } = openCluster();
  put({ a: 'one:1' });
  places.find('a');
  await until(() => places.find('a') !== undefined);
  const [before, times] = [places.find('a'), asked.length];
  put({ a: 'two:2' });
  vi.advanceTimersByTime(1000);
  expect(places.find('a')).toBe(before);
  expect(asked).toHaveLength(times);
  vi.advanceTimersByTime(1);
  expect(places.find('a')).toBe(before);
  await until(() => places.find('a') !== before);
});

test('known places stay without an answer', async () => {
  const { places, put, asked } = openCluster();
  put({ a: 'one:1' });
  places.find('a');
  await until(() => places.find('a') !== undefined);
  const [before, times] = [places.find('a'), asked.length];
  put(undefined);
  vi.advanceTimersByTime(5000);
  places.find('a');
  await until(() => asked.length > times);
  expect(places.find('a')).toBe(before);
  await places.close();
});

test.each([
  ['postgres://u:p@main/db', 'w1:5433', 'postgres://u:p@w1:5433/db'],
  [
    'postgres://u@main:1/db?sslmode=require',
    '::1:5433',
    'postgres://u@[::1]:5433/db?sslmode=require',
  ],
  ['postgres:///db?host=main&port=7', 'w1:5433', 'postgres://w1:5433/db'],
])('%s is on %s %s', (connectionString, address, expected) => {
  expect(connectionAt({ connectionString }, address)).toEqual({ connectionString: expected });
});

test('settings in parts keep all but host and port', () => {
  const connection = { host: 'main', port: 5432, user: 'u', password: 'p', database: 'db' };
  expect(connectionAt(connection, 'w1:5433')).toEqual({ ...connection, host: 'w1', port: 5433 });
});
