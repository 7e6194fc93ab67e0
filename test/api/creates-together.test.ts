// Creates at the same time: one statement for several, and yet each is a request of its own, with its
// own answer, its own audit row and its own failure.

import { describe, expect, test } from 'vitest';
import type { Answer } from '../client.ts';
import { watchStatements } from '../watch-statements.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const DEALS = '/objects/deals/records';
const INSERT = /insert into "ws_acme"\."deals"/;

const create = (fields: object, client = cast.ada) => client.post(DEALS, { fields });
const idOf = ({ body }: Answer) => body.data.id as string;

/** Audit rows of a record: request and action. */
async function auditOf(id: string) {
  const rows = await cast.world.rows(
    'select request_id, action, batch_id, changed_fields from _audit where record_id = $1',
    [id],
  );
  return rows;
}

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
      expect(await auditOf(idOf(answer))).toEqual([
        {
          request_id: answer.headers.get('x-request-id'),
          action: 'create',
          batch_id: null,
          changed_fields: expect.arrayContaining(['name']),
        },
      ]);
    }
  });

  test('one that fails does not fail the others, and leaves nothing', async () => {
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

  test('the same unique value twice: one wins, the other is told', async () => {
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

  test('under keys: the answer to each is stored as it was sent', async () => {
    const send = () =>
      Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          cast.ada.request('POST', DEALS, {
            body: { fields: { name: `Keyed ${n}`, tags: ['new'], amount: n / 4 } },
            headers: { 'idempotency-key': `together-${n}` },
          }),
        ),
      );
    const first = await send();
    const again = await send();
    expect(first.map(({ status }) => status)).toEqual(Array(25).fill(201));
    expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
    expect(again.map(({ headers }) => headers.get('etag'))).toEqual(
      first.map(({ headers }) => headers.get('etag')),
    );
    expect(again.every(({ headers }) => headers.get('idempotent-replayed') === 'true')).toBe(true);
    const [stored] = await cast.world.rows(
      `select count(*)::integer as n from _audit a join ws_acme.deals d on d.id = a.record_id
      where d.name like 'Keyed %'`,
    );
    expect(stored).toEqual({ n: 25 });
  });
});
