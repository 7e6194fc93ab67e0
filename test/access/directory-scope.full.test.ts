// A key without the scope `users:read` gets nobody's address on any route, whatever its roles; the same requests with
// the scope get addresses in many places.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import type { Invocation } from '../../src/http/route/invoke.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { SCOPES } from '../../src/model/rights/access.ts';
import type { Client } from '../client.ts';
import { filledCall, savedFrom } from '../http/invoke-saved.ts';
import { GOOD } from '../http/invoke-steps.ts';
import { ACME, openWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

const OTHERS = SCOPES.filter((scope) => scope !== 'users:read');
const ROUTE_OF = new Map(ROUTES.map((route) => [route.operationId, route]));

/** Of people of the workspace: the documentation has examples. */
const ADDRESSES = Object.keys(ACME.users);

/** The addresses of others in the answer to a request; addresses in the request do not count. */
function addressesIn(answer: object, sent: unknown, own: string): readonly string[] {
  const text = JSON.stringify('body' in answer ? [answer.body] : []);
  const asked = JSON.stringify(sent ?? null);
  return ADDRESSES.filter(
    (address) => address !== own && text.includes(address) && !asked.includes(address),
  );
}

test.each(['ada', 'mia'] as const)('of %s', async (person) => {
  const full = await world.key('ada');
  const narrow = await world.key(person, { scopes: OTHERS });
  const saved = new Map<string, string>();
  const known = (name: string) => saved.get(name) ?? String(world.users.rob);
  const told: string[] = [];
  for (const [operationId, call] of Object.entries(GOOD)) {
    const route = ROUTE_OF.get(operationId);
    if (route === undefined || route.events === true) continue;
    const { params, query, body, headers = {} } = filledCall(call, known);
    const { 'idempotency-key': _, cookie: __, ...rest } = headers;
    const ask = (secret: string) => {
      const sent = { ...rest, authorization: `Bearer ${secret}` };
      return world.invoke(route, { params, query, body, headers: sent } as Invocation);
    };
    const first = await ask(narrow.secret);
    expect(addressesIn(first, body, `${person}@acme.example`), operationId).toEqual([]);
    const answer = await ask(full.secret);
    if (addressesIn(answer, body, 'ada@acme.example').length > 0) told.push(operationId);
    if (answer.status < 300) {
      for (const [name, value] of savedFrom(call.save, answer)) saved.set(name, value);
    }
  }
  expect(told).toEqual(expect.arrayContaining(['listUsers', 'getDefinition', 'updateUser']));
});

const refused = async (client: Client, path: string) => {
  const { status, body } = await client.get(path);
  return [status, body.error?.code, body.error?.details?.required_scope];
};
const LACKS = [403, 'insufficient_scope', 'users:read'];

test('requests that need people are refused, and the document is marked as incomplete', async () => {
  const ada = await world.as('ada', { scopes: OTHERS });
  const gate = { to: 'won', approvers: { users: ['mia@acme.example'] } };
  const statuses = { open: { transitions: [gate] } };
  await world.apply(mergePatch(ACME, { workflows: { pipeline: { statuses } } }));
  const { data } = (await ada.get('/definition')).body;
  expect([data.complete, data.document.users, data.document.teams]).toEqual([
    false,
    undefined,
    undefined,
  ]);
  expect(Object.keys(data.document.roles)).toContain('rep');
  expect(data.document.workflows.pipeline.statuses.open.transitions).toEqual(['won']);
  for (const path of [
    '/definition?form=patch',
    '/definition/revisions',
    '/definition/revisions/1',
    `/access?user_id=${world.users.mia}`,
  ]) {
    expect(await refused(ada, path), path).toEqual(LACKS);
  }
  expect((await ada.get('/access')).status).toBe(200);
  // The scope does not reveal people either to callers who may not know of them.
  const rob = await world.as('rob', { scopes: OTHERS });
  const { status, body } = await rob.get(`/access?user_id=${world.users.mia}`);
  expect([status, body.error.code]).toEqual([403, 'permission_denied']);
  for (const [send, path, change] of [
    [ada.patch, `/users/${world.users.mia}`, {}],
    [ada.put, `/users/${world.users.mia}/teams`, { team_ids: [] }],
    [ada.patch, '/teams/1', {}],
  ] as const) {
    const answer = await send(path, change);
    expect([answer.status, answer.body.error.code], path).toEqual([403, 'insufficient_scope']);
  }
});

test('keys and the audit name others by their ids', async () => {
  const rob = await world.as('rob');
  await rob.post('/objects/deals/records', { fields: { name: 'Told' } });
  const id = world.users.rob;
  const usersIn = async (scopes: readonly string[], path: string) => {
    const client = await world.as('ada', { scopes });
    const { data } = (await client.get(`${path}?user_id=${id}&limit=1`)).body;
    return data.map(({ user }: { readonly user: object }) => user);
  };
  const known = { id, email: 'rob@acme.example' };
  expect(await usersIn(SCOPES, '/audit')).toEqual([known]);
  expect(await usersIn(OTHERS, '/audit')).toEqual([{ id, email: null }]);
  expect(await usersIn(SCOPES, '/keys')).toMatchObject([{ ...known, name: 'Rob' }]);
  expect(await usersIn(OTHERS, '/keys')).toMatchObject([{ id, name: null, email: null }]);
});
