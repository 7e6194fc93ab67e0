// The cached record of the application, from its page and from lists that show some of its fields.

import { QueryClient } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { knownRecord, putRecord } from '../src/lib/record-cache.ts';

const NOTE = { key: 'note', storage: 'physical' } as const;
const CUSTOM = { key: 'mark', storage: 'jsonb' } as const;

function deal(updated_at: string, fields: Readonly<Record<string, unknown>>): RecordData {
  const identity = { object_type: 'deals', id: '1', display: 'D', status: null };
  return { ...identity, owner_user_id: null, created_at: null, updated_at, fields };
}

function known(page: RecordData | undefined, listed: RecordData) {
  const queries = new QueryClient();
  if (page !== undefined) putRecord(queries, 'acme', page);
  queries.setQueryData(['acme', 'deals', 'list', {}], {
    pages: [{ data: [listed], pagination: {} }],
    pageParams: [],
  });
  return (field?: typeof NOTE | typeof CUSTOM) =>
    knownRecord(queries, 'acme', { type: 'deals', id: '1', ...(field && { field }) });
}

const EARLY = '2026-11-22T10:00:00.000Z';
const LATE = '2026-11-22T11:00:00.000Z';

test('a list that does not show a field has no value of it', () => {
  const page = deal(EARLY, { note: 'kept', custom_fields: { mark: 'x' } });
  for (const moment of [EARLY, LATE]) {
    const of = known(page, deal(moment, { name: 'D' }));
    expect(of(NOTE)).toBe(page);
    expect(of(CUSTOM)).toBe(page);
  }
  expect(known(undefined, deal(LATE, { name: 'D' }))(NOTE)).toBeUndefined();
});

test('of those that have it the newest is known, and of equal ones that of the page', () => {
  const page = deal(EARLY, { note: null });
  const [same, later] = [deal(EARLY, { note: null }), deal(LATE, { note: 'new' })];
  expect(known(page, same)(NOTE)).toBe(page);
  expect(known(page, later)(NOTE)).toBe(later);
  expect(known(page, later)()).toBe(later);
});

test('a saved record keeps the values that only reads answer', () => {
  const queries = new QueryClient();
  putRecord(queries, 'acme', deal(EARLY, { note: 'old', total: 12 }));
  queries.setQueryData(['acme', 'deals', 'list', {}], {
    pages: [{ data: [deal(EARLY, { note: 'old', total: 12 })], pagination: {} }],
    pageParams: [],
  });
  putRecord(queries, 'acme', deal(LATE, { note: 'new' }));
  const saved = deal(LATE, { note: 'new', total: 12 });
  expect(queries.getQueryData(['acme', 'deals', 'record', '1'])).toEqual(saved);
  expect(queries.getQueryData(['acme', 'deals', 'list', {}])).toMatchObject({
    pages: [{ data: [saved] }],
  });
});
