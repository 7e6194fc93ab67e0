// Formulas in PostgreSQL: the generated columns of random expressions have the values that formulas have in memory,
// where numbers are exact.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnSql } from '../../src/definitions/changes/column-sql.ts';
import type { ObjectModel } from '../../src/model/definition/model.ts';
import { formulaValue } from '../../src/model/formulas/evaluate-formula.ts';
import type { Formula } from '../../src/model/formulas/formula-tree.ts';
import { joinSql, toStatement } from '../../src/sql/sql.ts';
import { objectWith } from '../formula-objects.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

let sample: SampleWorkspace;
beforeAll(async () => {
  sample = await openSampleWorkspace();
});
afterAll(() => sample?.own.drop());

const numbers = [
  ...[0, 1, -1, 3, 7, 0.1, 0.3, 2.5, -2.5, 0.005, 1.005, 12, 31, 2024, 1e-15, 7e-16, 1e-20],
  ...[999999999999999, -999999999999999, 123456789.012345, 0.333333333333333, 1e14],
];
const INPUTS = {
  num: { type: 'number', pool: numbers },
  low: { type: 'number', pool: numbers },
  int: { type: 'integer', pool: [0, 1, -1, 28, 365, 2147483647, -2147483648] },
  sum: { type: 'currency', currency: 'EUR', pool: [0, 19.99, -0.01, 1000000.5] },
  txt: { type: 'text', pool: ['a', 'Ä ß', '𝔘x', '  pad  ', 'it\'s \\ "b"', 'z'.repeat(500)] },
  doc: { type: 'long_text', pool: ['a', `${'𝔘'.repeat(499)}ab`, ' '] },
  yes: { type: 'boolean', pool: [true, false] },
  day: {
    type: 'date',
    pool: ['0001-01-01', '9999-12-31', '2024-02-29', '2023-12-31', '1900-03-01'],
  },
  due: { type: 'date', pool: ['2024-01-31', '2100-02-28', '0001-02-01'] },
  now: { type: 'datetime', pool: ['2024-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z'] },
} as const;

const texts = (...list: readonly string[]) => fc.constantFrom(...list);
type Part = fc.Arbitrary<string>;

/** Expressions of each kind. */
const { number, text, boolean, date, moment } = fc.letrec<
  Record<'number' | 'text' | 'boolean' | 'date' | 'moment', string>
>((tie) => {
  const [number, text, boolean] = [tie('number'), tie('text'), tie('boolean')];
  const [date, moment] = [tie('date'), tie('moment')];
  const join = (form: string, ...parts: readonly Part[]): Part =>
    fc
      .tuple(...parts)
      .map((given) => form.replace(/[A-D]/g, (one) => given['ABCD'.indexOf(one)] ?? ''));
  const shared = (kind: Part) => [
    join('if(A, B, C)', boolean, kind, kind),
    join('if(A, B)', boolean, kind),
    join('coalesce(A, B, C)', kind, kind, kind),
  ];
  const ordered = (kind: Part) => [
    ...shared(kind),
    join('min(A, B)', kind, kind),
    join('max(A, B)', kind, kind),
  ];
  const operator = (...list: readonly string[]) => texts(...list);
  const choose = (...parts: readonly Part[]): Part =>
    fc.oneof({ depthIdentifier: 'e', maxDepth: 4, depthSize: 'small' }, ...parts);
  return {
    number: choose(
      texts(
        'num',
        'low',
        'int',
        'sum',
        '0',
        '1',
        '7',
        '0.5',
        '1000',
        '0.000000000000001',
        '999999999999999',
      ),
      join('(A B C)', number, operator('+', '-', '*', '/'), number),
      join('- A', number),
      join('abs(A)', number),
      join('round(A, B)', number, texts('0', '2', '15')),
      join('length(A)', text),
      join('B(A)', date, operator('year', 'month', 'day')),
      join('(A - B)', date, date),
      ...ordered(number),
    ),
    text: choose(
      texts('txt', 'doc', '"a"', '"it\'s ""so"" \\ ß"'),
      join('(A & B)', text, text),
      join('trim(A)', text),
      join('left(A, B)', text, texts('1', '3', '500')),
      join('text(A)', number),
      ...ordered(text),
    ),
    boolean: choose(
      texts('yes', 'true', 'false'),
      ...[number, text, date, moment].map((kind) =>
        join('(A B C)', kind, operator('=', '!=', '<', '<=', '>', '>='), kind),
      ),
      join('(A B C)', boolean, operator('and', 'or', '=', '!='), boolean),
      join('not A', boolean),
      join('is_empty(A)', fc.oneof(number, text, date)),
      join('contains(A, B)', text, text),
      ...shared(boolean),
    ),
    date: choose(
      texts('day', 'due'),
      join(
        'date(A, B, C)',
        texts('2024', 'num', 'int', '9999'),
        texts('2', 'num', '13'),
        texts('29', 'num'),
      ),
      join('date(A)', moment),
      join('(A B C)', date, operator('+', '-'), number),
      join('add_months(A, B)', date, number),
      ...ordered(date),
    ),
    moment: choose(texts('now', 'now'), ...ordered(moment)),
  };
});

