// Creates and patches that are sent at the same time: few statements for several, and yet each is a request of its
// own, with its own answer, its own audit row and its own failure, the same as when they are sent one after the
// other. The cost of a group, waiting requests, and keys: test/flow/writes-together.full.test.ts.

import { describe, expect, test } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { watchStatements } from '../watch-statements.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal } = cast;
const DEALS = '/objects/deals/records';
const ABSENT = '01900000-0000-7000-8000-0000000000ff';
const INSERT = /insert into "ws_acme"\."deals"/;

const create = (fields: object, client = cast.ada) => client.post(DEALS, { fields });
const idOf = ({ body }: Answer) => body.data.id as string;

/** Audit rows of a record: request and action. */
const createdOf = (id: string) =>
  cast.world.rows(
    'select request_id, action, batch_id, changed_fields from _audit where record_id = $1',
    [id],
  );

type Sent = (client?: Client) => Promise<Answer>;
type Headers = Readonly<Record<string, string>>;

const patch = (id: unknown, fields: object, headers: Headers = {}): Sent => {
  return (client = cast.ada) => client.patch(`${DEALS}/${id}`, { fields }, headers);
};

/** Patches of these deals: changes, values that are there already, refusals for any reason. */
function requestsFor(deals: readonly Answer['body'][], code: string): readonly Sent[] {
  const [one, two, three, four, five, six, seven, eight, nine] = deals;
  return [
    patch(one.id, { name: 'Patched', amount: 12.5 }),
    patch(two.id, { name: 'Deal' }),
    patch(three.id, { amount: 3 }, { 'if-match': `"${three.version}"` }),
    patch(four.id, { amount: 4 }, { 'if-match': '"7-x"' }),
    patch(five.id, { amount: -1 }),
    patch(six.id, { code }),
    patch(seven.id, { tags: ['hot', 'new'], closes_on: '2026-01-02' }),
    patch(eight.id, { origin: 'read-only' }),
    patch(nine.id, { nope: 1 }),
    patch(ABSENT, { name: 'Nothing' }),
    patch('no-id', { name: 'Nothing' }),
    patch(one.id, { owner_user_id: 999_999 }),
  ];
}

const OWN =
  /req_[0-9a-f-]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[0-9:.]*Z/g;

/** An answer without the parts that differ for each record and request. */
function seen({ status, headers, body }: Answer) {
  // The digest of the body is another one as well.
  const [etag] = (headers.get('etag') ?? '').split('.');
  return `${status} ${etag} ${JSON.stringify(body)}`.replaceAll(OWN, '*');
}

/** Audit rows of the updates of a record, with the place of their request among the answers. */
async function auditOf(id: string, answers: readonly Answer[]) {
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  const rows = await cast.world.rows(
    `select request_id, action, batch_id, changed_fields, source, user_id, api_key_prefix
      from _audit where record_id = $1 and action <> 'create' order by id`,
    [id],
  );
  return rows.map(({ request_id, ...row }) => ({ ...row, by: ids.indexOf(request_id as string) }));
}

const dealsOf = (count: number, client: Client = cast.ada) =>
  Promise.all(Array.from({ length: count }, () => deal(client)));

