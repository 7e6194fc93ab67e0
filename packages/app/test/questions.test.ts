// The conditions that people build: spans of time in words, clauses, groups, saved views, and that they survive the
// round trip.

import type { Field, View } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { parseRelativeTime } from '../../../src/plan/read/relative-time.ts';
import { phraseOf, valueOfPhrase } from '../src/fields/field-filter.ts';
import { TIME_PHRASES } from '../src/fields/phrases.ts';
import { clauseOf, partOf } from '../src/lib/clauses.ts';
import { conditionsOfGroup, orderedGroups } from '../src/lib/groups.ts';
import { en } from '../src/lib/messages/en/index.ts';
import type { Translate } from '../src/lib/messages/index.ts';
import { periodOf, periodText, rangeOf, relativeText } from '../src/lib/periods.ts';
import { contentOfState, stateOfView } from '../src/lib/saved-views.ts';
import { firstTotals } from '../src/lib/totals.ts';
import { NO_SUM, PLAIN_VIEW } from '../src/lib/view-state.ts';

/** As the application does it, without a browser. */
const t = ((key: keyof typeof en, values: Readonly<Record<string, unknown>> = {}) => {
  const text = en[key];
  const form = typeof text === 'string' ? text : values.count === 1 ? text.one : text.other;
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}) as Translate;

const field = (key: string, type = 'text', more: Partial<Field> = {}): Field => ({
  ...{ key, name: key, type, required: false, editable: true },
  ...{ storage: 'physical', storage_key: key, ...more },
});

describe('spans of time', () => {
  test.each([
    [{ kind: 'this', unit: 'month' }, 'this month'],
    [{ kind: 'previous', unit: 'quarter' }, 'last quarter'],
    [{ kind: 'next', unit: 'day' }, 'tomorrow'],
    [{ kind: 'last', count: 30, unit: 'd' }, 'the last 30 days'],
    [{ kind: 'coming', count: 1, unit: 'w' }, 'the next 1 week'],
  ] as const)('%j are ranges that the service takes, and are read again: %s', (period, text) => {
    const range = rangeOf(period);
    for (const { relative } of range) {
      expect(parseRelativeTime(relative, 'UTC')).toHaveProperty('value');
    }
    expect(periodOf(range)).toEqual(period);
    expect(periodText(period, t)).toBe(text);
  });

  test.each([
    [[{ relative: 'start_of_month' }, { relative: 'end_of_year' }]],
    [[{ relative: 'start_of_month-2m' }, { relative: 'end_of_month-2m' }]],
    [[{ relative: '-30d' }, '2020-01-01']],
    [[1, 2]],
    ['2020-01-01'],
    [null],
  ])('%j is none', (value) => {
    expect(periodOf(value)).toBeUndefined();
  });

  test.each([
    ['-30d', '30 days ago'],
    ['+1y', '1 year from now'],
    ['now', 'now'],
    ['start_of_quarter', 'the start of this quarter'],
    ['end_of_day-3h', 'end_of_day-3h'],
  ])('%s is said as %s', (relative, text) => {
    expect(relativeText(relative, t)).toBe(text);
  });
});

describe('clauses', () => {
  const one = { field: 'a', op: 'eq' as const, value: 1 };
  const other = { field: 'b', op: 'in' as const, value: [1] };

  test.each([[one], [{ not: one }], [{ any: [one, other] }], [{ not: { any: [one, other] } }]])(
    '%j comes back as it was',
    (part) => {
      const clause = clauseOf(part);
      expect(clause && partOf(clause)).toEqual(part);
    },
  );

  test.each([
    [{ all: [one] }],
    [{ not: { not: one } }],
    [{ any: [one, { not: other }] }],
    [{ any: [] }],
  ])('%j is of another form', (part) => {
    expect(clauseOf(part)).toBeUndefined();
  });
});

const Word = () => null;