const results = [
  fc.record({ result_type: texts('number', 'currency', 'percent'), expression: number }),
  fc.record({ result_type: texts('integer'), expression: number }),
  fc.record({ result_type: texts('number'), expression: number, scale: fc.constantFrom(0, 9, 15) }),
  fc.record({ result_type: texts('text'), expression: text }),
  fc.record({ result_type: texts('boolean'), expression: boolean }),
  fc.record({ result_type: texts('date'), expression: date }),
  fc.record({ result_type: texts('datetime'), expression: moment }),
];

const row = fc.record(
  Object.fromEntries(
    Object.entries(INPUTS).map(([key, { pool }]) => [
      key,
      fc.option(fc.constantFrom<unknown>(...pool), { nil: null, freq: 6 }),
    ]),
  ),
);

const FORMULAS = 50;
const ROWS = 20;

test.each(Array.from({ length: 10 }, (_, index) => index))(
  'generated columns have the values of formulas, part %i of 10',
  async (part) => {
    const inputs = Object.entries(INPUTS).map(([key, { pool: _, ...words }]) => [key, words]);
    const made = fc.sample(fc.oneof(...results), { numRuns: FORMULAS, seed: part + 1 });
    const formulas = made.map((words, at) => [`f${at}`, { type: 'formula', ...words }] as const);
    const object = objectWith(Object.fromEntries([...inputs, ...formulas]));
    expect(object.formulas.length).toBeGreaterThan(FORMULAS - 5);
    const rows = fc.sample(row, { numRuns: ROWS, seed: part + 1 });
    const stored = await storedValues(object, `made_${part}`, rows);
    for (const { key, column, formula } of object.formulas) {
      const values = rows.map((one) => formulaValue(formula as Formula, one));
      expect({ [`${formula?.expression}`]: stored.map((one) => one[column]) }, key).toEqual({
        [`${formula?.expression}`]: values,
      });
    }
  },
);

/** The rows of a table with the columns of the object. */
async function storedValues(object: ObjectModel, name: string, rows: readonly object[]) {
  const columns = [...object.fields.values()].filter(({ system }) => !system);
  const { text } = toStatement(joinSql(columns.map(columnSql), ', '));
  const { own } = sample;
  await own.rows(`create table public.${name} (at integer, ${text})`);
  const inputs = columns.filter(({ formula }) => formula === null);
  const names = inputs.map(({ column }) => `"${column}"`).join(', ');
  const shape = inputs.map(({ column, cast_type }) => `"${column}" ${cast_type}`).join(', ');
  await own.rows(
    `insert into public.${name} (at, ${names}) select at, ${names} from jsonb_to_recordset($1) as r(at integer, ${shape})`,
    [JSON.stringify(rows.map((one, at) => ({ ...one, at })))],
  );
  return sample.db.query({ text: `select * from public.${name} order by at`, values: [] });
}
