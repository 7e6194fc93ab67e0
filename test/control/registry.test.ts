// The cache of models: one load for many callers, one check of the revision after `forget`, and no stale model after
// it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRegistry } from '../../src/control/workspace/registry.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let id: number;

beforeAll(async () => {
  own = await createMigratedDatabase();
  ({ id } = await createWorkspace(own.db, { slug: 'demo' }));
});

afterAll(() => own?.drop());

let changes = 0;

async function change(): Promise<void> {
  changes += 1;
  await applyDefinition(own.db, 'demo', { name: `Name ${changes}` });
}

test('many callers share one load and one model', async () => {
  const registry = openRegistry(own.db);
  const before = own.stats.statements;
  const models = await Promise.all(Array.from({ length: 50 }, () => registry.model(id)));
  expect(own.stats.statements - before).toBe(2);
  expect(new Set(models).size).toBe(1);
  await registry.model(id);
  expect(own.stats.statements - before).toBe(2);
});

test('after forget the revision is looked at, and an unchanged model stays the same object', async () => {
  const registry = openRegistry(own.db);
  const model = await registry.model(id);
  registry.forget(id);
  const before = own.stats.statements;
  const again = await Promise.all([registry.model(id), registry.model(id)]);
  expect(again).toEqual([model, model]);
  expect(again[0]).toBe(model);
  expect(await registry.model(id)).toBe(model);
  expect(own.stats.statements - before).toBe(1);
});

test('a new revision is served after forget', async () => {
  const registry = openRegistry(own.db);
  const { revision } = await registry.model(id);
  await change();
  expect((await registry.model(id)).revision).toBe(revision);
  registry.forget(id);
  expect((await registry.model(id)).revision).toBe(revision + 1);
});

test('the result of a load that began before forget is not kept', async () => {
  const registry = openRegistry(own.db);
  const loading = registry.model(id);
  registry.forget(id);
  const { revision } = await loading;
  await change();
  expect((await registry.model(id)).revision).toBe(revision + 1);
});

test('a failed load is tried again', async () => {
  let failures = 1;
  const registry = openRegistry({
    query: async (statement, options) => {
      failures -= 1;
      if (failures >= 0) throw new Error('away');
      return own.db.query(statement, options);
    },
  });
  await expect(registry.model(id)).rejects.toThrow('away');
  expect((await registry.model(id)).workspace.slug).toBe('demo');
});

test('a workspace that is not there is a broken invariant', async () => {
  await expect(openRegistry(own.db).model(999)).rejects.toThrow('there is no workspace 999');
});
