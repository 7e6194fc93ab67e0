// Patches that are sent at the same time: few transactions for several, and yet each is a request of its
// own. What is answered and what is left is the same as when they are sent one after the other.

import { describe, expect, test } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal } = cast;
const DEALS = '/objects/deals/records';
const ABSENT = '01900000-0000-7000-8000-0000000000ff';

type Sent = (client?: Client) => Promise<Answer>;
type Headers = Readonly<Record<string, string>>;

const patch = (id: unknown, fields: object, headers: Headers = {}): Sent => {
  return (client = cast.ada) => client.patch(`${DEALS}/${id}`, { fields }, headers);
};

/** Patches of these deals: changes, what is there already, what is refused for any reason. */
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

/** An answer without what is different for each record and request. */
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

test('the same answers and audit rows as one after the other', async () => {
  await deal(cast.ada, { code: 'TAKEN' });
  const [alone, together] = [await dealsOf(9), await dealsOf(9)];
  const first: Answer[] = [];
  for (const send of requestsFor(alone, 'TAKEN')) first.push(await send());
  const second = await Promise.all(requestsFor(together, 'TAKEN').map((send) => send()));
  // The last one patches the same record as the first and is refused whenever it comes.
  expect(second.map(seen)).toEqual(first.map(seen));
  expect(first.map(({ status }) => status)).toEqual([
    ...[200, 200, 200, 412, 422, 409, 200, 422, 400, 404, 404, 422],
  ]);
  for (const [index, { id }] of together.entries()) {
    expect(await auditOf(id, second)).toEqual(await auditOf(alone[index].id, first));
  }
});

test('few transactions', async () => {
  const deals = await dealsOf(40);
  const { stats } = cast.world.database;
  const before = stats.roundTrips;
  const answers = await Promise.all(deals.map(({ id }, n) => patch(id, { amount: n })()));
  expect(answers.map(({ body }) => body.data.fields.amount)).toEqual(deals.map((_, n) => n));
  // Alone they take 80; looking up keys and counting requests takes some as well.
  expect(stats.roundTrips - before).toBeLessThan(60);
});

describe('the same record', () => {
  test('patched by ten at once has ten new versions', async () => {
    const { id } = await deal(cast.ada);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, amount) => patch(id, { amount })()),
    );
    const counters = answers.map(({ body }) => Number(body.data.version.split('-')[0]));
    expect(counters.sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const rows = await auditOf(id, answers);
    expect(rows.map(({ by }) => by).sort((a, b) => a - b)).toEqual(answers.map((_, n) => n));
  });

  test('with If-Match one wins each version', async () => {
    let { id, version } = await deal(cast.ada);
    for (let round = 0; round < 5; round += 1) {
      const headers = { 'if-match': `"${version}"` };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => patch(id, { amount: 10 * round + n + 1 }, headers)()),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(9);
      version = won[0]?.body.data.version;
    }
    expect(version).toMatch(/^6-/);
  });
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

test('a search finds what they wrote, and no more what was there', async () => {
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
