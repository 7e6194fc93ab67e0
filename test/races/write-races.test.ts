// Writers who start at the same moment: exactly the right ones win, no write is lost, no reference dangles, no client
// gets a deadlock.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../../src/flow/records/read/read-flow.ts';
import { versionToken } from '../../src/plan/write/precondition.ts';
import type { FieldValues, WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Row } from '../../src/postgres/db.ts';
import { listOf } from '../list-request.ts';
import {
  codesOf,
  type Outcome,
  openTrack,
  PATIENCE,
  race,
  requireInvariants,
  rounds,
  type Track,
} from './racing.ts';

let track: Track;

beforeAll(async () => {
  track = await openTrack();
});

afterEach(() => requireInvariants(track), PATIENCE);

afterAll(() => track?.close());

const create = (fields: FieldValues): WriteOperation => ({ action: 'create', fields });
const update = (id: unknown, fields: FieldValues, token?: string): WriteOperation => ({
  action: 'update',
  id: String(id),
  fields,
  precondition: token === undefined ? undefined : { any_of: [token] },
});
const move = (id: unknown, status_id: string): WriteOperation => ({
  action: 'status',
  id: String(id),
  status_id,
});
const remove = (id: unknown): WriteOperation => ({ action: 'delete', id: String(id) });
const upsert = (match: FieldValues, fields: FieldValues): WriteOperation => ({
  action: 'upsert',
  target: 'gadgets',
  match,
  fields,
});
const linking =
  (action: 'link' | 'unlink') =>
  (id: unknown, association_id: string, target_id: unknown): WriteOperation => ({
    action,
    id: String(id),
    association_id,
    target_id: String(target_id),
  });
const link = linking('link');
const unlink = linking('unlink');

const gadget = (fields: FieldValues = {}): Promise<Row> =>
  track.make('gadgets', { name: 'n', ...fields });
const part = (): Promise<Row> => track.make('parts', { label: 'p' });
const current = (row: Row): Promise<Row | undefined> => track.row('gadgets', row.id);

/** Attempts of single operations. */
const each = (operations: readonly WriteOperation[]) =>
  operations.map((operation) => () => track.write([operation]));

