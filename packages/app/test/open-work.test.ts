// The definition in terms of open work: statuses, due dates, references, and gates; and days until a date.

import { LIMITS } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { statusTint as tintOfService } from '../../../src/model/definition/tints.ts';
import { daysUntil, isInWords } from '../src/lib/due.ts';
import { type Definition, openObjectsOf } from '../src/lib/open-work.ts';
import { statusTint } from '../src/lib/tints.ts';

const GATE = { to: 'done', approvers: { users: ['ada@acme.example'] } };

const DEFINITION: Definition = {
  objects: {
    companies: { owned: false, fields: { name: { type: 'text' } } },
    deals: {
      workflow: 'pipeline',
      fields: {
        first_day: { type: 'date' },
        closes_on: { type: 'date' },
        company_id: { type: 'reference' },
        other_due: { type: 'date', storage: 'jsonb' },
      },
    },
    readings: {},
    work_items: {
      fields: { due_date: { type: 'date' }, parent_work_item_id: { type: 'reference' } },
    },
  },
  work_item_types: {
    chore: { workflow: 'steps' },
    bug: { workflow: 'steps' },
    idea: { workflow: 'pipeline' },
  },
  workflows: {
    pipeline: {
      statuses: {
        open: { name: 'Open', transitions: ['won'] },
        won: { name: 'Won', color: 'green' },
        // It can be opened again, and is over all the same.
        lost: { name: 'Lost', color: 'red', category: 'cancelled', transitions: ['open'] },
      },
    },
    steps: {
      statuses: { doing: { name: 'Doing', transitions: [GATE] }, done: {} },
    },
  },
};

test('objects with owners and a workflow, work items first', () => {
  const [items, deals, ...others] = openObjectsOf(DEFINITION);
  expect(others).toEqual([]);
  expect(items).toEqual({
    type: 'work_items',
    statuses: ['doing', 'open'],
    shown: {
      doing: { name: 'Doing', tint: 'gray' },
      done: { name: 'done', tint: 'blue' },
      open: { name: 'Open', tint: 'gray' },
      won: { name: 'Won', tint: 'green' },
      lost: { name: 'Lost', tint: 'red' },
    },
    due: 'due_date',
    about: ['parent_work_item_id'],
  });
  expect(deals).toMatchObject({
    ...{ type: 'deals', statuses: ['open'], due: 'closes_on', about: ['company_id'] },
  });
});

test('own objects have open records too, also where no record can move', () => {
  const statuses = { planned: { name: 'Planned' }, over: { name: 'Over', category: 'done' } };
  const projects = (index: number, listed: boolean) => [
    `projects_${index}`,
    { workflow: 'plain', listed },
  ];
  const all = Array.from({ length: 30 }, (_, index) => projects(index, index > 0));
  const definition = {
    objects: Object.fromEntries(all),
    workflows: { plain: { initial: 'planned', statuses } },
  };
  const open = openObjectsOf(definition);
  expect(open[0]).toMatchObject({ type: 'projects_1', statuses: ['planned'] });
  expect(open.length).toBe(2 * LIMITS.questions);
  expect(open.some(({ type }) => type === 'projects_0')).toBe(false);
});

test('statuses have the tints that the service gives them', () => {
  for (let position = 0; position < 24; position += 1)
    expect(statusTint(undefined, position)).toBe(tintOfService(position));
});

test.each([
  ['2026-11-26', 0],
  ['2026-11-25', -1],
  ['2026-12-01', 5],
  ['2026-11-26T00:10:00', 0],
  ['2026-11-27T00:10:00', 1],
])('from the evening of the 26th until %s are %i days', (value, days) => {
  expect(daysUntil(value, new Date('2026-11-26T23:30:00'))).toBe(days);
});

test('days near by are words', () => {
  expect([-7, -6, 0, 6, 7].map(isInWords)).toEqual([false, true, true, true, false]);
});
