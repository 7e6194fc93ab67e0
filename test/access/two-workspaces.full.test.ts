// Two workspaces of one database with the same names: whatever one of them has — records, cursors,
// keys, people, notifications — does not exist in the other, whichever endpoint it is tried on.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { ACME, digestOf, openWorld, type World } from '../world.ts';
import { CANARY, guardKey } from './canary.ts';

const DEALS = '/objects/deals/records';
const COMPANIES = '/objects/companies/records';
const NOWHERE = '01a1fd00-0000-7000-8000-000000000000';
const KEY = { 'idempotency-key': 'the-same-in-both' };
const count = { name: 'n', op: 'count' };

/** One workspace: its administrator and the values that the other is tried with. */
interface Side {
  readonly ada: Client;
  /** Begins every text that is written here. */
  readonly mark: string;
  readonly deal: Answer['body'];
  readonly company: Answer['body'];
  readonly boat: Answer['body'];
  readonly commentId: string;
  readonly notificationId: string;
  /** A user whose id does not exist in the other workspace. */
  readonly userId: number;
  readonly cursors: Readonly<Record<string, string>>;
}

type Name = 'acme' | 'globex';

let world: World;
const sides = {} as Record<Name, Side>;

beforeAll(async () => {
  world = await openWorld();
  // So that neither side has the ids of the other.
  await world.rows(`select setval(pg_get_serial_sequence('ws_acme._users', 'id'), 1000)`);
  await world.apply({ ...ACME, users: { ...ACME.users, 'new@acme.example': NEW } });
  sides.acme = await openSide('acme', 'acme-only');
  sides.globex = await openSide('globex', CANARY);
});
afterAll(() => world?.close());

const NEW = { name: 'New', roles: ['admin'] };

async function openSide(name: Name, mark: string): Promise<Side> {
  const ada = await world.as('ada', { workspace: name });
  guardKey(ada.secret, mark);
  const make = async (object: string, fields: object) => {
    const answer = await ada.post(`/objects/${object}/records`, { fields });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  };
  const company = await make('companies', { name: mark });
  const deal = await make('deals', { name: mark, code: mark, company_id: company.id });
  const boat = await make('boats', { name: mark, company_id: company.id });
  await make('deals', { name: mark, company_id: company.id });
  const { id } = (await ada.get('/me')).body.data.user;
  const people = (await ada.get('/users?limit=100')).body.data;
  const path = `${DEALS}/${deal.id}/comments`;
  const said = { body: mark, mention_user_ids: [id] };
  const comment = (await ada.post(path, said)).body.data;
  await ada.post(path, said);
  const [notification] = (await ada.get('/notifications')).body.data;
  return {
    ...{ ada, mark, deal, company, boat, commentId: comment.id },
    notificationId: notification.id,
    userId: Math.max(...people.map((one: { readonly id: number }) => one.id)),
    cursors: Object.fromEntries(
      await Promise.all(
        PAGES.map(async ([page, send]) => {
          const { status, body } = await send(ada, { deal, company });
          expect([page, status]).toEqual([page, 200]);
          expect(body.pagination.next_cursor, page).not.toBeNull();
          return [page, body.pagination.next_cursor];
        }),
      ),
    ),
  };
}

type Page = (
  client: Client,
  records: Pick<Side, 'deal' | 'company'>,
  cursor?: string,
) => Promise<Answer>;

const after = (cursor: string | undefined) => (cursor === undefined ? '' : `&cursor=${cursor}`);