const times = <Value>(count: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

let codes = 0;
function newCode(): string {
  codes += 1;
  return codes.toString(36).toUpperCase().padStart(4, '0');
}

function shuffled<Value>(values: readonly Value[]): readonly Value[] {
  return values
    .map((value) => [Math.random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}

async function links(relationship: string, ids: readonly unknown[]): Promise<readonly Row[]> {
  return track.rows(
    `select from_id, to_id from s._links where relationship = $1
      and (from_id = any($2::uuid[]) or to_id = any($2::uuid[]))`,
    [relationship, ids],
  );
}

describe('one record', () => {
  test(
    'of two moves from the same status one is made',
    () =>
      rounds(async () => {
        const { id } = await gadget();
        const outcomes = await race(each(shuffled([move(id, 'built'), move(id, 'scrapped')])));
        expect(codesOf(outcomes)).toEqual(['invalid_write', 'ok']);
        const winner = outcomes.find(({ code }) => code === 'ok')?.results[0]?.row as Row;
        const row = await track.row('gadgets', id);
        expect([row?.status, row?.version]).toEqual([winner.status, 2]);
      }),
    PATIENCE,
  );

  test(
    'moves of many are a walk through the workflow',
    () =>
      rounds(async () => {
        const { id } = await gadget();
        const targets = ['new', 'built', 'sold', 'new', 'built', 'scrapped', 'sold', 'new'];
        const outcomes = await race(each(targets.map((target) => move(id, target))));
        const moved = outcomes.flatMap(({ results }) => results.map(({ row }) => row as Row));
        const trail = moved.toSorted((a, b) => Number(a.version) - Number(b.version));
        expect(trail.map(({ version }) => version)).toEqual(trail.map((_, index) => index + 2));
        const allowed = track.sample.model.workflows.get('assembly')?.statuses;
        ['new', ...trail.map(({ status }) => String(status))].reduce((from, to) => {
          expect(allowed?.get(from)?.transitions).toContain(to);
          return to;
        });
        for (const { code } of outcomes) expect(['ok', 'invalid_write']).toContain(code);
      }),
    PATIENCE,
  );

  test(
    'of sixteen updates of one version one is made',
    () =>
      rounds(async () => {
        const row = await gadget();
        const token = versionToken(row);
        const names = times(16, (index) => `name ${index}`);
        const outcomes = await race(each(names.map((name) => update(row.id, { name }, token))));
        expect(codesOf(outcomes)).toEqual(['ok', ...times(15, () => 'stale_record')]);
        const winner = outcomes.findIndex(({ code }) => code === 'ok');
        expect(await current(row)).toMatchObject({ name: names[winner], version: 2 });
      }),
    PATIENCE,
  );

  test(
    'updates of different fields all survive',
    () =>
      rounds(async () => {
        const row = await gadget();
        const outcomes = await race(
          each([
            update(row.id, { a_text: 'text' }),
            update(row.id, { a_integer: 7 }),
            update(row.id, { custom_fields: { x_text: 'custom' } }),
            update(row.id, { custom_fields: { x_integer: 8 } }),
            update(row.id, { custom_fields: { x_level: null } }),
            update(row.id, { name: 'other' }),
            move(row.id, 'built'),
          ]),
        );
        expect(codesOf(outcomes)).toEqual(times(7, () => 'ok'));
        const versions = outcomes.map(({ results }) => results[0]?.row?.version);
        expect(versions.toSorted()).toEqual([2, 3, 4, 5, 6, 7, 8]);
        expect(await current(row)).toMatchObject({
          a_text: 'text',
          a_integer: 7,
          custom_fields: { x_text: 'custom', x_integer: 8 },
          name: 'other',
          status: 'built',
          version: 8,
        });
      }),
    PATIENCE,
  );

  test(
    'is deleted once',
    () =>
      rounds(async () => {
        const { id } = await gadget();
        const outcomes = await race(
          each([remove(id), update(id, { name: 'other' }), remove(id), move(id, 'built')]),
        );
        const deletes = [outcomes[0], outcomes[2]].map((outcome) => outcome?.code);
        expect(deletes.toSorted()).toEqual(['ok', 'record_not_found']);
        for (const { code } of outcomes) expect(['ok', 'record_not_found']).toContain(code);
        expect(await track.row('gadgets', id)).toBeUndefined();
      }),
    PATIENCE,
  );
});

describe('one value', () => {
  test(
    'that is unique is given to one',
    () =>
      rounds(async () => {
        const code = newCode();
        const other = await gadget();
        const outcomes = await race([
          ...each([
            create({ name: 'a', code }),
            create({ name: 'b', code }),
            update(other.id, { code }),
          ]),
          () => track.write([create({ name: 'c' }), create({ name: 'd', code })]),
        ]);
        expect(codesOf(outcomes)).toEqual(['conflict', 'conflict', 'conflict', 'ok']);
        expect(await track.rows('select id from s.gadgets where code = $1', [code])).toHaveLength(
          1,
        );
      }),
    PATIENCE,
  );

  test.each([
    ['a unique field', () => ({ code: newCode() })],
    ['a field that is not unique', () => ({ a_text: newCode() })],
    ['two fields', () => ({ a_email: `${newCode()}@EXAMPLE.com`, a_integer: 1 })],
  ])(
    'upserts by %s make one record',
    (_, matched) =>
      rounds(async () => {
        const match = matched();
        const outcomes = await race(
          each(times(8, (index) => upsert(match, { name: `name ${index}`, rating: 1 }))),
        );
        expect(codesOf(outcomes)).toEqual(times(8, () => 'ok'));
        const results = outcomes.flatMap((outcome) => outcome.results);
        expect(new Set(results.map(({ id }) => id)).size).toBe(1);
        expect(results.filter(({ created }) => created)).toHaveLength(1);
        const versions = results.map(({ row }) => Number(row?.version)).toSorted((a, b) => a - b);
        expect(versions).toEqual(times(8, (index) => index + 1));
      }),
    PATIENCE,
  );

  test(
    'upserts in batches make one record of each value, whatever their order',
    () =>
      rounds(async (round) => {
        const values = times(4, newCode);
        const field = round % 2 === 0 ? 'code' : 'a_text';
        const outcomes = await race(
          times(8, (index) => () => {
            const upserts = shuffled(values).map((value) =>
              upsert({ [field]: value }, { name: `name ${index}` }),
            );
            return track.write([create({ name: 'beside' }), ...upserts]);
          }),
        );
        expect(codesOf(outcomes)).toEqual(times(8, () => 'ok'));
        const found = await track.rows(
          `select ${field}, count(*) from s.gadgets where ${field} = any($1) group by ${field}`,
          [values],
        );
        expect(found.map((row) => row.count)).toEqual([1, 1, 1, 1]);
      }, 0.5),
    PATIENCE,
  );
});

describe('a record that goes', () => {
  test.each(['link.uses', 'link.badge', 'link.bin', 'link.spares', 'ref.a_reference'])(
    'while it is linked by %s',
    (association) =>
      rounds(async (round) => {
        const [source, target] = [await gadget(), await part()];
        const isTarget = round % 2 === 0;
        const [linked, deleted] = await race([
          () => track.write([link(source.id, association, target.id)]),
          () =>
            isTarget
              ? track.write([remove(target.id)], { objectType: 'parts' })
              : track.write([remove(source.id)]),
        ]);
        expect(deleted?.code).toBe('ok');
        expect(['ok', 'record_not_found']).toContain(linked?.code);
        if (isTarget) expect((await current(source))?.a_reference).toBeNull();
        expect(await links(association.slice(5), [source.id, target.id])).toEqual([]);
      }),
    PATIENCE,
  );

  test(
    'while another of its object is linked to it',
    () =>
      rounds(async (round) => {
        const [one, two] = [await gadget(), await gadget()];
        const association = ['link.twins', 'link.peers', 'ref.model_id'][round % 3] as string;
        const [linked, deleted] = await race([
          () => track.write([link(one.id, association, two.id)]),
          () => track.write([remove(two.id)]),
        ]);
        expect(deleted?.code).toBe('ok');
        expect(['ok', 'record_not_found']).toContain(linked?.code);
        expect((await current(one))?.model_id).toBeNull();
      }),
    PATIENCE,
  );

  test(
    'while others come to refer to it',
    () =>
      rounds(async () => {
        const [source, target] = [await gadget(), await part()];
        const a_reference = target.id;
        const [updated, created, batch, deleted] = await race([
          () => track.write([update(source.id, { a_reference })]),
          () => track.write([create({ name: 'n', a_reference })]),
          () => track.write([create({ name: 'n' }), create({ name: 'm', a_reference })]),
          () => track.write([remove(target.id)], { objectType: 'parts' }),
        ]);
        expect(deleted?.code).toBe('ok');
        for (const outcome of [updated, created, batch]) {
          expect(['ok', 'invalid_write', 'conflict']).toContain(outcome?.code);
        }
        const left = await track.rows('select id from s.gadgets where a_reference = $1', [
          target.id,
        ]);
        expect(left).toEqual([]);
      }),
    PATIENCE,
  );

  test(
    'stays when somebody is faster to need it',
    () =>
      rounds(async () => {
        const { id } = await part();
        const fields = { part_id: id, custom_fields: { note: 'n' } };
        const [needed, deleted] = await race([
          () => track.write([create(fields)], { objectType: 'fittings' }),
          () => track.write([remove(id)], { objectType: 'parts' }),
        ]);
        const expected = needed?.code === 'ok' ? ['conflict'] : ['ok'];
        expect(expected).toContain(deleted?.code);
        expect(['ok', 'invalid_write', 'conflict']).toContain(needed?.code);
        expect((await track.row('parts', id)) === undefined).toBe(needed?.code !== 'ok');
      }),
    PATIENCE,
  );
});

describe('links', () => {
  test(
    'of an end that holds one: one of two is made, from whichever end',
    () =>
      rounds(async (round) => {
        const [one, two] = [await gadget(), await gadget()];
        const [left, right] = [await part(), await part()];
        const fromParts = (operation: WriteOperation) => () =>
          track.write([operation], { objectType: 'parts' });
        const contests: readonly (readonly [string, readonly (() => Promise<Outcome>)[]])[] = [
          [
            'badge',
            each([link(one.id, 'link.badge', left.id), link(two.id, 'link.badge', left.id)]),
          ],
          [
            'badge',
            each([link(one.id, 'link.badge', left.id), link(one.id, 'link.badge', right.id)]),
          ],
          [
            'badge',
            [
              ...each([link(one.id, 'link.badge', left.id)]),
              fromParts(link(left.id, 'link.badge', two.id)),
            ],
          ],
          ['bin', each([link(one.id, 'link.bin', left.id), link(one.id, 'link.bin', right.id)])],
          [
            'bin',
            [
              ...each([link(one.id, 'link.bin', left.id)]),
              fromParts(link(right.id, 'link.bin', one.id)),
            ],
          ],
          [
            'spares',
            each([link(one.id, 'link.spares', left.id), link(two.id, 'link.spares', left.id)]),
          ],
          [
            'twins',
            each([
              link(one.id, 'link.twins', two.id),
              link(one.id, 'link.twins', (await gadget()).id),
            ]),
          ],
        ];
        const contest = contests[round % contests.length];
        const [relationship, attempts] = contest as (typeof contests)[number];
        expect(codesOf(await race(attempts))).toEqual(['conflict', 'ok']);
        const ids = [one.id, two.id, left.id, right.id];
        const count = relationship === 'twins' ? 2 : 1;
        expect(await links(relationship, ids)).toHaveLength(count);
      }),
    PATIENCE,
  );

  test(
    'of the same two from both ends are one link',
    () =>
      rounds(async (round) => {
        const [one, two, other] = [await gadget(), await gadget(), await part()];
        const key = ['badge', 'uses', 'bin', 'spares'][round % 4] as string;
        const self = ['twins', 'peers'][round % 2] as string;
        const outcomes = await race([
          ...each([link(one.id, `link.${key}`, other.id)]),
          () => track.write([link(other.id, `link.${key}`, one.id)], { objectType: 'parts' }),
          ...each([link(one.id, `link.${self}`, two.id), link(two.id, `link.${self}`, one.id)]),
        ]);
        expect(codesOf(outcomes)).toEqual(times(4, () => 'ok'));
        const changed = outcomes.map(({ results }) => results[0]?.changed);
        expect(changed.slice(0, 2).toSorted()).toEqual([false, true]);
        expect(changed.slice(2).toSorted()).toEqual([false, true]);
        expect(await links(key, [other.id])).toHaveLength(1);
        expect(await links(self, [one.id])).toHaveLength(2);
      }),
    PATIENCE,
  );

  test(
    'of three clients that can have one twin each: one pair is made',
    () =>
      rounds(async () => {
        const ids = [(await gadget()).id, (await gadget()).id, (await gadget()).id];
        const outcomes = await race(
          each(ids.map((id, index) => link(id, 'link.twins', ids[(index + 1) % 3]))),
        );
        expect(codesOf(outcomes)).toEqual(['conflict', 'conflict', 'ok']);
        expect(await links('twins', ids)).toHaveLength(2);
      }, 0.3),
    PATIENCE,
  );

  test(
    'are undone once',
    () =>
      rounds(async () => {
        const target = await part();
        const source = await gadget({ a_reference: target.id });
        await track.write([link(source.id, 'link.uses', target.id)]);
        const cleared = times(2, () => unlink(source.id, 'ref.a_reference', target.id));
        expect(codesOf(await race(each(cleared)))).toEqual(['ok', 'stale_record']);
        const undone = await race(each(times(2, () => unlink(source.id, 'link.uses', target.id))));
        expect(undone.map(({ results }) => results[0]?.changed).toSorted()).toEqual([false, true]);
        expect(await current(source)).toMatchObject({ a_reference: null, version: 2 });
      }),
    PATIENCE,
  );

  test(
    'are undone or made again',
    () =>
      rounds(async () => {
        const [old, next] = [await part(), await part()];
        const source = await gadget({ a_reference: old.id });
        const [undone, relinked] = await race(
          each([
            unlink(source.id, 'ref.a_reference', old.id),
            link(source.id, 'ref.a_reference', next.id),
          ]),
        );
        expect(relinked?.code).toBe('ok');
        expect(['ok', 'stale_record']).toContain(undone?.code);
        const version = undone?.code === 'ok' ? 3 : 2;
        expect(await current(source)).toMatchObject({ a_reference: next.id, version });
        await track.write([link(source.id, 'link.uses', old.id)]);
        const outcomes = await race(
          each([unlink(source.id, 'link.uses', old.id), link(source.id, 'link.uses', old.id)]),
        );
        expect(codesOf(outcomes)).toEqual(['ok', 'ok']);
        const isNew = outcomes[1]?.results[0]?.changed === true;
        expect(await links('uses', [source.id])).toHaveLength(isNew ? 1 : 0);
      }),
    PATIENCE,
  );
});

describe('batches', () => {
  const SIZE = 100;
  const WHOLE = {
    field: 'a_text',
    param: 'filters.a_text',
    op: 'eq',
    value: 'whole',
    text: false,
  } as const;

  test(
    'of the same records in opposite orders are made one after the other',
    async () => {
      const made = await track.write(times(SIZE, () => create({ name: 'start', code: newCode() })));
      const ids = made.results.map(({ id }) => id);
      const own = made.results.map(({ row }) => String(row?.code));
      const { id: shared } = await part();
      await rounds(async (round) => {
        const mixed = (token: string, order: readonly number[]) =>
          order.map((index): WriteOperation => {
            const id = ids[index];
            if (round % 3 === 1 && index % 5 === 0) return link(id, 'ref.a_reference', shared);
            if (round % 3 === 2) return upsert({ code: own[index] }, { name: token });
            return update(id, { name: token });
          });
        const order = times(SIZE, (index) => index);
        const orders = [order, order.toReversed(), shuffled(order)];
        const outcomes = await race(
          orders.map((one, index) => () => track.write(mixed(`${round}.${index}`, one))),
        );
        expect(codesOf(outcomes)).toEqual(['ok', 'ok', 'ok']);
        const names = await track.rows(
          'select distinct name from s.gadgets where id = any($1::uuid[]) and a_reference is null',
          [ids],
        );
        expect(names).toHaveLength(1);
      }, 0.2);
    },
    PATIENCE,
  );

  test(
    'are seen as a whole or not at all',
    async () => {
      const made = await track.write(times(20, () => create({ name: 'start', a_text: 'whole' })));
      const ids = made.results.map(({ id }) => id);
      await rounds(async (round) => {
        const { db, sample } = track;
        const context = { db, model: sample.model, caller: sample.caller('anna') };
        const page = async () => {
          const request = listOf({ filters: [WHOLE], fields: ['name'], limit: 100 });
          const read = await readPage(context, sample.object('gadgets'), request);
          const names = new Set(read.rows.map((row) => row.name));
          expect(read.rows).toHaveLength(20);
          expect(names.size).toBe(1);
        };
        const write = (token: string) =>
          track.write(shuffled(ids).map((id) => update(id, { name: token })));
        const [first, second] = await Promise.all([
          write(`${round}a`),
          write(`${round}b`),
          ...times(6, page),
        ]);
        expect([first?.code, second?.code]).toEqual(['ok', 'ok']);
      }, 0.5);
    },
    PATIENCE,
  );

  test(
    'that delete, link and refer across each other never fail for a deadlock',
    () =>
      rounds(async () => {
        const parts = [await part(), await part()];
        const rowsOf = await Promise.all(
          times(6, (index) => gadget({ a_reference: parts[index % 2]?.id })),
        );
        const ids = rowsOf.map(({ id }) => id);
        const outcomes = await race([
          () => track.write(ids.map((id) => update(id, { name: 'x', a_reference: parts[0]?.id }))),
          () => track.write(ids.toReversed().map((id) => link(id, 'link.uses', parts[1]?.id))),
          () =>
            track.write(
              parts.map(({ id }) => remove(id)),
              { objectType: 'parts' },
            ),
          () =>
            track.write(
              parts.toReversed().map(({ id }) => update(id, { label: 'y' })),
              { objectType: 'parts' },
            ),
          () => track.write([remove(ids[0]), update(ids[5], { model_id: ids[1] }), remove(ids[2])]),
          () => track.write([remove(ids[1]), link(ids[4], 'link.peers', ids[3])]),
        ]);
        for (const { code } of outcomes) {
          expect(['ok', 'record_not_found', 'invalid_write', 'conflict']).toContain(code);
        }
      }, 0.15),
    PATIENCE,
  );
});

describe('one Idempotency-Key', () => {
  test(
    'has one effect however many send it',
    () =>
      rounds(async (round) => {
        const key = `key ${round}`;
        const name = `idempotent ${round}`;
        const outcomes = await race(
          times(50, () => () => track.write([create({ name })], { key })),
        );
        const made = outcomes.filter(({ code, replayed }) => code === 'ok' && !replayed);
        expect(made).toHaveLength(1);
        for (const { code } of outcomes) expect(['ok', 'idempotency_key_in_use']).toContain(code);
        const replayed = await track.write([create({ name })], { key });
        expect(replayed).toMatchObject({ replayed: true, results: made[0]?.results });
        expect(await track.rows('select id from s.gadgets where name = $1', [name])).toHaveLength(
          1,
        );
        expect(
          await track.rows('select key from s._idempotency where key = $1', [key]),
        ).toHaveLength(1);
      }, 0.4),
    PATIENCE,
  );
});
