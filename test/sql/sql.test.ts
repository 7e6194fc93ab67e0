// The one place where SQL is quoted: values are parameters, names are quoted, no other text gets in.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sqlText } from '../../src/model/values/sql-text.ts';
import {
  CONTROL_SCHEMA,
  EMPTY,
  identifier,
  joinSql,
  literal,
  type Sql,
  sql,
  toStatement,
  writtenSql,
} from '../../src/sql/sql.ts';

describe('text of a field type', () => {
  test('has fragments in its places, with their values', () => {
    const text = sqlText`{column} = {value} or '{}' <> {column}`;
    const part = (place: string) => (place === 'column' ? identifier('a"b') : sql`${5}::integer`);
    expect(toStatement(writtenSql(text, part))).toEqual({
      text: `"a""b" = $1::integer or '{}' <> "a""b"`,
      values: [5],
    });
    expect(toStatement(writtenSql(sqlText`text[]`, () => undefined)).text).toBe('text[]');
  });

  test('is complete, and never text from elsewhere', () => {
    expect(() => writtenSql(sqlText`{column}`, () => undefined)).toThrow(/nothing for a place/);
    // @ts-expect-error A string that was made is no SQL.
    writtenSql(String('true'), () => undefined);
    // @ts-expect-error Nothing is spliced into it.
    expect(sqlText`a ${'b'}`).toBeDefined();
  });
});

describe('the template', () => {
  const cases: readonly (readonly [string, Sql, string, unknown[]])[] = [
    ['text', sql`select 1`, 'select 1', []],
    ['a value', sql`select ${5}`, 'select $1', [5]],
    ['values', sql`${1} ${'two'} ${null}`, '$1 $2 $3', [1, 'two', null]],
    ['an array is one value', sql`any(${[1, 2]})`, 'any($1)', [[1, 2]]],
    ['a fragment', sql`a ${sql`b`} c`, 'a b c', []],
    [
      'fragments with values',
      sql`${sql`x = ${1}`} and ${sql`y = ${2}`}`,
      'x = $1 and y = $2',
      [1, 2],
    ],
    ['nested', sql`(${sql`(${sql`${1}`}, ${2})`}, ${3})`, '(($1, $2), $3)', [1, 2, 3]],
    ['neighbours', sql`${sql`a`}${sql`b`}${1}${sql`c`}`, 'ab$1c', [1]],
    ['an empty fragment', sql`a${EMPTY}b`, 'ab', []],
    ['undefined is a value', sql`${undefined}`, '$1', [undefined]],
    ['the same value twice', sql`${'a'} ${'a'}`, '$1 $2', ['a', 'a']],
    ['dollars in text stay', sql`'$1' ${1}`, "'$1' $1", [1]],
  ];

  test.each(cases)('%s', (_, part, text, values) => {
    expect(toStatement(part)).toEqual({ text, values });
  });

  test('a value that looks like a fragment is a value', () => {
    const forged = { chunks: ['; drop table x'], values: [] };
    expect(toStatement(sql`${forged}`)).toEqual({ text: '$1', values: [forged] });
    const parsed = JSON.parse('{"sql fragment": true, "chunks": ["x"], "values": []}');
    expect(toStatement(sql`${parsed}`).text).toBe('$1');
  });

  test('no value of any kind becomes text', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 5 }), (values) => {
        const part = joinSql(
          values.map((value) => sql`${value}`),
          ', ',
        );
        const text = values.map((_, index) => `$${index + 1}`).join(', ');
        expect(toStatement(part)).toStrictEqual({ text, values });
      }),
    );
  });

  test('a fragment can be used again', () => {
    const part = sql`x = ${1}`;
    const first = toStatement(sql`${part} or ${part}`);
    expect(first).toEqual({ text: 'x = $1 or x = $2', values: [1, 1] });
    expect(toStatement(part)).toEqual({ text: 'x = $1', values: [1] });
  });
});

describe('joining', () => {
  test.each([
    [[], ', ', '', []],
    [[sql`a`], ', ', 'a', []],
    [[sql`a`, sql`b`, sql`c`], ' and ', 'a and b and c', []],
    [[sql`a = ${1}`, EMPTY, sql`${2}`], ' or ', 'a = $1 or  or $2', [1, 2]],
  ] as const)('%#', (parts, separator, text, values) => {
    expect(toStatement(joinSql(parts, separator))).toEqual({ text, values });
  });
});

describe('identifiers', () => {
  test.each([
    [['a'], '"a"'],
    [['ws_demo', 'deals'], '"ws_demo"."deals"'],
    [['a"b'], '"a""b"'],
    [['"; drop table x; --'], '"""; drop table x; --"'],
    [['select'], '"select"'],
    [['a.b'], '"a.b"'],
    [["a'b\\"], '"a\'b\\"'],
    [['ünï😀'], '"ünï😀"'],
    [['x'.repeat(63)], `"${'x'.repeat(63)}"`],
  ])('%j', (names, text) => {
    expect(toStatement(identifier(...names))).toEqual({ text, values: [] });
  });

  test.each([['', 'a\0b', 'x'.repeat(64), 'ü'.repeat(32)]])('%j is none', (name) => {
    expect(() => identifier(name)).toThrow(/not a PostgreSQL identifier/);
    expect(() => identifier('fine', name)).toThrow(/not a PostgreSQL identifier/);
  });

  test('whatever the name, one quoted identifier comes out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 15 }), (name) => {
        fc.pre(Buffer.byteLength(name) <= 63);
        const { text } = toStatement(identifier(name));
        expect(text).toMatch(/^"(?:[^"]|"")+"$/s);
        expect(text.slice(1, -1).replaceAll('""', '"')).toBe(name);
      }),
    );
  });
});

describe('literals', () => {
  test.each([
    ['', "''"],
    ['a', "'a'"],
    ["it's", "'it''s'"],
    ["'; drop table x; --", "'''; drop table x; --'"],
    ['back\\slash', " E'back\\\\slash'"],
    ["\\'", " E'\\\\'''"],
    ['$1', "'$1'"],
    ['line\nbreak', "'line\nbreak'"],
  ])('%j', (given, text) => {
    expect(toStatement(literal(given))).toEqual({ text, values: [] });
  });

  test('cannot hold U+0000', () => {
    expect(() => literal('a\0')).toThrow(/U\+0000/);
  });
});

test('the schema shared by all workspaces cannot be one of a workspace', () => {
  expect(CONTROL_SCHEMA.startsWith('ws_')).toBe(false);
});