describe('creates at the same time', () => {
  test('few statements; every answer, version and audit row is its own', async () => {
    await create({ name: 'First' });
    const watch = watchStatements(cast.world.database, INSERT);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) => create({ name: `Together ${number}` })),
    );
    watch.stop();
    expect(watch.statements.length).toBeLessThan(40);
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
    expect(answers.map(({ body }) => body.data.display)).toEqual(
      Array.from({ length: 40 }, (_, number) => `Together ${number}`),
    );
    expect(new Set(answers.map(idOf)).size).toBe(40);
    for (const answer of answers) {
      expect(await createdOf(idOf(answer))).toEqual([
        {
          request_id: answer.headers.get('x-request-id'),
          action: 'create',
          batch_id: null,
          changed_fields: expect.arrayContaining(['name']),
        },
      ]);
    }
  });

  test('one that fails does not fail the others, and leaves no trace', async () => {
    await create({ name: 'Taken', code: 'TAKEN' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        create({ name: `Beside ${number}`, code: number % 3 === 0 ? 'TAKEN' : `OK-${number}` }),
      ),
    );
    answers.forEach(({ status, body }, number) => {
      if (number % 3 === 0) {
        expect([status, body.error.code, body.error.param]).toEqual([
          409,
          'conflict',
          'fields.code',
        ]);
      } else expect(status, JSON.stringify(body)).toBe(201);
    });
    const rows = await cast.world.rows(`select code from deals where name like 'Beside %'`);
    expect(rows.length).toBe(20);
    const [audited] = await cast.world.rows(
      `select count(*)::integer as n from _audit a join ws_acme.deals d on d.id = a.record_id
        where d.name like 'Beside %'`,
    );
    expect(audited).toEqual({ n: 20 });
  });

  test('the same unique value twice: one wins, the other is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const code = `RACE-${round}`;
      const answers = await Promise.all([1, 2, 3].map((n) => create({ name: `Race ${n}`, code })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    }
  });

  test('references that are not there fail for those who named them only', async () => {
    const company = await cast.ada.post('/objects/companies/records', { fields: { name: 'Quay' } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        cast.ada.post('/objects/boats/records', {
          fields: {
            name: `Boat ${number}`,
            company_id:
              number % 4 === 0 ? '01900000-0000-7000-8000-000000000000' : company.body.data.id,
          },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, number) => (number % 4 === 0 ? 422 : 201)),
    );
  });

  test('people of different rights do not write for each other', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        create({ name: `Mine ${number}` }, number % 2 === 0 ? cast.rob : cast.sam),
      ),
    );
    const owners = answers.map(({ body }) => body.data.owner_user_id);
    const { rob, sam } = cast.world.users;
    expect(owners).toEqual(answers.map((_, number) => (number % 2 === 0 ? rob : sam)));
  });

  test('different fields at the same time: what was not sent is empty', async () => {
    const [one, two] = await Promise.all([
      create({ name: 'Only name' }),
      create({ name: 'With more', amount: 12.5, closes_on: '2026-01-02' }),
    ]);
    expect(one?.body.data.fields).toMatchObject({ amount: null, closes_on: null });
    expect(two?.body.data.fields).toMatchObject({ amount: 12.5, closes_on: '2026-01-02' });
  });
});

describe('patches at the same time', () => {
  test('the same answers and audit rows as one after the other', async () => {
    await deal(cast.ada, { code: 'HELD' });
    const [alone, together] = [await dealsOf(9), await dealsOf(9)];
    const first: Answer[] = [];
    for (const send of requestsFor(alone, 'HELD')) first.push(await send());
    const second = await Promise.all(requestsFor(together, 'HELD').map((send) => send()));
    // The last one patches the same record as the first and is refused whenever it comes.
    expect(second.map(seen)).toEqual(first.map(seen));
    expect(first.map(({ status }) => status)).toEqual([
      ...[200, 200, 200, 412, 422, 409, 200, 422, 400, 404, 404, 422],
    ]);
    for (const [index, { id }] of together.entries()) {
      expect(await auditOf(id, second)).toEqual(await auditOf(alone[index].id, first));
    }
  });

  test('people of different rights do not write for each other', async () => {
    const deals = await dealsOf(20, cast.rob);
    const answers = await Promise.all(
      deals.map(({ id }, n) => patch(id, { amount: n })(n % 2 === 0 ? cast.rob : cast.sam)),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      deals.map((_, n) => (n % 2 === 0 ? 200 : 404)),
    );
    for (const { body } of answers.filter(({ status }) => status === 200)) {
      expect(body.data.fields).not.toHaveProperty('secret');
    }
  });

  test('a search finds their new texts, and no longer the old ones', async () => {
    const path = '/objects/companies/records';
    const names = Array.from({ length: 10 }, (_, n) => `Anemone ${n}`);
    const made = await Promise.all(names.map((name) => cast.ada.post(path, { fields: { name } })));
    const ids = made.map(({ body }) => body.data.id as string);
    await Promise.all(
      ids.map((id, n) => cast.ada.patch(`${path}/${id}`, { fields: { name: `Zebrafish ${n}` } })),
    );
    const { body } = await cast.ada.get('/search?q=zebrafish');
    const found = body.data.map(({ id }: { readonly id: string }) => id);
    expect(found.sort()).toEqual(ids.sort());
    expect((await cast.ada.get('/search?q=anemone')).body.data).toEqual([]);
  });
});
