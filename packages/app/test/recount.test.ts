// Figures of all records of an object while events come: asked again at once, and then at intervals.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mayCount } from '../src/live/affected.ts';
import { type CountedChanges, openRecount } from '../src/live/recount.ts';

const changesOf = (...fields: string[]): CountedChanges => ({
  ...{ fields: new Set(fields), isOther: false },
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function opened(answerAfter = 0) {
  const asked: [string, readonly string[]][] = [];
  const recount = openRecount(async (type, { fields }) => {
    asked.push([type, [...fields]]);
    await new Promise((resolve) => setTimeout(resolve, answerAfter));
  }, 1000);
  return { asked, recount };
}

test('a burst asks at once and once more, with all that has changed', async () => {
  const { asked, recount } = opened();
  for (const field of ['a', 'b', 'c']) {
    recount.note('deals', changesOf(field));
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(asked).toEqual([['deals', ['a']]]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toEqual([
    ['deals', ['a']],
    ['deals', ['b', 'c']],
  ]);
});

test('events without an end ask at intervals, and never before the last answer', async () => {
  const { asked, recount } = opened(3000);
  for (let event = 0; event < 40; event += 1) {
    recount.note('deals', changesOf('a'));
    await vi.advanceTimersByTimeAsync(250);
  }
  // Every four seconds of the ten: the answer and the pause.
  expect(asked.length).toBe(3);
});

test('objects do not wait for one another, and nothing is asked after the end', async () => {
  const { asked, recount } = opened();
  recount.note('deals', changesOf('a'));
  recount.note('companies', changesOf('b'));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked.map(([type]) => type)).toEqual(['deals', 'companies']);
  recount.note('deals', changesOf('a'));
  recount.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked.length).toBe(2);
});

test('a report is asked again when a field that it names has changed, or records came or went', () => {
  const report = {
    object_type: 'deals',
    group_by: [{ field: 'company_id.sector' }],
    metrics: [{ name: 'sum', op: 'sum', field: 'amount' }],
    where: { all: [{ field: 'status', op: 'eq', value: 'won' }] },
  };
  for (const field of ['company_id', 'amount', 'status']) {
    expect(mayCount(report, changesOf(field)), field).toBe(true);
  }
  expect(mayCount(report, changesOf('note', 'updated_at'))).toBe(false);
  expect(mayCount(report, { fields: new Set(), isOther: true })).toBe(true);
  expect(mayCount({ ...report, query: 'rope' }, changesOf('note'))).toBe(true);
  expect(mayCount({ group_by: [{ field: 'updated_at', by: 'month' }] }, changesOf('a'))).toBe(true);
});
