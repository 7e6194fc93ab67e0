// The rules of gates in a definition document, and what becomes of their words under renames and for readers.

import { expect, test } from 'vitest';
import { checkDefinition } from '../../src/definitions/document/check-definition.ts';
import { mergeOverBase } from '../../src/definitions/document/definition-file.ts';
import { renameKeys, renamesIn } from '../../src/definitions/document/renames.ts';
import { visibleDefinition } from '../../src/definitions/document/visible-definition.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';

const documentOf = (gate: object) => ({
  objects: {
    orders: {
      name: 'Orders',
      singular_name: 'Order',
      workflow: 'orders',
      fields: {
        amount: { type: 'currency', currency: 'EUR' },
        kind: { type: 'select', options: [{ value: 'a' }, { value: 'b' }] },
        note: { type: 'text' },
        other_id: { type: 'reference', reference_object_type: 'orders' },
      },
    },
  },
  workflows: {
    orders: {
      name: 'Orders',
      initial: 'open',
      statuses: {
        open: {
          name: 'Open',
          transitions: [
            { to: 'paid', approvers: { users: ['ann@x.example'], teams: ['North'] }, ...gate },
          ],
        },
        paid: { name: 'Paid' },
      },
    },
  },
  users: {
    'ann@x.example': { name: 'Ann', roles: [] },
    'ben@x.example': { name: 'Ben', roles: [] },
    'old@x.example': { name: 'Old', roles: [], active: false },
    'bot@x.example': { name: 'Bot', roles: [], kind: 'agent' },
  },
  teams: {
    North: { members: ['ann@x.example', 'ben@x.example', 'old@x.example', 'bot@x.example'] },
  },
});

const problemsOf = (gate: object) =>
  checkDefinition(mergeOverBase(documentOf(gate))).map(
    ({ path, message }) => `${path}: ${message.text}`,
  );

const PLACE = 'workflows.orders.statuses.open.transitions';

test.each<readonly [string, object]>([
  ['nothing more', {}],
  ['as many as there are', { required: 2 }],
  ['one of each', { from: 'each', self_approval: true, expires_days: 365 }],
  ['an amount', { when: { field: 'amount', op: 'gt', value: 1000 } }],
  ['a range', { when: { field: 'amount', op: 'between', value: [1, 2] } }],
  ['an option', { when: { field: 'kind', op: 'in', value: ['a', 'b'] } }],
  ['an empty field', { when: { field: 'note', op: 'is_null', value: true } }],
])('a gate with %s is good', (_, gate) => {
  expect(problemsOf(gate)).toEqual([]);
});

const condition = (field: string, op: string, value: unknown = 1) => ({
  when: { field, op, value },
});

test.each<readonly [string, object, string]>([
  [
    'too many',
    { required: 3 },
    `${PLACE}.paid.required: must not be more than can approve; there are 2`,
  ],
  ['none', { required: 0 }, `${PLACE}`],
  ['a year and more', { expires_days: 366 }, `${PLACE}`],
  ['another word', { unless: true }, `${PLACE}`],
  [
    'an unknown field',
    condition('amuont', 'gt'),
    `${PLACE}.paid.when: "amuont" is not a field of orders`,
  ],
  [
    'a reference',
    condition('other_id', 'eq', 'x'),
    `${PLACE}.paid.when: cannot be about a reference`,
  ],
  [
    'an order of texts',
    condition('note', 'lt', 'x'),
    `${PLACE}.paid.when: has an operator that a text`,
  ],
  [
    'a value of another type',
    condition('amount', 'gt', 'much'),
    `${PLACE}.paid.when: has a value that`,
  ],
  ['no list', condition('amount', 'in', 1), `${PLACE}.paid.when: has a value that does not fit`],
  [
    'no option',
    condition('kind', 'eq', 'c'),
    `${PLACE}.paid.when: names "c", which is not an option`,
  ],
  ['an operator that is none', condition('amount', 'like'), `${PLACE}`],
])('a gate with %s is refused', (_, gate, problem) => {
  const problems = problemsOf(gate);
  expect(problems[0]).toContain(problem);
});

test('a condition follows the rename of its field', () => {
  const before = mergeOverBase(documentOf(condition('amount', 'gt'))) as DefinitionDocument;
  const { amount, ...fields } = before.objects.orders?.fields ?? {};
  const renamed = { ...fields, total: { ...amount, renamed_from: 'amount' } };
  const after = {
    ...before,
    objects: { ...before.objects, orders: { ...before.objects.orders, fields: renamed } },
  } as DefinitionDocument;
  const [move] =
    renameKeys(before, renamesIn(after)).workflows?.orders?.statuses.open?.transitions ?? [];
  expect(move).toMatchObject({ to: 'paid', when: { field: 'total', op: 'gt' } });
});

test('people who may not read the field do not see the condition', () => {
  const document = mergeOverBase(documentOf(condition('amount', 'gt'))) as DefinitionDocument;
  const moveFor = (readable: boolean, directory = true) => {
    const view = {
      isReadable: () => true,
      isReadableField: (_: string, key: string) => readable || key !== 'amount',
      ...{ roles: new Set<string>(), directory },
    };
    const shown = visibleDefinition(document, view).workflows?.orders;
    return shown?.statuses.open?.transitions?.[0];
  };
  expect(moveFor(true)).toHaveProperty('when');
  expect(moveFor(false)).not.toHaveProperty('when');
  expect(moveFor(true, false)).toBe('paid');
});
