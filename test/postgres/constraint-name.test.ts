// The violated constraint, by the name of the service: on one server, and on a shard of Citus, which reports the code
// and the message of a failure, or the message alone.

import pg from 'pg';
import { expect, test } from 'vitest';
import { isConstraint, withRefusalCode } from '../../src/postgres/constraint-name.ts';

const LONG = 'a_long_table_of_custom_objects.and_a_long_field_of_it.unique';
const said = (name: string) => `duplicate key value violates unique constraint "${name}"`;

test.each([
  ['companies.code.unique', 'companies.code.unique', true],
  ['companies.code.unique', 'companies.name.unique', false],
  ['companies.code.unique_2', 'companies.code.unique', false],
  // By a connection to the server of the shard.
  ['companies.code.unique_102025', 'companies.code.unique', true],
  ['companies.code.unique_102025', 'companies.name.unique', false],
])('%s by %s: %s', (constraint, name, is) => {
  expect(isConstraint({ constraint, message: said(constraint) }, name)).toBe(is);
});

test.each([
  ['companies.code.unique_102025', 'companies.code.unique', true],
  ['companies.code.unique_102025', 'companies.name.unique', false],
  [`${LONG.slice(0, 45)}_0f3a9c21_102025`, LONG, true],
  [`${LONG.slice(0, 45)}_0f3a9c21_102025`, 'companies.code.unique', false],
])('on a shard %s by %s: %s', (constraint, name, is) => {
  expect(isConstraint({ message: said(constraint) }, name)).toBe(is);
});

const failed = (message: string, more: object) =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), more);
const copied = { code: 'XX000', routine: 'ReportCopyError' };

test.each([
  [said('a.unique_102025'), copied, '23505'],
  ['insert on table "a_102025" violates foreign key constraint "b_102026"', copied, '23503'],
  ['new row for relation "a_102025" violates check constraint "c"', copied, '23514'],
  ['null value in column "a" of relation "a_102025" violates not-null constraint', copied, '23502'],
  ['could not read block 1 in file "base/1/2"', copied, 'XX000'],
  [said('a.unique'), { code: 'XX000' }, 'XX000'],
  [said('a.unique'), { ...copied, code: '23505' }, '23505'],
])('%s (%j) is %s', (message, more, code) => {
  expect(withRefusalCode(failed(message, more))).toMatchObject({ message, code });
});

test('errors from elsewhere than PostgreSQL stay as they are', () => {
  const error = new Error(said('a.unique'));
  expect(withRefusalCode(error)).toBe(error);
});
