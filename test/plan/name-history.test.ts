// The ids of relationships over the revisions of a definition; other keys are compared over HTTP (test/api).

import { expect, test } from 'vitest';
import type { NameChange } from '../../src/model/definition/revision.ts';
import { fieldKeyNow, nameHistory, relationshipIds } from '../../src/plan/events/name-history.ts';

const ends = { from: 'contacts', to: 'deals' };
const link = { kind: 'link', ...ends } as const;
const association = { kind: 'association', ...ends } as const;

const change = (revision: number, more: Partial<NameChange>): NameChange => ({
  ...{ revision, applied_at: '2026-11-28T00:00:00.000Z', action: 'change', from: null },
  ...{ path: 'relationships.pairs', alters: false, table: null, relationship: null, records: null },
  ...more,
});

const CHANGES = [
  change(2, { relationship: { was: link, is: association } }),
  change(3, {
    ...{ action: 'rename', path: 'relationships.couples', from: 'pairs' },
    relationship: { was: association, is: association },
  }),
];

test('a relationship of another kind has another id, also after a rename', () => {
  const ids = CHANGES.map((one) => relationshipIds(CHANGES, one));
  expect(ids).toEqual([
    { was: 'link.pairs', is: 'assoc.pairs' },
    { was: 'assoc.pairs', is: 'assoc.couples' },
  ]);
  const now = (key: string, revision: number) =>
    fieldKeyNow(nameHistory(CHANGES), 'contacts', { key, revision });
  expect([now('link.pairs', 1), now('assoc.pairs', 2), now('link.pairs', 2)]).toEqual([
    ...['assoc.couples', 'assoc.couples', 'link.pairs'],
  ]);
});

test('links are gone when a relationship joins other objects, and not when an object has another key', () => {
  const other = { ...link, to: 'leads' };
  const joined = change(2, { relationship: { was: link, is: other } });
  expect(relationshipIds([joined], joined)).toEqual({ was: 'link.pairs', is: undefined });
  const renamed = change(2, { action: 'rename', path: 'objects.leads', from: 'deals' });
  expect(relationshipIds([renamed, joined], joined)).toEqual({
    ...{ was: 'link.pairs', is: 'link.pairs' },
  });
});
