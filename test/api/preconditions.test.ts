// If-Match, If-None-Match and expected_version on every write that honours them: update, delete, status,
// link and unlink. A precondition that is broken or not met must never be ignored.

import { describe, expect, test } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { call } from '../http-client.ts';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { deal, make, refused } = fleet;

type Headers = Readonly<Record<string, string>>;

const DEALS = '/objects/deals/records';
const NOWHERE = '01a1fd00-0000-7000-8000-000000000000';
const MALFORMED = ['v7', '"v7', '"v7" "v8"', '*, "v7"', '', ',', '"a",', '"a b"', 'W/"a', '**'];

interface Write {
  readonly name: string;
  /** Prepare a deal; its version and how to write it. */
  prepare(client: Client): Promise<{
    readonly id: string;
    readonly version: string;
    send(headers: Headers): Promise<Answer>;
  }>;
}

/** The amount differs each time, so that the update changes something. */
let amount = 0;

async function linkable(client: Client, linked: boolean) {
  const company = await make('companies', { name: 'Linkable' });
  const { id, version } = await deal(client, linked ? { company_id: company.id } : {});
  return { id, version, target: company.id, path: `${DEALS}/${id}/relationships/ref.company_id` };
}

const WRITES: readonly Write[] = [
  {
    name: 'update',
    async prepare(client) {
      const { id, version } = await deal(client);
      amount += 1;
      const fields = { amount };
      return {
        id,
        version,
        send: (headers) => client.patch(`${DEALS}/${id}`, { fields }, headers),
      };
    },
  },
  {
    name: 'status',
    async prepare(client) {
      const { id, version } = await deal(client);
      const path = `${DEALS}/${id}/status`;
      const body = { status_id: 'won' };
      return { id, version, send: (headers) => client.post(path, body, headers) };
    },
  },
  {
    name: 'delete',
    async prepare(client) {
      const { id, version } = await deal(client);
      return { id, version, send: (headers) => client.delete(`${DEALS}/${id}`, headers) };
    },
  },
  {
    name: 'link',
    async prepare(client) {
      const { id, version, path, target } = await linkable(client, false);
      const body = { target_id: target };
      return { id, version, send: (headers) => client.post(path, body, headers) };
    },
  },
  {
    name: 'unlink',
    async prepare(client) {
      const { id, version, path, target } = await linkable(client, true);
      return { id, version, send: (headers) => client.delete(`${path}/${target}`, headers) };
    },
  },
];

