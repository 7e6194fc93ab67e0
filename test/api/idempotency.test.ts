// Idempotency-Key over HTTP: the stored and repeated answer, and the releases of a key. The rights to a stored
// answer, and that it is the first one for every field type, are in files of their own.

import net from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { sql, toStatement } from '../../src/sql/sql.ts';
import type { Answer, Client } from '../client.ts';
import { call } from '../http-client.ts';
import { lacks } from '../own-database.ts';
import { useFleet } from './fleet.ts';
import { DEALS, idOf, keyed, made, type Send, useKeys } from './keyed.ts';

const fleet = useFleet();
const { deal, make, refused } = fleet;
const { newKey, expectReplay, requestsOf } = useKeys(fleet);

const storedRows = () => fleet.world.rows('select key, status from _idempotency order by key');
const auditRows = async () =>
  Number((await fleet.world.rows('select count(*) as count from _audit'))[0]?.count);

/** Keys that are held at the moment. */
const advisoryLocks = () =>
  fleet.world.database.rows(
    `select objid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`,
  );

describe('the same request again', () => {
  test('each endpoint answers as before and writes no row', async () => {
    for (const { send, key } of await requestsOf(fleet.rob)) {
      const audited = await auditRows();
      const first = await send();
      expect([200, 201], JSON.stringify(first.body)).toContain(first.status);
      expect(await auditRows()).toBeGreaterThan(audited);
      await expectReplay(first, send);
      await expectReplay(first, send);
      expect(await storedRows()).toContainEqual({ key, status: first.status });
    }
  });

  test('a replay counts', async () => {
    const client = await fleet.world.as('ada', { requestsPerMinute: 1000 });
    const send = () => keyed(client, DEALS, made, 'counted');
    let [first, again] = [await send(), await send()];
    const windowOf = ({ headers }: Answer) => headers.get('x-ratelimit-reset');
    // A minute may have ended between the two.
    if (windowOf(first) !== windowOf(again)) [first, again] = [again, await send()];
    const [left, after] = [first, again].map(({ headers }) =>
      Number(headers.get('ratelimit-remaining')),
    );
    expect(after).toBe(Number(left) - 1);
  });

  test('an update whose version has moved on, with the precondition it had', async () => {
    const { id, version } = await deal(fleet.ada);
    const headers = { 'idempotency-key': newKey(), 'if-match': `"${version}"` };
    const send = () => fleet.ada.patch(`${DEALS}/${id}`, { fields: { amount: 1 } }, headers);
    const first = await send();
    expect(first.status).toBe(200);
    await expectReplay(first, send);
    await fleet.set('deals', id, { amount: 2 });
    await expectReplay(first, send);
  });

  test('after the record was changed, moved and deleted by others', async () => {
    const requests = await requestsOf(fleet.rob);
    const firsts = await Promise.all(requests.map(({ send }) => send()));
    const records = firsts.flatMap(({ body }) => body.data.id ?? body.data.results.map(idOf));
    for (const id of records) await fleet.set('deals', id, { name: 'Changed' });
    for (const [index, first] of firsts.entries()) {
      await expectReplay(first, requests[index]?.send as Send);
    }
    for (const id of records) await fleet.ada.delete(`${DEALS}/${id}`);
    for (const [index, first] of firsts.entries()) {
      await expectReplay(first, requests[index]?.send as Send);
    }
  });

  test('100 at once: one effect, the rest has to wait or gets the answer', async () => {
    const key = newKey();
    const fields = { name: 'Hundred', code: 'HUNDRED' };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => keyed(fleet.ada, DEALS, { fields }, key)),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.error.code]).toEqual([409, 'idempotency_key_in_use']);
    }
    const rows = await fleet.world.rows(`select id from deals where name = 'Hundred'`);
    expect(rows).toHaveLength(1);
  });

  test('a client that goes away and sends it again', async () => {
    const body = JSON.stringify({ fields: { name: 'Gone' } });
    const request = [
      'POST /v1/objects/deals/records HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${fleet.ada.secret}`,
      'Idempotency-Key: gone-away',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    await new Promise<void>((resolve) => {
      const socket = net.connect(fleet.world.port, '127.0.0.1', () => {
        socket.write(`${request.join('\r\n')}\r\n\r\n${body}`, () => {
          socket.destroy();
          resolve();
        });
      });
    });
    const answer = await vi.waitFor(async () => {
      const again = await keyed(fleet.ada, DEALS, body, 'gone-away');
      expect(again.status).toBe(201);
      return again;
    }, 60_000);
    const rows = await fleet.world.rows(`select id from deals where name = 'Gone'`);
    expect(rows.map(({ id }) => id)).toEqual([answer.body.data.id]);
  });

  test('for 24 hours of the database', async () => {
    const key = newKey();
    const send = () => keyed(fleet.ada, DEALS, made, key);
    const first = await send();
    const age = (interval: string) =>
      fleet.world.rows(
        `update "ws_acme"._idempotency set stored_at = now() - $1::interval where key = $2`,
        [interval, key],
      );
    await age('23 hours 59 minutes');
    await expectReplay(first, send);
    await age('24 hours 1 minute');
    const other = await keyed(fleet.ada, DEALS, { fields: { name: 'Another day' } }, key);
    expect([other.status, other.body.data.display]).toEqual([201, 'Another day']);
    expect(other.headers.has('idempotent-replayed')).toBe(false);
    await refused(send, [422, 'idempotency_key_reused', 'Idempotency-Key']);
  });
});

