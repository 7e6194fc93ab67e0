// Renamed statuses of work items in views and webhooks: each type has its workflow, so that one key may get several.

import { expect, test } from 'vitest';
import { renamedKeysOf, renamedView } from '../../src/definitions/changes/renamed-view.ts';
import { renamedWebhook } from '../../src/definitions/changes/renamed-webhook.ts';
import type { ObjectModel, WorkspaceModel } from '../../src/model/definition/model.ts';
import type { KeyedWebhook } from '../../src/plan/events/webhook-plan.ts';
import type { KeyedView } from '../../src/plan/read/view-plan.ts';

const options = ['todo', 'done'].map((value) => ({ value }));
const items = {
  object_type: 'work_items',
  fields: new Map([['status', { rules: { options }, reference_object_type: null }]]),
} as unknown as ObjectModel;

/** Two types, whose workflows have the same statuses. */
const model = {
  objects: new Map([['work_items', items]]),
  work_item_types: new Map(
    ['task', 'bug'].map((id) => {
      const statuses = new Map(options.map(({ value }) => [value, {}]));
      return [id, { id, workflow: { id: `${id}s`, statuses } }];
    }),
  ),
} as unknown as WorkspaceModel;

const rename = (types: readonly string[], old_key: string, new_key: string) => ({
  ...({ of: 'statuses', objects: [items] } as const),
  ...{ types, old_key, new_key },
});

const viewWith = (query: object) =>
  ({
    ...{ object_type: 'work_items', query, columns: [], group_by: null, metrics: null },
  }) as unknown as KeyedView;

test.each([
  ['eq', 'todo', 'in', ['backlog', 'todo']],
  ['ne', 'todo', 'not_in', ['backlog', 'todo']],
  ['in', ['todo', 'done'], 'in', ['backlog', 'todo', 'done']],
  ['eq', 'done', 'eq', 'done'],
])('a condition %s %j becomes %s %j where one of two types renames it', (op, value, then, now) => {
  const renamed = renamedKeysOf(model, [rename(['task'], 'todo', 'backlog')]);
  const view = viewWith({ where: { field: 'status', op, value } });
  expect(renamed && renamedView(renamed, view).query).toEqual({
    where: { field: 'status', op: then, value: now },
  });
});

test.each([
  ['todo', { in: ['backlog', 'todo'] }],
  [{ eq: 'todo' }, { in: ['backlog', 'todo'] }],
  [{ in: ['todo', 'done'] }, { in: ['backlog', 'todo', 'done'] }],
  [
    { eq: 'done', is_null: false },
    { eq: 'done', is_null: false },
  ],
  ['done', 'done'],
])('a filter %j becomes %j where one of two types renames it', (filter, now) => {
  const renamed = renamedKeysOf(model, [rename(['task'], 'todo', 'backlog')]);
  const view = viewWith({ filters: { status: filter } });
  expect(renamed && renamedView(renamed, view).query).toEqual({ filters: { status: now } });
});

test('both new keys replace one that both types rename, in filters and webhooks as well', () => {
  const renames = [rename(['task'], 'todo', 'backlog'), rename(['bug'], 'todo', 'new')];
  const renamed = renamedKeysOf(model, renames);
  if (renamed === undefined) throw new Error('nothing is renamed');
  const view = renamedView(renamed, viewWith({ filters: { status: 'todo' } }));
  expect(view.query).toEqual({ filters: { status: { in: ['backlog', 'new'] } } });
  const webhook = { object_types: ['work_items'], changed_fields: [], where: null };
  const after = renamedWebhook(renamed, {
    ...webhook,
    status_to: ['todo'],
  } as unknown as KeyedWebhook);
  expect(after.status_to).toEqual(['backlog', 'new']);
});