describe('operators in words', () => {
  test('are found by a condition, with its value', () => {
    const filter = { phrases: TIME_PHRASES, Word };
    const idOf = (op: 'between' | 'is_null' | 'contains', value: unknown) =>
      phraseOf(filter, { op, value })?.id;
    expect(idOf('between', rangeOf({ kind: 'this', unit: 'day' }))).toBe('within');
    expect(idOf('between', ['2020-01-01', '2020-01-02'])).toBe('between');
    expect(idOf('is_null', true)).toBe('empty');
    expect(idOf('is_null', false)).toBe('filled');
    expect(idOf('contains', 'x')).toBeUndefined();
    const empty = phraseOf(filter, { op: 'is_null', value: true });
    expect(empty && valueOfPhrase(empty, undefined)).toBe(true);
  });
});

describe('groups', () => {
  test('have the conditions that find their records', () => {
    const of = (type: string, value: unknown) => conditionsOfGroup(field('f', type), value);
    expect(of('select', null)).toEqual([{ field: 'f', op: 'is_null', value: true }]);
    expect(of('boolean', false)).toEqual([{ field: 'f', op: 'eq', value: false }]);
    expect(of('date', '2024-02-01')).toEqual([
      { field: 'f', op: 'between', value: ['2024-02-01', '2024-02-29'] },
    ]);
    expect(of('datetime', '2024-12-01')).toEqual([
      { field: 'f', op: 'gte', value: new Date(2024, 11, 1).toISOString() },
      { field: 'f', op: 'lt', value: new Date(2025, 0, 1).toISOString() },
    ]);
  });

  test('have them at both ends of the calendar too', () => {
    const of = (type: string, value: unknown) => conditionsOfGroup(field('f', type), value);
    const between = (value: readonly string[]) => [{ field: 'f', op: 'between', value }];
    expect(of('date', '0001-01-01')).toEqual(between(['0001-01-01', '0001-01-31']));
    expect(of('date', '0099-02-01')).toEqual(between(['0099-02-01', '0099-02-28']));
    expect(of('date', '9999-12-01')).toEqual(between(['9999-12-01', '9999-12-31']));
    // A month that ends after the calendar, or begins before it in the time zone of the browser, has one end.
    for (const value of ['0001-01-01', '9999-12-01']) {
      const conditions = of('datetime', value);
      expect(conditions.length).toBeGreaterThan(0);
      expect(JSON.stringify(conditions)).not.toMatch(/[+-]\d{6}-|0000-/);
    }
  });

  test('of options are in the order of the options', () => {
    const options = [{ value: 'z' }, { value: 'a' }];
    const groups = ['a', null, 'z', 'old'].map((value) => ({ value, count: 1, sum: null }));
    const ordered = orderedGroups(groups, field('f', 'select', { options }));
    expect(ordered.map(({ value }) => value)).toEqual(['z', 'a', null, 'old']);
  });
});