describe.each(WRITES)('$name', ({ prepare }) => {
  test('is made when the version is one of those named', async () => {
    for (const headersOf of [
      (tag: string) => ({ 'if-match': tag }),
      (tag: string) => ({ 'if-match': `"other", ${tag}` }),
      (tag: string) => ({ 'if-match': `  W/"other" ,${tag}  ` }),
      (tag: string) => ({ 'if-match': `W/${tag}` }),
      (tag: string) => ({ 'if-match': tag.replace(/"$/, '-gzip"') }),
      () => ({ 'if-match': '*' }),
      () => ({ 'if-none-match': '"other", W/"another"' }),
      (tag: string) => ({ 'if-match': tag, 'if-none-match': '"other"' }),
      () => ({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    ]) {
      const { version, send } = await prepare(fleet.ada);
      const headers = headersOf(`"${version}"`);
      expect((await send(headers)).status, JSON.stringify(headers)).toBe(200);
    }
  });

  test('is refused when it is not, and leaves no trace', async () => {
    const { version, send } = await prepare(fleet.ada);
    const other = await deal(fleet.ada);
    for (const headers of [
      { 'if-match': '"0-x"' },
      { 'if-match': '""' },
      { 'if-match': `W/"${other.version}"` },
      { 'if-match': `"${other.version}"` },
      { 'if-none-match': '*' },
      { 'if-none-match': `"x", "${version}"` },
      { 'if-none-match': `W/"${version}"` },
      { 'if-match': `"${version}"`, 'if-none-match': `"${version}"` },
    ]) {
      await refused(() => send(headers), [412, 'stale_record']);
    }
    expect((await send({ 'if-match': `"${version}"` })).status).toBe(200);
  });

  test('is refused when the precondition is malformed', async () => {
    const { send } = await prepare(fleet.ada);
    const before = await fleet.world.digest();
    for (const name of ['If-Match', 'If-None-Match']) {
      for (const value of [...MALFORMED, `"${'x'.repeat(10_000)}"`]) {
        const { status, body } = await send({ [name]: value });
        const about = `${name}: ${value.slice(0, 20)}`;
        expect([status, body.error?.code, body.error?.param], about).toEqual([
          ...[400, 'validation_failed', name],
        ]);
      }
    }
    expect(await fleet.world.digest()).toBe(before);
  });

  test('a version that has moved on', async () => {
    const { id, version, send } = await prepare(fleet.ada);
    await fleet.set('deals', id, { name: 'Moved on' });
    await refused(() => send({ 'if-match': `"${version}"` }), [412, 'stale_record']);
  });
});

describe('update', () => {
  test('a list over two header lines', async () => {
    const { id, version } = await deal(fleet.ada);
    const request = (...lines: string[]) =>
      call(fleet.world.port, `/v1${DEALS}/${id}`, {
        ...{ method: 'PATCH', key: fleet.ada.secret, body: { fields: { amount: 1 } } },
        headers: { 'If-Match': lines },
      });
    expect((await request('"x"', '"y"')).status).toBe(412);
    expect((await request('"x"', `"${version}"`)).status).toBe(200);
  });

  test('expected_version', async () => {
    const { id, version } = await deal(fleet.ada);
    const other = await deal(fleet.ada);
    const patch = (expected_version: unknown, headers: Headers = {}) =>
      fleet.ada.patch(`${DEALS}/${id}`, { fields: {}, expected_version }, headers);
    for (const wrong of [`"${version}"`, '', `${version} `, version.toUpperCase(), '*', '1']) {
      if (wrong !== version) await refused(() => patch(wrong), [412, 'stale_record']);
    }
    const broken = [400, 'validation_failed', 'expected_version'] as const;
    for (const wrong of [null, 1, ['a'], 'x'.repeat(201)])
      await refused(() => patch(wrong), broken);
    await refused(() => patch(version, { 'if-match': '"x"' }), broken);
    await refused(() => patch('x', { 'if-match': `"${version}"` }), broken);
    await refused(() => patch(version, { 'if-match': `"x", "${version}"` }), broken);
    await refused(() => patch(version, { 'if-match': `W/"${other.version}"` }), broken);
    await refused(() => patch(version, { 'if-none-match': '*' }), [412, 'stale_record']);
    const same = [{ 'if-match': `"${version}"` }, { 'if-match': `W/"${version}"` }];
    for (const headers of [{}, ...same, { 'if-match': '*' }]) {
      expect((await patch(version, headers)).status).toBe(200);
    }
    expect((await patch(`W/"${version}"`)).status).toBe(200);
    await refused(() => patch(`W/"${other.version}"`), [412, 'stale_record']);
  });

  test('a stale version without a change is still stale', async () => {
    const { id } = await deal(fleet.ada, { amount: 1 });
    const fields = { amount: 1 };
    await refused(
      () => fleet.ada.patch(`${DEALS}/${id}`, { fields, expected_version: 'old' }),
      [412, 'stale_record'],
    );
  });
});

describe('the order of refusals', () => {
  const stale = { 'if-match': '"old"' };

  test('an unknown record, whatever is demanded of it', async () => {
    for (const headers of [stale, { 'if-match': '*' }, { 'if-none-match': '*' }]) {
      const link = `${DEALS}/${NOWHERE}/relationships/ref.company_id`;
      const company = await make('companies', { name: 'x' });
      for (const send of [
        () => fleet.ada.patch(`${DEALS}/${NOWHERE}`, { fields: {} }, headers),
        () => fleet.ada.delete(`${DEALS}/${NOWHERE}`, headers),
        () => fleet.ada.post(`${DEALS}/${NOWHERE}/status`, { status_id: 'won' }, headers),
        () => fleet.ada.post(link, { target_id: company.id }, headers),
        () => fleet.ada.delete(`${link}/${company.id}`, headers),
      ]) {
        await refused(send, [404, 'record_not_found']);
      }
    }
  });

  test('missing rights and unknown fields come before; rules after', async () => {
    const { id } = await deal(fleet.rob);
    const patch = (fields: object) => () => fleet.rob.patch(`${DEALS}/${id}`, { fields }, stale);
    await refused(patch({ code: 'x' }), [403, 'permission_denied']);
    await refused(patch({ owner_user_id: fleet.world.users.sam }), [403, 'permission_denied']);
    await refused(patch({ nope: 1 }), [400, 'invalid_filter']);
    await refused(patch({ amount: -1 }), [412, 'stale_record']);
    await refused(patch({ company_id: NOWHERE }), [412, 'stale_record']);
    const path = `${DEALS}/${id}`;
    await refused(() => fleet.rob.delete(path, stale), [403, 'permission_denied']);
    await refused(
      () => fleet.rob.post(`${path}/status`, { status_id: 'nope' }, stale),
      [412, 'stale_record'],
    );
    const needed = await make('companies', { name: 'Needed' });
    await make('boats', { name: 'x', company_id: needed.id });
    await refused(
      () => fleet.ada.delete(`/objects/companies/records/${needed.id}`, stale),
      [412, 'stale_record'],
    );
  });

  test('malformed preconditions after the body, before the object', async () => {
    const headers = { 'if-match': 'broken' };
    await refused(
      () => fleet.ada.patch(`${DEALS}/${NOWHERE}`, {}, headers),
      [400, 'validation_failed', 'fields'],
    );
    await refused(
      () => fleet.ada.patch('/objects/nope/records/x', { fields: {} }, headers),
      [400, 'validation_failed', 'If-Match'],
    );
  });
});

test('a many-to-many link raises no version, but honours the precondition', async () => {
  const contact = await make('contacts', { name: 'Jo' });
  const { id, version } = await deal(fleet.ada);
  const path = `${DEALS}/${id}/relationships/assoc.contacts_deals`;
  const link = (tag: string) =>
    fleet.ada.post(path, { target_id: contact.id }, { 'if-match': `"${tag}"` });
  await refused(() => link('old'), [412, 'stale_record']);
  expect((await link(version)).status).toBe(200);
  expect((await link(version)).status).toBe(200);
  const gone = await fleet.ada.delete(`${path}/${contact.id}`, { 'if-match': `"${version}"` });
  expect(gone.status).toBe(200);
  expect((await fleet.ada.get(`${DEALS}/${id}`)).body.data.version).toBe(version);
});

test('of 16 writers of any kind with one version exactly one wins', async () => {
  const company = await make('companies', { name: 'Contended' });
  for (let round = 0; round < 3; round += 1) {
    const { id, version } = await deal(fleet.ada);
    const headers = { 'if-match': `"${version}"` };
    const path = `${DEALS}/${id}`;
    const link = `${path}/relationships/ref.company_id`;
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => {
        if (index % 4 === 0) return fleet.ada.patch(path, { fields: { amount: index } }, headers);
        if (index % 4 === 1) return fleet.ada.post(`${path}/status`, { status_id: 'won' }, headers);
        if (index % 4 === 2) return fleet.ada.post(link, { target_id: company.id }, headers);
        return fleet.ada.patch(path, { fields: { name: `${index}` } }, headers);
      }),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(15).fill(412)]);
    expect(await fleet.trail(id)).toHaveLength(2);
  }
});
