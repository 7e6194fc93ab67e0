// The cache of models: one load for many callers, one look at the revision in 900 ms, and nothing
// old after `forget`.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/store/migrations.ts';
import { applyDefinition, createWorkspace } from '../../src/store/provision.ts';
import { openRegistry } from '../../src/store/registry.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let id: number;
let clock = 0;
const now = () => clock;

beforeAll(async () => {
  own = await createOwnDatabase();
  await migrate(own.db);
  ({ id } = await createWorkspace(own.db, { slug: 'demo' }));
});

afterAll(() => own?.drop());

let changes = 0;

async function change(): Promise<void> {
  changes += 1;
  await applyDefinition(own.db, 'demo', { name: `Name ${changes}` });
}

test('many callers share one load and one model', async () => {
  const registry = openRegistry(own.db, now);
  const before = own.db.statementCount();
  const models = await Promise.all(Array.from({ length: 50 }, () => registry.model(id)));
  expect(own.db.statementCount() - before).toBe(2);
  expect(new Set(models).size).toBe(1);
  await registry.model(id);
  expect(own.db.statementCount() - before).toBe(2);
});

test('after 900 ms the revision is looked at, and an unchanged model stays the same object', async () => {
  const registry = openRegistry(own.db, now);
  const model = await registry.model(id);
  const before = own.db.statementCount();
  clock += 900;
  expect(await registry.model(id)).toBe(model);
  expect(own.db.statementCount() - before).toBe(1);
});

test('a new revision is served after 900 ms at most, after forget at once', async () => {
  const registry = openRegistry(own.db, now);
  const { revision } = await registry.model(id);
  await change();
  clock += 899;
  expect((await registry.model(id)).revision).toBe(revision);
  clock += 1;
  expect((await registry.model(id)).revision).toBe(revision + 1);
  await change();
  registry.forget(id);
  expect((await registry.model(id)).revision).toBe(revision + 2);
});

test('what a load brings after forget is not kept', async () => {
  const registry = openRegistry(own.db, now);
  const loading = registry.model(id);
  registry.forget(id);
  const { revision } = await loading;
  await change();
  expect((await registry.model(id)).revision).toBe(revision + 1);
});

test('a failed load is tried again', async () => {
  let failures = 1;
  const registry = openRegistry(
    {
      query: async (statement, options) => {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        return own.db.query(statement, options);
      },
    },
    now,
  );
  await expect(registry.model(id)).rejects.toThrow('away');
  expect((await registry.model(id)).workspace.slug).toBe('demo');
});

test('a workspace that is not there is a broken invariant', async () => {
  await expect(openRegistry(own.db).model(999)).rejects.toThrow('there is no workspace 999');
});