describe('saved views', () => {
  const FIELDS = [field('name'), field('amount', 'currency'), field('company_id', 'reference')];
  const OBJECT = { fields: FIELDS, display_field: 'name' };
  const view = (more: Partial<View>): View => ({
    ...{ id: 'v', object_type: 'deals', name: 'V', kind: 'table', shared: 'private' },
    ...{
      owner_user_id: 1,
      query: {},
      columns: [],
      group_by: null,
      chart: null,
      metrics: null,
      is_default: false,
      is_favorite: false,
    },
    ...{
      can_change: true,
      problems: [],
      hidden: false,
      version: '1',
      created_at: '',
      updated_at: '',
    },
    ...more,
  });

  test('have the question of a list, and survive the round trip', () => {
    const state = {
      ...PLAIN_VIEW,
      view: 'v',
      q: 'rope',
      sort: [{ key: 'amount', isDescending: true }],
      fields: ['amount', 'company_id'],
      where: [
        { field: 'amount', op: 'gt' as const, value: 1 },
        { field: 'company_id.sector', op: 'eq' as const, value: 'x' },
      ],
      group: 'company_id',
      sum: 'amount',
      totals: [{ key: 'amount', kind: 'avg' as const }],
    };
    const before = { columns: [{ field: 'amount', width: 200 }] };
    const content = contentOfState(state, OBJECT, before);
    expect(content.columns).toEqual([
      { field: 'amount', width: 200, total: 'avg' },
      { field: 'company_id' },
    ]);
    expect(stateOfView(view(content as Partial<View>), FIELDS)).toEqual(state);
  });

  test('are boards by the columns that are shown: of a field, of the status, else of the first field', () => {
    const board = { ...PLAIN_VIEW, view: 'v', layout: 'board' as const };
    const [field] = FIELDS as [Field];
    const phase = { ...field, key: 'phase', type: 'select', storage: 'physical' } as Field;
    const fields = [...FIELDS, phase, { ...phase, key: 'tier' }];
    const status = { ...phase, key: 'status', type: 'status' } as Field;
    const shown = (of: readonly Field[], by?: string) =>
      contentOfState({ ...board, by }, { ...OBJECT, fields: [...of] }).group_by;
    expect(shown([...fields, status])).toBe('status');
    expect(shown(fields)).toBe('phase');
    expect(shown(fields, 'tier')).toBe('tier');
    expect(shown(FIELDS)).toBeNull();
    expect(stateOfView(view({ kind: 'board', group_by: 'company_id' }), FIELDS)).toEqual({
      ...board,
      by: 'company_id',
    });
  });

  test.each([undefined, 'amount', NO_SUM])('add up their condition: %s', (sum) => {
    const content = contentOfState({ ...PLAIN_VIEW, sum }, OBJECT) as Partial<View>;
    expect(stateOfView(view(content), FIELDS).sum).toBe(sum);
  });

  test('keep a total of a column that nobody chose', () => {
    const totals = [{ key: 'amount', kind: 'sum' as const }];
    const content = contentOfState({ ...PLAIN_VIEW, totals }, OBJECT) as Partial<View>;
    expect(stateOfView(view(content), FIELDS).totals).toEqual(totals);
  });

  test.each([undefined, []])('keep that nobody chose a total, or removed all: %j', (totals) => {
    const content = contentOfState({ ...PLAIN_VIEW, totals }, OBJECT) as Partial<View>;
    expect(stateOfView(view(content), FIELDS).totals).toEqual(totals);
  });

  test('keep the field of the colours of a calendar', () => {
    const state = { ...PLAIN_VIEW, view: 'v', layout: 'calendar' as const, color: 'company_id' };
    const content = contentOfState(state, OBJECT) as Partial<View>;
    expect(stateOfView(view(content), FIELDS)).toEqual({
      ...state,
      by: content.group_by ?? undefined,
    });
  });

  test('sums of amounts are the first totals', () => {
    const columns = [field('price', 'currency'), field('pieces', 'integer'), field('name')];
    const computed = field('worth', 'currency', { storage: 'jsonb' });
    expect(firstTotals([...columns, computed])).toEqual([{ key: 'price', kind: 'sum' }]);
  });

  test.each(['median', 'sum'])('leave out a total that a field does not have: %s', (total) => {
    const columns = [{ field: 'name', total }] as View['columns'];
    expect(stateOfView(view({ columns }), FIELDS).totals).toBeUndefined();
  });

  test('have filters in any spelling', () => {
    const filters = { amount: { gte: 1, lt: 5 }, name: 'x', company_id: null };
    expect(stateOfView(view({ query: { filters } }), FIELDS).where).toEqual([
      { field: 'amount', op: 'gte', value: 1 },
      { field: 'amount', op: 'lt', value: 5 },
      { field: 'name', op: 'eq', value: 'x' },
      { field: 'company_id', op: 'is_null', value: true },
    ]);
  });

  test('are queried without the parts that the service refuses', () => {
    const kept = { field: 'name', op: 'eq', value: 'x' };
    const refused = { field: 'company_id.gone', op: 'eq', value: 'x' };
    const where = { all: [{ any: [refused, kept] }, { not: refused }, kept] };
    const problems = ['query.where.all[0].any[0].field', 'query.where.all[1].not.field'].map(
      (param) => ({ param, code: 'invalid_filter', message: '' }),
    );
    const broken = view({
      ...{ query: { where, sort: [{ field: 'gone' }] }, problems },
      columns: [{ field: 'gone' }],
      group_by: 'gone',
      metrics: [{ op: 'sum', field: 'gone' }],
    });
    expect(stateOfView(broken, FIELDS)).toEqual({
      ...PLAIN_VIEW,
      view: 'v',
      where: [kept, { any: [kept] }],
    });
  });
});
