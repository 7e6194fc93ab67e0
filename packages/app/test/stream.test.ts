// Comments and audit entries of a record in one order, and the statuses and decisions of its moves.

import type { AuditEntry, HistoryEntry, StatusRequest } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { itemsOfEntries, type Source, streamOf } from '../src/features/activity/stream.ts';
import { moveOf } from '../src/features/activity/use-moves.ts';

const entry = (at: string, more: Partial<AuditEntry> = {}) =>
  ({ id: at, at, action: 'update', ...more }) as AuditEntry;

const source = (times: readonly string[], start?: string): Source => ({
  items: itemsOfEntries(times.map((at) => entry(at))),
  start,
});

const timesOf = (...sources: readonly Source[]) => streamOf(sources).map(({ at }) => at);

test('the stream is in order, and has nothing that an earlier page may precede', () => {
  expect(timesOf(source(['5', '3', '1']), source(['4', '2']))).toEqual(['1', '2', '3', '4', '5']);
  expect(timesOf(source(['5', '3', '1']), source(['4'], '4'))).toEqual(['4', '5']);
  // All loaded entries of the second source are left out, and its earlier ones are unknown.
  expect(timesOf(source(['5', '1']), source([], '3'))).toEqual(['5']);
  expect(itemsOfEntries([entry('1', { action: 'comment' })])).toEqual([]);
});

test('a move has its statuses from its request, else from the history', () => {
  const request = { id: 'r', from_status: 'open', to_status: 'done' } as StatusRequest;
  const changes = [{ field: 'status', old: 'new', new: 'open' }];
  const history = [{ at: '1', changes }] as unknown as readonly HistoryEntry[];
  const asked = { at: '1', action: 'status', status_request_id: 'r' };
  expect(moveOf(asked, [request], history)).toEqual({ from: 'open', to: 'done', request });
  expect(moveOf({ at: '1', action: 'status' }, [request], history)).toEqual({
    ...{ from: 'new', to: 'open' },
  });
  expect(moveOf({ at: '2', action: 'status' }, [], history)).toBeUndefined();
});