describe('other requests', () => {
  test('another body, path or method under the same key', async () => {
    const key = newKey();
    const { id } = await deal(fleet.ada);
    await keyed(fleet.ada, DEALS, '{"fields":{"name":"Keyed"}}', key);
    const reused = [422, 'idempotency_key_reused', 'Idempotency-Key'] as const;
    const others = [
      () => keyed(fleet.ada, DEALS, '{"fields":{"name":"Other"}}', key),
      () => keyed(fleet.ada, DEALS, '{"fields":{ "name":"Keyed"}}', key),
      () => keyed(fleet.ada, DEALS, '{"fields":{"name":"Keyed"}}\n', key),
      () => keyed(fleet.ada, '/objects/companies/records', '{"fields":{"name":"Keyed"}}', key),
      () => keyed(fleet.ada, `${DEALS}/${id}`, '{"fields":{"name":"Keyed"}}', key, 'PATCH'),
      () => keyed(fleet.ada, `${DEALS}/${id}/status`, { status_id: 'won' }, key),
      () => keyed(fleet.ada, `${DEALS}/batch`, { operations: [{ action: 'delete', id }] }, key),
    ];
    for (const other of others) await refused(other, reused);
  });

  test('another API key of the same person, another workspace', async () => {
    const key = newKey();
    const second = await fleet.world.as('ada');
    const foreign = await fleet.world.as('ada', { workspace: 'globex' });
    const answers = [];
    for (const client of [fleet.ada, second, foreign]) {
      answers.push(await keyed(client, DEALS, made, key));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(3);
    expect(answers.every(({ headers }) => !headers.has('idempotent-replayed'))).toBe(true);
  });

  test.skipIf(lacks('locks'))('while the first one runs, whatever their body', async () => {
    const { id } = await deal(fleet.ada);
    const key = newKey();
    const path = `${DEALS}/${id}`;
    const update = (amount: number) => keyed(fleet.ada, path, { fields: { amount } }, key, 'PATCH');
    const held = toStatement(sql`select id from ws_acme.deals where id = ${id}::uuid for update`);
    const [first, isFree] = await fleet.world.database.db
      .transaction(async (tx) => {
        await tx.query(held);
        const running = update(1);
        await vi.waitFor(async () => {
          expect(await advisoryLocks()).toHaveLength(1);
        }, 60_000);
        const refusals = await Promise.all([update(1), update(2)]);
        for (const { status, body } of refusals) {
          expect([status, body.error.code, body.error.type]).toEqual([
            ...[409, 'idempotency_key_in_use', 'idempotency_error'],
          ]);
        }
        return [running, keyed(fleet.ada, DEALS, made, newKey())];
      })
      .then((running) => Promise.all(running));
    expect([first?.status, isFree?.status]).toEqual([200, 201]);
    await expectReplay(first as Answer, () => update(1));
    expect(await advisoryLocks()).toEqual([]);
  });

  test('malformed keys', async () => {
    for (const key of ['', 'x'.repeat(256), 'two words', 'tab\ttab', 'é', 'a, b']) {
      const before = await fleet.world.digest();
      const answer = await call(fleet.world.port, `/v1${DEALS}`, {
        ...{ method: 'POST', key: fleet.ada.secret, body: made },
        headers: { 'idempotency-key': key },
      });
      const { code, param } = answer.json.error;
      expect([answer.status, code, param], JSON.stringify(key)).toEqual([
        ...[400, 'validation_failed', 'Idempotency-Key'],
      ]);
      expect(await fleet.world.digest()).toBe(before);
    }
    const twice = await call(fleet.world.port, `/v1${DEALS}`, {
      ...{ method: 'POST', key: fleet.ada.secret, body: made },
      headers: { 'idempotency-key': ['a', 'b'] },
    });
    expect(twice.status).toBe(400);
  });

  test('odd keys are only keys', async () => {
    for (const key of ["'or'1'='1", '";--', '$1', '%s', '\\', '{}', 'x'.repeat(255), '__proto__']) {
      const first = await keyed(fleet.ada, DEALS, made, key);
      expect(first.status).toBe(201);
      await expectReplay(first, () => keyed(fleet.ada, DEALS, made, key));
    }
  });

  test('endpoints that take no key ignore it, even a malformed one', async () => {
    const company = await make('companies', { name: 'x' });
    const { id } = await deal(fleet.ada, { company_id: company.id });
    const before = await storedRows();
    for (const key of ['ignored', 'not a key']) {
      const headers = { 'idempotency-key': key };
      const unlinked = `${DEALS}/${id}/relationships/link.deal_agency/${company.id}`;
      const removed = await deal(fleet.ada);
      const answers = [
        await fleet.ada.get(`${DEALS}/${id}`, headers),
        await fleet.ada.post(`${DEALS}/search`, {}, headers),
        await fleet.ada.post(
          `${DEALS}/aggregate`,
          { metrics: [{ name: 'n', op: 'count' }] },
          headers,
        ),
        await fleet.ada.delete(unlinked, headers),
        await fleet.ada.delete(`${DEALS}/${removed.id}`, headers),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    }
    expect(await storedRows()).toEqual(before);
  });
});

describe('failures release their key', () => {
  test('any failure, for any other request', async () => {
    const { id, version } = await deal(fleet.ada, { code: 'RELEASE' });
    const mine = await deal(fleet.rob);
    const nowhere = `${DEALS}/01a1fd00-0000-7000-8000-000000000000`;
    const failures: readonly (readonly [number, Client, string, string, unknown, string?])[] = [
      [400, fleet.ada, 'POST', DEALS, { fields: { name: 'x', nope: 1 } }],
      [400, fleet.ada, 'POST', DEALS, '{'],
      [403, fleet.rob, 'PATCH', `${DEALS}/${mine.id}`, { fields: { code: 'x' } }],
      [404, fleet.ada, 'PATCH', nowhere, { fields: {} }],
      [404, fleet.ada, 'POST', '/objects/nope/records', made],
      [409, fleet.ada, 'POST', DEALS, { fields: { name: 'x', code: 'RELEASE' } }],
      [412, fleet.ada, 'PATCH', `${DEALS}/${id}`, { fields: {}, expected_version: `x${version}` }],
      [422, fleet.ada, 'POST', DEALS, { fields: { name: null } }],
      [422, fleet.ada, 'POST', `${DEALS}/${id}/status`, { status_id: 'nope' }],
      [
        422,
        fleet.ada,
        'POST',
        `${DEALS}/batch`,
        { operations: [{ action: 'create', fields: {} }] },
      ],
    ];
    for (const [status, client, method, path, body] of failures) {
      const key = newKey();
      const before = await fleet.world.digest();
      const send = () => keyed(client, path, body, key, method);
      expect([(await send()).status, (await send()).status]).toEqual([status, status]);
      expect(await fleet.world.digest()).toBe(before);
      const corrected = await keyed(client, DEALS, made, key);
      expect([corrected.status, corrected.headers.has('idempotent-replayed')]).toEqual([
        201,
        false,
      ]);
    }
  });

  test('401, 403 of the scope and 429 do not touch it', async () => {
    const before = await storedRows();
    const reader = await fleet.world.as('ada', { scopes: ['records:read'] });
    await refused(() => keyed(reader, DEALS, made, 'scope'), [403, 'insufficient_scope']);
    const slow = await fleet.world.key('ada', { requestsPerMinute: 1 });
    const send = (key: string) =>
      call(fleet.world.port, `/v1${DEALS}`, {
        ...{ method: 'POST', key, body: { fields: { name: null } } },
        headers: { 'idempotency-key': 'untouched' },
      });
    await vi.waitFor(async () => expect((await send(slow.secret)).status).toBe(429), 60_000);
    expect((await send(`${slow.secret}x`)).status).toBe(401);
    expect(await storedRows()).toEqual(before);
  });
});