/** First pages of everything that has pages, or the ones after a cursor. */
const PAGES: readonly (readonly [name: string, send: Page])[] = [
  ['list', (client, _, cursor) => client.get(`${DEALS}?limit=1${after(cursor)}`)],
  ['search', (client, _, cursor) => client.post(`${DEALS}/search`, { limit: 1, cursor })],
  [
    'aggregate',
    (client, _, cursor) =>
      client.post(`${DEALS}/aggregate`, { metrics: [count], group_by: ['id'], limit: 1, cursor }),
  ],
  ['query', (client, _, cursor) => client.post(`${DEALS}/query`, { limit: 1, cursor })],
  [
    'groups',
    (client, _, cursor) => {
      const body = { metrics: [count], group_by: ['company_id.name', 'id'], limit: 1, cursor };
      return client.post(`${DEALS}/aggregate/query`, body);
    },
  ],
  [
    'linked',
    (client, { company }, cursor) => {
      const path = `/objects/companies/records/${company.id}/relationships`;
      return client.get(`${path}/inv.deals.company_id?limit=1${after(cursor)}`);
    },
  ],
  [
    'comments',
    (client, { deal }, cursor) =>
      client.get(`${DEALS}/${deal.id}/comments?limit=1${after(cursor)}`),
  ],
  ['users', (client, _, cursor) => client.get(`/users?limit=1${after(cursor)}`)],
  ['notifications', (client, _, cursor) => client.get(`/notifications?limit=1${after(cursor)}`)],
];

const digest = () => digestOf(world.database, ['ws_acme', 'ws_globex']);

/** An answer without what differs between any two. */
const told = ({ status, body }: Answer) => [status, { ...body.error, request_id: undefined }];

