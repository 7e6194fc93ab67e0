// Which constraint was violated, by the name of the service: on one server, and on a shard of Citus, of whose
// failures the code and the message come.

import { expect, test } from 'vitest';
import { isConstraint } from '../../src/postgres/constraint-name.ts';

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
