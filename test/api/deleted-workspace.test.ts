// A workspace that is deleted while people use it: their streams end, their keys become invalid, and other workspaces
// do not notice.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { planForRequest } from '../../src/definitions/apply/definition-requests.ts';
import { changeRole } from '../../src/definitions/apply/role-changes.ts';
import { deleteWorkspace } from '../../src/workspaces/workspace-lifecycle.ts';
import { openEvents } from '../event-client.ts';
import { call } from '../http-client.ts';
import { NO_FILES } from '../no-files.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

test('a running request gets the same error as the next one, at any use of the workspace', async () => {
  const { db } = world.database;
  const gone = 2 ** 30;
  const administration = { workspace_id: gone, actor: undefined as never };
  const asked = [
    planForRequest(db, gone, { patch: {} }, true),
    changeRole(db, administration, { action: 'delete', key: 'rep' }),
  ];
  for (const outcome of await Promise.allSettled(asked)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'invalid_api_key' } });
  }
});

test('streams end, requests get 401, the other workspace continues', async () => {
  const ada = await world.as('ada');
  const gil = await world.as('gil', { workspace: 'globex' });
  const ask = async (path: string, key: string) =>
    (await call(world.port, `/v1${path}`, { key })).status;
  const listen = () => openEvents({ port: world.port, secret: ada.secret });
  const streams = await Promise.all([listen(), listen(), listen()]);
  const others = await openEvents({ port: world.port, secret: gil.secret });
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);

  let over = false;
  const seen = new Set<number>();
  const reading = (async () => {
    while (!over) seen.add(await ask('/objects/deals/records', ada.secret));
  })();
  const { db } = world.database;
  const acme = (await findWorkspace(db, 'acme')) as WorkspaceRow;
  await deleteWorkspace(db, acme, { store: NO_FILES });
  await Promise.all(streams.map((stream) => stream.ended()));
  over = true;
  await reading;

  expect([...seen].filter((status) => ![200, 401, 503].includes(status))).toEqual([]);
  expect(await ask('/me', ada.secret)).toBe(401);
  expect(await ask('/objects/deals/records', gil.secret)).toBe(200);
  expect(others.isOpen()).toBe(true);
  others.close();
  const left = await world.database.rows(
    `select count(*)::integer as n from pg_namespace where nspname = 'ws_acme'`,
  );
  expect(left).toEqual([{ n: 0 }]);
});
