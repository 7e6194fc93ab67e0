// A change of the definition that has to wait for somebody who reads: those who come after are let through
// meanwhile, and tables of which only rows change are read all the time.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { until } from '../until.ts';

let own: OwnDatabase;
beforeAll(async () => {
  own = await createMigratedDatabase();
});
afterAll(() => own?.drop());

const cars = (fields: object, more: object = {}) => ({
  objects: {
    cars: { name: 'Cars', singular_name: 'Car', display_field: 'name', fields, ...more },
  },
});
const name = { type: 'text' };
const count = (slug: string) => own.rows(`select count(*) from "ws_${slug}".cars`);

async function isWaitedFor(slug: string): Promise<boolean> {
  const [row] = await own.rows(
    `select exists (select from pg_locks where not granted
      and relation = '"ws_${slug}".cars'::regclass) as found`,
  );
  return row?.found === true;
}

test('a lock that waits for a reader does not delay the next readers', async () => {
  await createWorkspace(own.db, { slug: 'held', document: cars({ name }) });
  let isOver = false;
  const applied = await own.db.transaction(async (tx) => {
    await tx.query({ text: 'select from ws_held.cars', values: [] }, { prepare: false });
    const applying = applyDefinition(own.db, 'held', cars({ name, size: { type: 'number' } }));
    applying
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    await until(() => isWaitedFor('held'));
    await count('held');
    expect(isOver).toBe(false);
    return { applying };
  });
  expect((await applied.applying).changes).toHaveLength(1);
});

test('a lock that waits for the end of a vacuum delays no client', async () => {
  await createWorkspace(own.db, { slug: 'vacuumed', document: cars({ name }) });
  const applied = await own.db.transaction(async (tx) => {
    const vacuumed = 'lock table ws_vacuumed.cars in share update exclusive mode';
    await tx.query({ text: vacuumed, values: [] }, { prepare: false });
    const applying = applyDefinition(own.db, 'vacuumed', cars({ name, size: { type: 'number' } }));
    applying.catch(() => undefined);
    await until(() => isWaitedFor('vacuumed'));
    await own.rows(`update ws_vacuumed.cars set name = 'written meanwhile'`);
    await count('vacuumed');
    expect(await isWaitedFor('vacuumed')).toBe(true);
    return { applying };
  });
  expect((await applied.applying).changes).toHaveLength(1);
});

test('rows are changed while others read', async () => {
  const before = cars({ name, note: { type: 'text', storage: 'jsonb' } });
  await createWorkspace(own.db, { slug: 'read', document: before });
  await own.db.transaction(async (tx) => {
    await tx.query({ text: 'select from ws_read.cars', values: [] }, { prepare: false });
    const remark = { type: 'text', storage: 'jsonb', searchable: true, renamed_from: 'note' };
    await applyDefinition(own.db, 'read', cars({ name, remark }));
    await applyDefinition(own.db, 'read', cars({ name }), { allowDrop: ['cars.remark'] });
  });
});

test('a field without a column of its own is added while others read and write', async () => {
  await createWorkspace(own.db, { slug: 'written', document: cars({ name }) });
  await own.db.transaction(async (tx) => {
    const write = `update ws_written.cars set name = 'not committed yet'`;
    await tx.query({ text: write, values: [] }, { prepare: false });
    const applied = await applyDefinition(
      own.db,
      'written',
      cars({ name, note: { type: 'text', storage: 'jsonb' } }),
    );
    expect(applied.changes).toHaveLength(1);
    await count('written');
    expect(await isWaitedFor('written')).toBe(false);
  });
});
