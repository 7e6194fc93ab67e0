// Retries of the client, through a proxy that loses requests and answers of the running service: each call takes
// effect once, and an unknown outcome is reported.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createClient, isRecordsError } from '../../packages/client/src/index.ts';
import { waitBefore } from '../../packages/client/src/retry.ts';
import { openWorld, type World } from '../world.ts';
import { clientOf } from './client-world.ts';
import { type CuttingProxy, type Fault, openCuttingProxy, refusal } from './cutting-proxy.ts';

let world: World;
let proxy: CuttingProxy;

beforeAll(async () => {
  world = await openWorld();
  proxy = await openCuttingProxy(world.port);
});
afterAll(async () => {
  await proxy?.close();
  await world?.close();
});

const through = (options = {}) => clientOf(world, 'ada', { baseUrl: proxy.baseUrl, ...options });

/** Writes of a record, oldest first. */
async function writesOf(id: string): Promise<readonly unknown[]> {
  const rows = await world.rows('select action from _audit where record_id = $1 order by id', [id]);
  return rows.map(({ action }) => action);
}

const recordsNamed = async (name: string) =>
  (await world.rows('select id from deals where name = $1', [name])).length;

test.each<readonly [string, readonly Fault[]]>([
  ['the answer is lost', ['lose_answer']],
  ['the answer is lost twice', ['lose_answer', 'lose_answer']],
  ['half of the answer comes', ['half']],
  ['the request is lost', ['lose_request']],
  ['the service is busy', [refusal(503, 'service_unavailable', '0')]],
  ['an attempt is still running', ['lose_answer', refusal(409, 'idempotency_key_in_use')]],
  ['the key is used up', [refusal(429, 'rate_limited', '0')]],
  ['a proxy has no answer', [{ status: 502, body: '<html>Bad gateway</html>' }, { status: 504 }]],
])('%s: one create is one record', async (name, faults) => {
  const { client, noted } = await through();
  proxy.spoil(...faults);
  const record = await client.records('deals').create({ name, amount: 1 });
  expect(record.fields).toMatchObject({ name, amount: 1 });
  expect(await recordsNamed(name)).toBe(1);
  expect(noted).toHaveLength(faults.length + 1);
  const keys = noted.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test('every write whose answer is lost is done once', async () => {
  const { client } = await through();
  const deals = client.records('deals');
  const company = await client.records('companies').create({ name: 'Once' });
  const { id, version } = await deals.create({ name: 'Once' });
  const lost = <Result>(call: () => Promise<Result>) => {
    proxy.spoil('lose_answer');
    return call();
  };
  const updated = await lost(() => deals.update(id, { amount: 1 }, { version }));
  await lost(() => deals.status(id, 'lost', { version: updated.version }));
  await lost(() => deals.link({ id, association: 'ref.company_id', target: company.id }));
  const comment = await lost(() => deals.comments(id).create('Once'));
  expect((await deals.comments(id).list()).data).toEqual([comment]);
  const operations = [{ action: 'status', id, status_id: 'open' }] as const;
  const [result] = await lost(() => deals.batch(operations));
  expect(result).toMatchObject({ id, status: 'succeeded' });
  expect(await writesOf(id)).toEqual(['create', 'update', 'status', 'link', 'comment', 'status']);
});

test('a delete whose answer is lost has succeeded when the record is gone', async () => {
  const { client, noted } = await through();
  const deals = client.records('deals');
  const { id, version } = await deals.create({ name: 'To go' });
  proxy.spoil('lose_answer');
  const deleted = { id, object_type: 'deals', deleted: true };
  expect(await deals.delete(id, { version })).toEqual(deleted);
  expect(noted.slice(1).map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  expect(noted[1]?.headers.has('idempotency-key')).toBe(false);
  expect(await writesOf(id)).toEqual(['create', 'delete']);
  await expect(deals.delete(id)).rejects.toMatchObject({
    code: 'record_not_found',
    outcomeUnknown: false,
  });
  proxy.spoil(refusal(429, 'rate_limited', '0'));
  await expect(deals.delete(id)).rejects.toMatchObject({ code: 'record_not_found' });
});

test('an unlink whose answer is lost: links are gone, of references it is said that it may be', async () => {
  const { client } = await through();
  const deals = client.records('deals');
  const company = await client.records('companies').create({ name: 'Linked' });
  const contact = await client.records('contacts').create({ name: 'Linked' });
  const { id } = await deals.create({ name: 'Linked', company_id: company.id });
  const association = 'assoc.contacts_deals';
  await deals.link({ id, association, target: contact.id });
  proxy.spoil('lose_answer');
  const unlinked = await deals.unlink({ id, association, target: contact.id });
  expect(unlinked).toMatchObject({ linked: false });
  proxy.spoil('lose_answer');
  const reference = { id, association: 'ref.company_id', target: company.id };
  await expect(deals.unlink(reference)).rejects.toMatchObject({
    code: 'stale_record',
    outcomeUnknown: true,
  });
  expect(await writesOf(id)).toEqual(['create', 'link', 'unlink', 'unlink']);
});

test('without keys a write is made again only when it was refused', async () => {
  const { client, noted } = await through({ idempotencyKeys: false });
  const deals = client.records('deals');
  proxy.spoil('lose_answer');
  await expect(deals.create({ name: 'No key' })).rejects.toMatchObject({
    code: 'connection_failed',
    status: 0,
    type: 'client_error',
    outcomeUnknown: true,
  });
  expect(noted[0]?.headers.has('idempotency-key')).toBe(false);
  expect(await recordsNamed('No key')).toBe(1);
  proxy.spoil(refusal(503, 'service_unavailable'));
  await expect(deals.create({ name: 'No key' })).rejects.toMatchObject({ status: 503 });
  proxy.spoil(refusal(429, 'rate_limited', '0'));
  await deals.create({ name: 'No key' });
  expect(await recordsNamed('No key')).toBe(2);
  proxy.spoil('lose_answer', 'lose_request');
  expect((await deals.list({ filters: { name: 'No key' } })).data).toHaveLength(2);
});

test('under a key a refusal shows that nothing was done before it, but for one of rights', async () => {
  const { client } = await through();
  const deals = client.records('deals');
  proxy.spoil('lose_answer');
  const invalid = { code: 'invalid_write', outcomeUnknown: false };
  await expect(deals.create({ name: 'Judged', amount: -1 })).rejects.toMatchObject(invalid);
  proxy.spoil('lose_answer', refusal(403, 'permission_denied'));
  const denied = { code: 'permission_denied', outcomeUnknown: true };
  await expect(deals.create({ name: 'Done' })).rejects.toMatchObject(denied);
  expect(await recordsNamed('Done')).toBe(1);
  // A record that the writer may no longer read counts as deleted for them, whether or not it was written.
  proxy.spoil('lose_answer', refusal(404, 'record_not_found'));
  const gone = { code: 'record_not_found', outcomeUnknown: true };
  await expect(deals.create({ name: 'Gone' })).rejects.toMatchObject(gone);
  expect(await recordsNamed('Gone')).toBe(1);
  proxy.spoil(refusal(500, 'internal_error'));
  const broken = { code: 'internal_error', outcomeUnknown: true };
  await expect(deals.create({ name: 'Broken' })).rejects.toMatchObject(broken);
});

test('keys may be given, for one call or by a function', async () => {
  let count = 0;
  const idempotencyKeys = () => {
    count += 1;
    return `mine-${count}`;
  };
  const { client, noted } = await through({ idempotencyKeys });
  const deals = client.records('deals');
  const first = await deals.create({ name: 'Keyed' });
  const again = await deals.create({ name: 'Keyed' }, { idempotencyKey: 'mine-1' });
  expect(again).toEqual(first);
  await deals.search({ query: 'key' });
  const keys = noted.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual(['mine-1', 'mine-1', null]);
  const wrong = deals.create({ name: 'Keyed' }, { idempotencyKey: 'not visible' });
  await expect(wrong).rejects.toThrow('idempotencyKey must be visible ASCII');
});

test('Retry-After is waited for, unless that would take too long', async () => {
  const { client, noted } = await through();
  proxy.spoil(refusal(429, 'rate_limited', '1'));
  const start = performance.now();
  await client.me();
  expect(performance.now() - start).toBeGreaterThan(990);
  expect(noted).toHaveLength(2);
  const { client: limited } = await through({ requestsPerMinute: 1, timeout: 400 });
  // One of the two is over the limit, in whichever minute they are.
  const error = await vi.waitFor(async () => {
    const refused = await Promise.all([1, 2, 3].map(() => limited.me().catch((one) => one)));
    const found = refused.find((one) => isRecordsError(one, 'rate_limited'));
    expect(found).toBeDefined();
    return found;
  }, 60_000);
  expect(error).toMatchObject({ status: 429, type: 'rate_limit_error' });
  expect(error?.retryAfter).toBeGreaterThan(0);
});

test('attempts and time have an end', async () => {
  const { client, noted } = await through({ maxRetries: 2 });
  proxy.spoil('lose_request', 'lose_request', 'lose_request');
  await expect(client.me()).rejects.toMatchObject({ code: 'connection_failed' });
  expect(noted).toHaveLength(3);
  proxy.spoil('hang');
  await expect(client.me({ timeout: 150 })).rejects.toMatchObject({ code: 'timed_out', status: 0 });
  expect(noted).toHaveLength(4);
});

test('a signal ends a call that is sent and one that waits', async () => {
  const { client, noted } = await through();
  const reason = new Error('enough');
  for (const fault of ['hang', refusal(503, 'service_unavailable', '60')] as const) {
    proxy.spoil(fault);
    const before = noted.length;
    const controller = new AbortController();
    const call = client.me({ signal: controller.signal });
    await expect.poll(() => noted.length).toBe(before + 1);
    setTimeout(() => controller.abort(reason), 50);
    await expect(call).rejects.toBe(reason);
  }
  const before = noted.length;
  await expect(client.me({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(noted).toHaveLength(before);
});

test('an answer that is not from the service is an error', async () => {
  const { client, noted } = await through();
  const headers = { Location: `http://127.0.0.1:${world.port}/v1/me` };
  for (const answer of [
    { status: 200, body: '<html>Please log in</html>' },
    { status: 307, headers },
    { status: 403, body: '<html>Forbidden</html>' },
  ]) {
    proxy.spoil(answer);
    const { status } = answer;
    await expect(client.me()).rejects.toMatchObject({ code: 'unexpected_answer', status });
  }
  expect(noted).toHaveLength(3);
});

test('without a server the connection fails, and the message does not show the key', async () => {
  const apiKey = 'wrs_p_hidden';
  // Port 1 is never listened at.
  const client = createClient({ apiKey, baseUrl: 'http://127.0.0.1:1/v1', maxRetries: 0 });
  const error = await client.me().catch((failed) => failed);
  expect(error).toMatchObject({ code: 'connection_failed', requestId: undefined });
  expect(JSON.stringify(error) + error.message + error.stack).not.toContain(apiKey);
});

test('waits are spread over a growing time, after the time of Retry-After', () => {
  for (const [retry, longest] of [0, 1, 2, 3, 4, 5, 9].map((n) => {
    return [n, Math.min(8000, 250 * 2 ** n)] as const;
  })) {
    const waits = Array.from({ length: 500 }, () => waitBefore(retry));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...waits)).toBeLessThan(longest * 0.1);
    expect(Math.max(...waits)).toBeGreaterThan(longest * 0.9);
    expect(Math.max(...waits)).toBeLessThan(longest);
    expect(waitBefore(retry, 3)).toBeGreaterThanOrEqual(3000);
  }
});
