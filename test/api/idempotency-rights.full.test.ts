// The receivers of a stored answer: only those who may still read its content. Rights that were lost since give their
// own refusal, and the write is not repeated.

import { expect, test, vi } from 'vitest';
import type { Answer } from '../client.ts';
import { call } from '../http-client.ts';
import { lacks } from '../own-database.ts';
import { useFleet } from './fleet.ts';
import { DEALS, idOf, made, type Send, useKeys } from './keyed.ts';

const fleet = useFleet();
const { refused } = fleet;
const { expectReplay, requestsOf } = useKeys(fleet);

test('a stored answer is not sent to a key that has lost its rights', async () => {
  const { id, secret } = await fleet.world.key('ada');
  const send = () =>
    call(fleet.world.port, `/v1${DEALS}`, {
      ...{ method: 'POST', key: secret, body: made },
      headers: { 'idempotency-key': 'withdrawn' },
    });
  expect((await send()).status).toBe(201);
  const set = (assignment: string) =>
    fleet.world.rows(`update workspace_records.api_keys set ${assignment} where id = $1`, [id]);
  await set(`scopes = '{records:read}'`);
  await vi.waitFor(async () => {
    expect((await send()).json.error?.code).toBe('insufficient_scope');
  }, 60_000);
  await set(`scopes = '{records:read,records:write}'`);
  await vi.waitFor(async () => expect((await send()).status).toBe(201), 60_000);
  await set('expires_at = now()');
  await vi.waitFor(
    async () => expect((await send()).json.error?.code).toBe('api_key_expired'),
    60_000,
  );
});

test('the record: 404, and the write is not repeated', async () => {
  const requests = await requestsOf(fleet.rob);
  const firsts = await Promise.all(requests.map(({ send }) => send()));
  const records = firsts.flatMap(({ body }) => body.data.id ?? body.data.results.map(idOf));
  const give = async (owner: number) => {
    for (const id of records) await fleet.set('deals', id, { owner_user_id: owner });
  };
  await give(fleet.world.users.sam);
  for (const { send } of requests) {
    await refused(send, [404, 'record_not_found']);
    expect(JSON.stringify((await send()).body)).not.toContain('Keyed');
  }
  await give(fleet.world.users.rob);
  for (const [index, first] of firsts.entries()) {
    await expectReplay(first, requests[index]?.send as Send);
  }
  await give(fleet.world.users.sam);
  for (const id of records) await fleet.ada.delete(`${DEALS}/${id}`);
  await expectReplay(firsts[0] as Answer, requests[0]?.send as Send);
});

test.skipIf(lacks('triggers'))('the field, the object, the developer access', async () => {
  const requests = await requestsOf(fleet.rae);
  const sends = requests.map(({ send }) => send);
  const [create, update, status] = sends as [Send, Send, Send, ...Send[]];
  const first = await create();
  expect(first.status).toBe(201);
  const roles = async (...keys: string[]) => {
    await fleet.world.rows(`update "ws_acme"._users set roles = $1 where id = $2`, [
      keys,
      fleet.world.users.rae,
    ]);
  };
  const becomes = async (statusCode: number, code: string) => {
    await vi.waitFor(async () => {
      const { status, body } = await create();
      expect([status, body.error?.code]).toEqual([statusCode, code]);
    }, 60_000);
    await refused(create, [statusCode, code]);
  };
  // A clerk reads all deals, but not `partner_id`, which the stored answer has.
  await roles('clerk');
  await becomes(403, 'permission_denied');
  await roles('blind');
  await becomes(404, 'object_not_available');
  await roles('contractor');
  await becomes(403, 'developer_access_revoked');
  await roles('rep');
  await vi.waitFor(async () => expect((await create()).status).toBe(201), 60_000);
  await expectReplay(first, create);
  expect([(await update()).status, (await status()).status]).toEqual([200, 200]);
});
