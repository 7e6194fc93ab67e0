// Keys of one scope: answers have values for keys with `records:read` alone, except those that the interface specification
// gives to every write of a record (D48, D569).

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Client, refusalOf } from '../client.ts';
import { DEALS, TRACED } from '../erased-traces.ts';
import { ALLOWED, openReceiver, startSending } from '../webhook-world.ts';
import { openWorldWith, type PersonName, type World } from '../world.ts';

let world: World;
let ada: Client;
let rob: Client;
let robName: string;

beforeAll(async () => {
  world = await openWorldWith(TRACED, ALLOWED);
  ada = await world.as('ada');
  rob = await world.as('rob');
  robName = (await rob.get('/me')).body.data.user.name;
});
afterAll(() => world?.close());

async function done(answer: Promise<Answer>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data;
}

/** A deal of Rob with a value before, the trash, or a pending request. */
const NAME = 'Persimmon';
const COMMENT = 'Quince';

async function deal(): Promise<string> {
  const fields = { name: NAME, owner_user_id: world.users.rob };
  return (await done(ada.post(DEALS, { fields }))).id;
}

async function deleted(): Promise<string> {
  const id = await deal();
  await done(ada.delete(`${DEALS}/${id}`));
  return id;
}

async function asked(): Promise<string> {
  const id = await deal();
  await done(ada.post(`${DEALS}/${id}/status`, { status_id: 'lost' }));
  const body = { status_id: 'won', comment: COMMENT };
  return (await done(rob.post(`${DEALS}/${id}/status_requests`, body))).id;
}

interface Case {
  readonly scope: string;
  readonly person: PersonName;
  /** Makes the subject of the request; its id. */
  make(): Promise<string>;
  send(client: Client, id: string): Promise<Answer>;
}

const CASES: Readonly<Record<string, Case>> = {
  'the restore of a deleted record': {
    ...{ scope: 'records:delete', person: 'ada', make: deleted },
    send: (client, id) => client.request('POST', `/objects/deals/deleted/${id}/restore`),
  },
  'an approval': {
    ...{ scope: 'approvals:write', person: 'mia', make: asked },
    send: (client, id) => client.post(`/status_requests/${id}/approve`, { comment: COMMENT }),
  },
  'a rejection': {
    ...{ scope: 'approvals:write', person: 'mia', make: asked },
    send: (client, id) => client.post(`/status_requests/${id}/reject`, { comment: COMMENT }),
  },
  'a withdrawal': {
    ...{ scope: 'records:write', person: 'rob', make: asked },
    send: (client, id) => client.request('POST', `/status_requests/${id}/withdraw`),
  },
  'a request for approval': {
    ...{ scope: 'records:write', person: 'rob' },
    async make() {
      const id = await deal();
      await done(ada.post(`${DEALS}/${id}/status`, { status_id: 'lost' }));
      return id;
    },
    send: (client, id) =>
      client.post(`${DEALS}/${id}/status_requests`, { status_id: 'won', comment: COMMENT }),
  },
};

describe.each(Object.entries(CASES))('%s', (_, { scope, person, make, send }) => {
  test(`tells a key with ${scope} alone no values, and others what they may read`, async () => {
    const narrow = await send(await world.as(person, { scopes: [scope] }), await make());
    expect(narrow.status, JSON.stringify(narrow.body)).toBeLessThan(300);
    const text = JSON.stringify(narrow.body);
    for (const hidden of [NAME, COMMENT, robName]) expect(text).not.toContain(hidden);
    expect(text).toMatch(/"version":"\d+-\w{12}"/);
    const wide = await world.as(person, { scopes: [scope, 'records:read'] });
    expect(JSON.stringify((await send(wide, await make())).body)).toContain(NAME);
  });
});

describe('texts that repeat values', () => {
  test('the answer of a receiver needs records:read', async () => {
    const receiver = await openReceiver(() => ({ status: 200, text: NAME }));
    const sending = await startSending(world);
    try {
      const body = { url: receiver.url, events: ['record.*'] };
      const { id } = await done(rob.post('/webhooks', body));
      const read = async (client: Client) =>
        (await client.get(`/webhooks/${id}/deliveries`)).body.data[0];
      await expect.poll(async () => (await read(rob))?.answer).toBe(NAME);
      const narrow = await world.as('rob', { scopes: ['webhooks:write'] });
      expect(await read(narrow)).toMatchObject({ status: 200, answer: null });
      const tested = await done(narrow.request('POST', `/webhooks/${id}/test`));
      expect(tested.answer).toBeNull();
    } finally {
      await sending.stop();
      await receiver.close();
    }
  });

  test.each(['records:write', 'comments:write'])(
    'the rows that were not imported need records:read beside %s',
    async (scope) => {
      const narrow = await world.as('ada', { scopes: [scope] });
      const answer = await narrow.get('/imports/01890a5d-ac96-774b-bcce-b302099a8057/rejects');
      expect(refusalOf(answer)).toEqual([403, 'insufficient_scope', undefined]);
    },
  );
});

describe('earlier values', () => {
  const body = { revision: 1, fields: ['name'] };
  const restore = (client: Client, id: string, more: object = {}) =>
    client.post(`${DEALS}/${id}/restore`, { ...body, ...more });

  test('are not rehearsed for a key that reads no records', async () => {
    const id = await deal();
    await done(ada.patch(`${DEALS}/${id}`, { fields: { name: 'Medlar' } }));
    const narrow = await world.as('ada', { scopes: ['records:write'] });
    const refused = await restore(narrow, id, { dry_run: true });
    expect(refusalOf(refused)).toEqual([403, 'insufficient_scope', 'dry_run']);
    const wide = await world.as('ada', { scopes: ['records:write', 'records:read'] });
    const { changes } = await done(restore(wide, id, { dry_run: true }));
    expect(changes).toEqual([{ field: 'name', old: 'Medlar', new: NAME }]);
    // A write answers with the row as written (D48).
    expect(await done(restore(narrow, id))).toMatchObject({ display: NAME });
  });
});
