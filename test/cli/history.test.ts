// `history`: the changes of a record as a table and as JSON lines, with the rights of a person, and its refusals.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../world.ts';
import { runCommandHere } from './command-here.ts';

let world: World;
let id: string;

beforeAll(async () => {
  world = await openWorld();
  const ada = await world.as('ada');
  const records = '/objects/companies/records';
  const { body } = await ada.post(records, { fields: { name: 'Kept', revenue: 1 } });
  id = body.data.id;
  await ada.patch(`${records}/${id}`, { fields: { name: 'Renamed', tier: 'gold' } });
  await ada.patch(`${records}/${id}`, { fields: { revenue: 2 } });
});
afterAll(() => world?.close());

const history = (...args: readonly string[]) =>
  runCommandHere(world.database.environment, 'history', ...args, '-w', 'acme');

test('a line for each value, the last change first', async () => {
  const { code, out } = await history('companies', id);
  const rows = out.split('\n').map((line) => line.split(/ {2,}/));
  const { ada } = world.users;
  expect([code, rows.map(([revision, _, ...rest]) => [revision, ...rest])]).toEqual([
    0,
    [
      ['revision', 'user', 'source', 'field', 'old', 'new'],
      ['3', `${ada}`, 'api', 'revenue', '1', '2'],
      ['2', `${ada}`, 'api', 'name', 'Kept', 'Renamed'],
      ['2', `${ada}`, 'api', 'tier', 'gold'],
      [''],
    ],
  ]);
});

test('JSON lines of one field, as a person', async () => {
  const { out } = await history(
    'companies',
    id,
    '--json',
    '--field',
    'name',
    '--as',
    'rob@acme.example',
  );
  expect(JSON.parse(out)).toMatchObject({
    ...{ revision: 2, changes: [{ field: 'name', old: 'Kept', new: 'Renamed' }] },
  });
  const all = await history('companies', id, '--json', '--as', 'rob@acme.example');
  expect(all.out.trim().split('\n')).toHaveLength(1);
  const few = await history('companies', id, '--json', '--limit', '1');
  expect(few.err).toBe('The last 1; --limit shows more.\n');
});

test.each([
  [['deals', '01900000-0000-7000-8000-000000000000'], 'This object type has no history.'],
  [['companies', '01900000-0000-7000-8000-000000000000'], 'There is no such record.'],
  [['companies', 'x', '--field', 'nope'], 'There is no field "nope".'],
  [['companies', 'x', '--limit', '0'], '--limit takes 1 to 100'],
] as const)('%j is refused', async (args, message) => {
  const { code, err } = await history(...args);
  expect(code).toBeGreaterThan(0);
  expect(err).toContain(message);
});
