// All or nothing: a failure of any kind at any place of a batch leaves no trace, and the answer names the operation
// that caused it.

import { describe, expect, test } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { IS_LONG } from '../until.ts';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { batch, deal, make, refused } = fleet;

const NOWHERE = '01a1fd00-0000-7000-8000-000000000000';
const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

async function applied(answer: Promise<Answer>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

describe('all or nothing', () => {
  type Failure = readonly [operation: object, status: number, code: string, client?: Client];

  async function failures(position: number): Promise<readonly Failure[]> {
    const company = await make('companies', { name: 'Here' });
    const own = await deal(fleet.rob);
    const code = `NOTHING-${position}`;
    const taken = await deal(fleet.ada, { code });
    const association_id = 'ref.company_id';
    const unlink = { action: 'unlink', id: own.id, association_id, target_id: company.id };
    return [
      [{ action: 'create', fields: { name: 'x', nope: 1 } }, 400, 'invalid_filter'],
      [{ action: 'delete', id: own.id }, 403, 'permission_denied', fleet.rob],
      [{ action: 'create', fields: { name: 'x', code: 'y' } }, 403, 'permission_denied', fleet.rob],
      [{ action: 'delete', id: NOWHERE }, 404, 'record_not_found'],
      [{ action: 'update', id: taken.id, fields: {} }, 404, 'record_not_found', fleet.rob],
      [{ action: 'create', fields: { name: 'x', code } }, 409, 'conflict'],
      [unlink, 412, 'stale_record'],
      [{ action: 'create', fields: { name: null } }, 422, 'invalid_write'],
      [{ action: 'status', id: own.id, status_id: 'nope' }, 422, 'invalid_write'],
      [{ action: 'link', id: own.id, association_id, target_id: NOWHERE }, 404, 'record_not_found'],
    ];
  }

  /** Operations of all seven actions that succeed together. */
  async function mixed(count: number): Promise<readonly object[]> {
    const company = await make('companies', { name: 'Mixed' });
    const association_id = 'ref.company_id';
    const made = await applied(
      batch(
        fleet.ada,
        times(count, (index) => {
          const fields = { name: `Mixed ${index}`, code: `MIXED-${index}`, company_id: company.id };
          return { action: 'create', fields };
        }),
      ),
    );
    const kinds: readonly ((id: string, index: number) => object)[] = [
      (_, index) => ({ action: 'create', fields: { name: `More ${index}` } }),
      (id) => ({ action: 'update', id, fields: { amount: 9 } }),
      (id) => ({ action: 'status', id, status_id: 'won' }),
      (id) => ({ action: 'delete', id }),
      (_, index) => {
        const match = { code: `MIXED-${index}` };
        return { action: 'upsert', target: 'deals', match, fields: { amount: index } };
      },
      (id) => ({
        ...{ action: 'link', id, target_id: company.id },
        association_id: 'link.deal_agency',
      }),
      (id) => ({ action: 'unlink', id, association_id, target_id: company.id }),
    ];
    return made.results.map(({ id }: { readonly id: string }, index: number) =>
      kinds[index % kinds.length]?.(id, index),
    );
  }

  test.each([0, 1, 2])('a failure at position %i leaves no trace', async (position) => {
    for (const [failing, status, code, client = fleet.ada] of await failures(position)) {
      const updated = await deal(client);
      const linked = await deal(client);
      const company = await make('companies', { name: 'Linked' });
      const operations: object[] = [
        { action: 'update', id: updated.id, fields: { amount: 9 } },
        {
          action: 'link',
          id: linked.id,
          association_id: 'link.deal_agency',
          target_id: company.id,
        },
      ];
      operations.splice(position, 0, failing);
      const before = await fleet.world.digest();
      const { body, ...answer } = await batch(client, operations);
      const about = JSON.stringify([failing, body]);
      expect([answer.status, body.error?.code], about).toEqual([status, code]);
      expect(body.error.param, about).toMatch(new RegExp(`^operations\\[${position}\\]`));
      const [first] = body.error.details.errors;
      expect(first, about).toMatchObject({ operation_index: position, code });
      expect(await fleet.world.digest(), about).toBe(before);
    }
  });

  test('100 operations, a failure at any of their places', async () => {
    const operations = await mixed(100);
    await deal(fleet.ada, { code: 'HUNDRED' });
    const spare = await deal(fleet.ada);
    const company = await make('companies', { name: 'Elsewhere' });
    const unlink = {
      ...{ action: 'unlink', id: spare.id },
      ...{ association_id: 'ref.company_id', target_id: company.id },
    };
    const failing: readonly (readonly [operation: object, status: number, code: string])[] = [
      [{ action: 'create', fields: { name: 'x', code: 'HUNDRED' } }, 409, 'conflict'],
      [{ action: 'update', id: NOWHERE, fields: { amount: 1 } }, 404, 'record_not_found'],
      [{ action: 'create', fields: { name: null } }, 422, 'invalid_write'],
      [unlink, 412, 'stale_record'],
      [{ action: 'status', id: spare.id, status_id: 'nope' }, 422, 'invalid_write'],
      [{ ...unlink, action: 'link', target_id: NOWHERE }, 404, 'record_not_found'],
      [{ action: 'update', id: spare.id, fields: { nope: 1 } }, 400, 'invalid_filter'],
    ];
    const before = await fleet.world.digest();
    // Each failure at places of its own, from the first to the last; all places when there is time.
    const places = [...operations.keys()].filter((at) => IS_LONG || at % 9 === 0 || at % 13 === 7);
    for (const position of places) {
      const [operation, status, code] = failing[position % failing.length] as (typeof failing)[0];
      const { body, ...answer } = await batch(fleet.ada, operations.with(position, operation));
      const about = JSON.stringify([position, body]);
      expect([answer.status, body.error?.code], about).toEqual([status, code]);
      expect(body.error.param, about).toMatch(new RegExp(`^operations\\[${position}\\]`));
      expect(await fleet.world.digest(), about).toBe(before);
    }
    expect((await applied(batch(fleet.ada, operations))).count).toBe(100);
  });

  test('a taken value names the operation, and the record only to callers who may read it', async () => {
    const holder = await deal(fleet.sam, { name: 'Holder' });
    await fleet.set('deals', holder.id, { rank: 1e-7, signed_at: '2026-05-05T05:05:05Z' });
    for (const fields of [{ rank: 0.0000001 }, { signed_at: '2026-05-05T07:05:05.000+02:00' }]) {
      const [key] = Object.keys(fields);
      const operations = [
        { action: 'create', fields: { name: 'fine', rank: 17 } },
        { action: 'create', fields: { name: 'x', ...fields } },
      ];
      const param = `operations[1].fields.${key}`;
      await refused(() => batch(fleet.ada, operations), [409, 'conflict', param]);
      const open = (await batch(fleet.ada, operations)).body.error.details;
      expect(open.existing_record_id).toBe(holder.id);
      expect(open.errors).toMatchObject([
        { operation_index: 1, action: 'create', existing_record_id: holder.id },
      ]);
      const closed = (await batch(fleet.rob, operations)).body.error;
      expect(closed.param).toBe(param);
      expect(JSON.stringify(closed)).not.toContain(holder.id);
    }
  });

  test('of several values the taken one is named', async () => {
    const [first, second] = [await deal(fleet.ada), await deal(fleet.ada)];
    await fleet.set('deals', first.id, { code: 'SEVERAL-1', rank: 4.5 });
    await fleet.set('deals', second.id, { code: 'SEVERAL-2', rank: 5.5 });
    const operations = [
      { action: 'delete', id: first.id },
      { action: 'create', fields: { name: 'x', code: 'SEVERAL-1' } },
      {
        ...{ action: 'upsert', target: 'deals', match: { code: 'SEVERAL-2' } },
        fields: { rank: 5.5, amount: 1 },
      },
    ];
    const last = { action: 'create', fields: { name: 'x', code: 'SEVERAL-2' } };
    const param = 'operations[3].fields.code';
    await refused(() => batch(fleet.ada, [...operations, last]), [409, 'conflict', param]);
    await applied(batch(fleet.ada, operations));
  });

  test('two operations with one new value', async () => {
    const { id } = await deal(fleet.ada);
    const operations = [
      { action: 'create', fields: { name: 'x', code: 'TWICE-1' } },
      { action: 'update', id, fields: { code: 'TWICE-1' } },
    ];
    await refused(
      () => batch(fleet.ada, operations),
      [409, 'conflict', 'operations[1].fields.code'],
    );
  });
});
