// The client that a request is counted for before any look-up: one credential is one client in every spelling, and
// unknown callers share with all others at the address.

import { expect, test } from 'vitest';
import { addressName, openClients, type Sender } from '../../src/http/request/clients.ts';
import type { Authenticated } from '../../src/http/route/route.ts';
import { makeSecret } from '../../src/model/rights/api-key-form.ts';
import { makeToken } from '../../src/model/rights/session-token.ts';

const sentBy = (headers: Readonly<Record<string, string>>, address = '203.0.113.7'): Sender => ({
  request: { headers },
  clientAddress: () => address,
});
const person = (id: number, workspace = 1) =>
  ({ caller: { user: { id } }, model: { workspace: { id: workspace } } }) as Authenticated;

test('a key is one client in every spelling, and all keys of a person are', () => {
  const clients = openClients();
  const [key, other] = [makeSecret('personal'), makeSecret('personal')];
  const ann = clients.learn(sentBy({ authorization: `Bearer ${key}` }), person(7));
  expect(clients.learn(sentBy({ authorization: `Bearer ${other}` }), person(7))).toBe(ann);
  for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BeArEr ${key}`]) {
    expect(clients.find(sentBy({ authorization }))).toBe(ann);
    expect(clients.find(sentBy({ authorization, cookie: `x=${makeToken()}` }))).toBe(ann);
  }
  expect(clients.learn(sentBy({ authorization: `Bearer ${key}` }), person(7, 2))).not.toBe(ann);
});

test('a session is one client, with any other cookies', () => {
  const clients = openClients();
  const token = makeToken();
  const cookie = `wrs-1=${token}`;
  const ann = clients.learn(sentBy({ cookie }), person(7));
  for (const spelling of [
    ...[`${cookie}; x=1`, `x=2; ${cookie}`, `x=2;${cookie} ;y=3`, `__Host-wrs-1=${token}`],
    `wrs-2=${makeToken()}; ${cookie}`,
  ]) {
    expect(clients.find(sentBy({ cookie: spelling }))).toBe(ann);
  }
  for (const spelling of [`xwrs-1=${token}`, `wrs-1=${token}x`, `wrs-x=${token}`]) {
    expect(clients.find(sentBy({ cookie: spelling }))).toBeUndefined();
  }
});

test('credentials that were never valid are not a client, however many there are', () => {
  const clients = openClients();
  for (const authorization of ['', 'Bearer', `Bearer ${makeSecret('personal')}`, 'Basic x']) {
    expect(clients.find(sentBy({ authorization }))).toBeUndefined();
  }
  expect(clients.find(sentBy({ cookie: `wrs-1=${makeToken()}` }))).toBeUndefined();
});

test('an address, and a network of IPv6', () => {
  const name = (address: string) => addressName(sentBy({}, address));
  expect(name('203.0.113.7')).not.toBe(name('203.0.113.8'));
  expect(name('2001:db8::1')).toBe(name('2001:db8:0:0:ffff::2'));
  expect(name('2001:db8::1')).not.toBe(name('2001:db8:0:1::1'));
});
