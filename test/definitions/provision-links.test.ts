// Relationships of a definition that change while there are links: no link is lost unnamed, no end holds more than it
// may.

import { afterAll, beforeEach, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

const names = { name: 'X', singular_name: 'X', fields: {} };
const document = (cardinality: string, to = 'right') => ({
  objects: { left: names, right: names },
  relationships: { pairs: { name: 'Pairs', kind: 'link', from: 'left', to, cardinality } },
});
const ids = [1, 2, 3].map((digit) => `01900000-0000-7000-8000-00000000000${digit}`);
const [A, B, C] = ids as [string, string, string];

let own: OwnDatabase | undefined;
let counter = 0;
let slug = '';

beforeEach(async () => {
  if (own === undefined) {
    own = await createMigratedDatabase();
  }
  counter += 1;
  slug = `links${counter}`;
});
afterAll(() => own?.drop());

function open(): OwnDatabase {
  if (own === undefined) throw new Error('the database is not there yet');
  return own;
}

async function create(cardinality: string): Promise<void> {
  await createWorkspace(open().db, { slug, document: document(cardinality) });
}

async function link(from: string, to: string, relationship = 'pairs'): Promise<void> {
  await open().rows(
    `insert into ws_${slug}._links (relationship, from_id, to_id, from_one, to_one)
      values ($1, $2, $3, false, false)`,
    [relationship, from, to],
  );
}

const apply = (changed: unknown, ...allowDrop: readonly string[]) =>
  applyDefinition(open().db, slug, changed, { allowDrop });

const links = () =>
  open().rows(
    `select relationship, from_one, to_one from ws_${slug}._links order by relationship, from_id`,
  );

test('an end that may hold one from now on must not hold more', async () => {
  await create('many_to_many');
  await link(A, B);
  await link(A, C);
  await expect(apply(document('many_to_one'))).rejects.toThrow(
    'relationship pairs: 1 record of left have more than one link',
  );
  expect(await links()).toHaveLength(2);
  await apply(document('one_to_many'));
  expect(await links()).toEqual(
    Array(2).fill({ relationship: 'pairs', from_one: false, to_one: true }),
  );
  await expect(apply(document('one_to_one'))).rejects.toThrow('more than one link');
  await apply(document('many_to_many'));
  expect(await links()).toEqual(
    Array(2).fill({ relationship: 'pairs', from_one: false, to_one: false }),
  );
});

test('both ends are looked at', async () => {
  await create('many_to_many');
  for (const [from, to] of [
    [A, C],
    [B, C],
    [A, B],
  ] as const) {
    await link(from, to);
  }
  await expect(apply(document('one_to_one'))).rejects.toThrow(
    /of left.*\n.*of right|of right.*\n.*of left/,
  );
});

test('links of a relationship that goes are lost only when named', async () => {
  await create('many_to_many');
  await link(A, B);
  await link(A, C, 'others');
  const without = { objects: { left: names, right: names } };
  await expect(apply(without)).rejects.toThrow('--allow-drop relationship:pairs');
  expect(await links()).toHaveLength(2);
  await apply(without, 'relationship:pairs');
  expect((await links()).map(({ relationship }) => relationship)).toEqual(['others']);
});

test('a relationship that joins other objects starts without links', async () => {
  await create('many_to_many');
  await link(A, B);
  await expect(apply(document('many_to_many', 'left'))).rejects.toThrow('relationship:pairs');
  await apply(document('many_to_many', 'left'), 'relationship:pairs');
  expect(await links()).toEqual([]);
});

test('with an object go its links', async () => {
  await create('many_to_many');
  await link(A, B);
  await apply({ objects: { left: names } }, 'right');
  expect(await links()).toEqual([]);
});

test('an unknown name to drop is refused by name', async () => {
  await create('many_to_many');
  const drop = 'relationship:piars';
  await expect(apply(document('many_to_one'), drop)).rejects.toThrow(
    `--allow-drop ${drop} is not data that this change deletes`,
  );
  expect((await apply(document('many_to_many'), drop)).changes).toEqual([]);
});
