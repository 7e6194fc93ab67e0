// The selection of all matching records, and the statuses that they can be moved to.

import type { Field, Workflow } from '@workspace-records/client';
import { expect, test } from 'vitest';
import {
  bulkWhere,
  countsOf,
  fieldNameOf,
  matchingParts,
  reachOf,
} from '../src/features/records/matching/selection.ts';
import { partOfTarget, targetsOf } from '../src/features/records/matching/status-targets.ts';

const NAMED = { display_field: 'name' };
const WON = { field: 'status', op: 'eq', value: 'won' } as const;

test('a search of the list is one more condition; a short one cannot be a condition', () => {
  const parts = matchingParts(NAMED, { q: 'ship', where: [WON] });
  expect(parts).toEqual([WON, { field: 'name', op: 'contains', value: 'ship' }]);
  expect(matchingParts(NAMED, { q: 'sh', where: [] })).toBeUndefined();
  expect(matchingParts({ display_field: null }, { q: 'ship', where: [] })).toBeUndefined();
  expect(matchingParts(NAMED, { q: '', where: [WON] })).toEqual([WON]);
});

test('a list without a condition has one that every record meets', () => {
  expect(bulkWhere([])).toEqual({ field: 'id', op: 'is_null', value: false });
  expect(bulkWhere([WON])).toEqual(WON);
  expect(bulkWhere([WON, WON])).toEqual({ all: [WON, WON] });
});

test('people who change their own records, or those of their teams, select only these', () => {
  const object = (scopes: readonly string[], allowed = true) =>
    ({
      capabilities: { update: true, delete: false },
      permissions: { update: { allowed, scopes }, delete: { allowed, scopes } },
      fields: [],
    }) as unknown as Parameters<typeof reachOf>[0];
  expect(reachOf(object(['org_wide']), 'update')).toEqual([]);
  expect(reachOf(object(['owned_by_user']), 'update')).toEqual([
    { field: 'owner_user_id', op: 'eq', value: { me: true } },
  ]);
  expect(reachOf(object(['owned_by_user', 'owned_by_team']), 'update')).toEqual([
    { field: 'owner_user_id', op: 'in', value: { my_teams: true } },
  ]);
  expect(reachOf(object([], false), 'update')).toBeUndefined();
  expect(reachOf(object(['org_wide']), 'delete')).toBeUndefined();
});

test('a record that had the value already counts as changed', () => {
  expect(countsOf({ changed: 5, unchanged: 2, refused: 1 })).toEqual({ changed: 7, refused: 1 });
  expect(countsOf({})).toEqual({ changed: 0, refused: 0 });
});

test('a problem names the field, whatever its storage', () => {
  const fields = [{ key: 'amount', name: 'Amount' }] as unknown as readonly Field[];
  expect(fieldNameOf(fields, 'fields.amount')).toBe('Amount');
  expect(fieldNameOf(fields, 'custom_fields.amount')).toBe('Amount');
  expect(fieldNameOf(fields, '')).toBeUndefined();
});

const to = (...ids: readonly string[]) => ids.map((id) => ({ id, name: id }));
const PIPELINE = {
  id: 'pipeline',
  statuses: [
    { id: 'open', name: 'Open', transitions: to('won', 'lost') },
    { id: 'won', name: 'Won', transitions: [] },
    { id: 'lost', name: 'Lost', transitions: to('open') },
  ],
} as unknown as Workflow;

test('statuses that some of the records can be moved to, and how many cannot come back', () => {
  const counts = new Map([
    ['open', 40],
    ['lost', 2],
    ['won', 7],
  ]);
  const targets = targetsOf(PIPELINE, counts);
  expect(targets).toEqual([
    { id: 'open', name: 'Open', from: ['lost'], count: 2, stuck: 0 },
    { id: 'won', name: 'Won', from: ['open'], count: 40, stuck: 40 },
    { id: 'lost', name: 'Lost', from: ['open'], count: 40, stuck: 0 },
  ]);
  expect(partOfTarget({ from: ['open'] })).toEqual({ field: 'status', op: 'in', value: ['open'] });
  expect(targetsOf(PIPELINE, new Map([['won', 3]]))).toEqual([]);
});