describe.each([
  ['acme', 'globex'],
  ['globex', 'acme'],
] as const)('%s is tried with what %s has', (here, there) => {
  const both = () => [sides[here], sides[there]] as const;

  /** Both requests are refused alike, and neither workspace has changed. */
  async function alike(send: (id: string) => Promise<Answer>, foreign: string, absent = NOWHERE) {
    const before = await digest();
    const answers = [await send(foreign), await send(absent)];
    const [strange, unknown] = answers.map(told);
    expect(strange).toEqual(unknown);
    expect(answers[0]?.status).toBeGreaterThanOrEqual(400);
    expect(await digest()).toBe(before);
    return answers[0]?.status;
  }

  test('records', async () => {
    const [{ ada, company }, other] = both();
    const association = 'relationships/ref.company_id';
    const sends: readonly ((id: string) => Promise<Answer>)[] = [
      (id) => ada.get(`${DEALS}/${id}`),
      (id) => ada.patch(`${DEALS}/${id}`, { fields: { name: 'x' } }),
      (id) => ada.post(`${DEALS}/${id}/status`, { status_id: 'won' }),
      (id) => ada.delete(`${DEALS}/${id}`),
      (id) => ada.get(`${DEALS}/${id}/relationships`),
      (id) => ada.get(`${DEALS}/${id}/${association}`),
      (id) => ada.post(`${DEALS}/${id}/${association}`, { target_id: company.id }),
      (id) => ada.delete(`${DEALS}/${id}/${association}/${company.id}`),
      (id) => ada.get(`${COMPANIES}/${id}/history`),
      (id) => ada.post(`${COMPANIES}/${id}/restore`, { revision: 1, fields: ['name'] }),
      (id) => ada.get(`${DEALS}/${id}/comments`),
      (id) => ada.post(`${DEALS}/${id}/comments`, { body: 'x' }),
      ...OPERATIONS.map((operation) => (id: string) => {
        return ada.post(`${DEALS}/batch`, { operations: [{ ...operation, id }] });
      }),
    ];
    for (const send of sends) expect(await alike(send, other.deal.id)).toBe(404);
  });

  test('targets and references', async () => {
    const [{ ada, deal }, { company }] = both();
    const path = `${DEALS}/${deal.id}/relationships/ref.company_id`;
    await alike((target_id) => ada.post(path, { target_id }), company.id);
    await alike((target_id) => ada.delete(`${path}/${target_id}`), company.id);
    await alike(
      (company_id) => ada.patch(`${DEALS}/${deal.id}`, { fields: { company_id } }),
      company.id,
    );
    await alike((company_id) => {
      return ada.post('/objects/boats/records', { fields: { name: 'x', company_id } });
    }, company.id);
    const found = await ada.get(`${DEALS}?filter[company_id]=${company.id}`);
    expect([found.status, found.body.data]).toEqual([200, []]);
  });

  test('cursors', async () => {
    const [side, { cursors }] = both();
    for (const [page, send] of PAGES) {
      const { status, body } = await send(side.ada, side, cursors[page]);
      expect([page, status, body.error?.code]).toEqual([page, 400, 'invalid_cursor']);
      expect((await send(side.ada, side, side.cursors[page])).status).toBe(200);
    }
  });

  test('people', async () => {
    const [{ ada, deal }, { userId }] = both();
    const absent = 9_999_999;
    const asUser = (send: (id: number) => Promise<Answer>) =>
      alike((id) => send(Number(id)), String(userId), String(absent));
    expect(await asUser((id) => ada.get(`/users/${id}`))).toBe(404);
    await asUser((id) => ada.patch(`${DEALS}/${deal.id}`, { fields: { owner_user_id: id } }));
    await asUser((id) => ada.post(DEALS, { fields: { name: 'x', owner_user_id: id } }));
    await asUser((id) => {
      const body = { body: 'x', mention_user_ids: [id] };
      return ada.post(`${DEALS}/${deal.id}/comments`, body);
    });
    const found = await ada.get(`${DEALS}?filter[owner_user_id]=${userId}`);
    expect([found.status, found.body.data]).toEqual([200, []]);
  });

  test('notifications and comments', async () => {
    const [{ ada, deal }, { notificationId, commentId }] = both();
    const mark = (id: string) => ada.post(`/notifications/${id}/read`, undefined);
    expect(await alike(mark, notificationId)).toBe(404);
    const comments = (await ada.get(`${DEALS}/${deal.id}/comments`)).body.data;
    expect(comments.map(({ id }: { readonly id: string }) => id)).not.toContain(commentId);
  });

  test('an Idempotency-Key is its own in each', async () => {
    const [{ ada, mark }] = both();
    const send = () => ada.post(DEALS, { fields: { name: mark } }, KEY);
    const [first, again] = [await send(), await send()];
    expect([first.status, first.headers.has('idempotent-replayed')]).toEqual([201, false]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  test('a unique value of the other workspace is free here, and a match finds no record', async () => {
    const [{ ada, mark, deal }, other] = both();
    const upsert = (match: object, fields = {}) =>
      ada.post(`${DEALS}/batch`, {
        operations: [{ action: 'upsert', target: 'deals', match, fields }],
      });
    const before = await digest();
    const strange = await upsert({ id: other.deal.id });
    expect(told(strange)).toEqual(told(await upsert({ id: NOWHERE })));
    expect(await digest()).toBe(before);
    const code = `${mark} twice`;
    const { body, status } = await upsert({ code: 'of both' }, { name: mark });
    expect([status, body.data?.results[0].created]).toEqual([200, true]);
    const made = await ada.post(DEALS, { fields: { name: code, code } });
    expect(made.status).toBe(201);
    const found = await upsert({ code: deal.fields.code }, { amount: 1 });
    expect(found.body.data.results[0]).toMatchObject({ id: deal.id, created: false });
  });

  test('texts', async () => {
    const [{ ada }, { mark, deal, boat, company }] = both();
    const hits = (await ada.get(`/search?q=${mark}`)).body.data;
    expect(hits).toEqual([]);
    for (const [object, { id }] of [
      ['deals', deal],
      ['boats', boat],
      ['companies', company],
    ]) {
      const path = `/objects/${object}/records`;
      expect((await ada.get(`${path}?q=${mark}`)).body.data).toEqual([]);
      expect((await ada.get(`${path}?filter[id]=${id}`)).body.data).toEqual([]);
      const body = { metrics: [count], filters: { name: mark } };
      expect((await ada.post(`${path}/aggregate`, body)).body.data).toEqual([{ n: 0 }]);
    }
  });
});

const OPERATIONS = [
  { action: 'update', fields: { name: 'x' } },
  { action: 'status', status_id: 'won' },
  { action: 'delete' },
  { action: 'link', association_id: 'ref.company_id', target_id: NOWHERE },
  { action: 'unlink', association_id: 'ref.company_id', target_id: NOWHERE },
] as const;
