// The common part of the tests of Idempotency-Key: requests under keys to every endpoint that takes one, and the
// proof that an answer is a replay and wrote no row.

import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import type { Fleet } from './fleet.ts';

export const DEALS = '/objects/deals/records';
export const made = { fields: { name: 'Keyed' } };

export type Send = () => Promise<Answer>;

export const idOf = ({ id }: { readonly id: string }) => id;

export const keyed = (client: Client, path: string, body: unknown, key: string, method = 'POST') =>
  client.request(method, path, { body, headers: { 'idempotency-key': key } });

/** The part of an answer that must be the same again. */
const seen = ({ status, body, headers }: Answer) => ({ status, body, etag: headers.get('etag') });

export function useKeys(fleet: Fleet) {
  let count = 0;

  function newKey(): string {
    count += 1;
    return `key-${count}`;
  }

  async function expectReplay(first: Answer, send: Send) {
    const before = await fleet.world.digest();
    const again = await send();
    expect(seen(again)).toEqual(seen(first));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const ids = [first, again].map(({ headers }) => headers.get('x-request-id'));
    expect(ids[0]).not.toBe(ids[1]);
    expect(await fleet.world.digest()).toBe(before);
  }

  /** One request for each endpoint that takes a key, about deals of the client. */
  async function requestsOf(client: Client) {
    const company = await fleet.make('companies', { name: 'Keyed' });
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await fleet.deal(client)).id));
    const path = (index: number) => `${DEALS}/${ids[index]}`;
    const batch = [
      { action: 'create', fields: { name: 'In a batch' } },
      { action: 'update', id: ids[3], fields: { amount: 3 } },
    ];
    const requests = [
      ['POST', DEALS, made],
      ['PATCH', path(0), { fields: { amount: 5 } }],
      ['POST', `${path(1)}/status`, { status_id: 'lost' }],
      ['POST', `${path(2)}/relationships/ref.company_id`, { target_id: company.id }],
      ['POST', `${DEALS}/batch`, { operations: batch }],
    ] as const;
    return requests.map(([method, to, body]) => {
      const key = newKey();
      return { send: () => keyed(client, to, body, key, method), key };
    });
  }

  return { newKey, expectReplay, requestsOf };
}
