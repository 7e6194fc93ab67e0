// Batches over several objects at the same time: the same records in opposite orders, references to records that
// another one deletes, the same matches. No client gets a deadlock, and no change is lost.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import { openTrack, PATIENCE, requireInvariants, rounds, type Track } from './racing.ts';

let track: Track;

beforeAll(async () => {
  track = await openTrack();
});
afterAll(() => track?.close());
afterEach(() => requireInvariants(track));

const create = (fields: Readonly<Record<string, unknown>>): WriteOperation => ({
  action: 'create',
  fields,
});
const update = (id: string, fields: Readonly<Record<string, unknown>>): WriteOperation => ({
  action: 'update',
  id,
  fields,
});
const remove = (id: string): WriteOperation => ({ action: 'delete', id });

const PEOPLE = 8;
const everybody = <Result>(work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: PEOPLE }, (_, index) => work(index)));

test(
  'the same records of two objects in opposite orders: all are written, each change counts',
  async () => {
    const part = String((await track.make('parts', { label: 'shared' })).id);
    const gadgets = await Promise.all(
      ['one', 'two'].map(async (name) => String((await track.make('gadgets', { name })).id)),
    );
    let written = 0;
    await rounds(async (round) => {
      const outcomes = await everybody((index) => {
        const change = (id: string, key: string) => update(id, { [key]: `${round} ${index}` });
        const operations: readonly (readonly [string, WriteOperation])[] = [
          ['parts', change(part, 'label')],
          ['gadgets', change(gadgets[0] as string, 'name')],
          ['gadgets', change(gadgets[1] as string, 'name')],
        ];
        const turned = index % 2 === 0 ? operations : operations.toReversed();
        const objectTypes = turned.map(([object]) => object);
        return track.write(
          turned.map(([, operation]) => operation),
          { objectTypes },
        );
      });
      expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 'ok'));
      written += PEOPLE;
    });
    expect((await track.row('parts', part))?.version).toBe(1 + written);
    for (const id of gadgets) expect((await track.row('gadgets', id))?.version).toBe(1 + written);
    const [last] = await track.rows(
      `select p.label as part, g.name as one, h.name as two from s.parts p, s.gadgets g, s.gadgets h
        where p.id = $1 and g.id = $2 and h.id = $3`,
      [part, ...gadgets],
    );
    expect(new Set(Object.values(last ?? {})).size).toBe(1);
  },
  PATIENCE,
);

test(
  'one refers to a record that another deletes: one of them is refused, and no reference dangles',
  async () => {
    await rounds(async () => {
      const part = String((await track.make('parts', { label: 'short-lived' })).id);
      const gadget = String((await track.make('gadgets', { name: 'g', a_reference: part })).id);
      const note = { custom_fields: { note: 'n' } };
      const [referring, deleting] = await Promise.all([
        track.write([update(gadget, { name: 'x' }), create({ part_id: part, ...note })], {
          objectTypes: ['gadgets', 'fittings'],
        }),
        track.write([remove(gadget), remove(part)], { objectTypes: ['gadgets', 'parts'] }),
      ]);
      const codes = [referring.code, deleting.code];
      expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
      const refused = codes.find((code) => code !== 'ok');
      expect(['record_not_found', 'invalid_write', 'conflict']).toContain(refused);
      const left = await track.rows('select count(*)::integer as n from s.parts where id = $1', [
        part,
      ]);
      expect(left[0]?.n).toBe(deleting.code === 'ok' ? 0 : 1);
    });
  },
  PATIENCE,
);

test(
  'upserts of one match with what belongs to it: one makes the record, all find it',
  async () => {
    await rounds(async (round) => {
      const code = `R${round}`;
      const outcomes = await everybody((index) =>
        track.write(
          [
            create({ label: `${round} ${index}` }),
            { action: 'upsert', target: 'gadgets', match: { code }, fields: { name: `${index}` } },
            { action: 'link', id: { $op: 1 }, association_id: 'link.uses', target_id: { $op: 0 } },
          ],
          { objectTypes: ['parts', 'gadgets', 'gadgets'] },
        ),
      );
      expect(outcomes.map((one) => one.code)).toEqual(outcomes.map(() => 'ok'));
      const ids = new Set(outcomes.map(({ results }) => results[1]?.id));
      expect(ids.size).toBe(1);
      const [links] = await track.rows(
        'select count(*)::integer as n from s._links where from_id = $1',
        [...ids],
      );
      expect(links?.n).toBe(PEOPLE);
    });
  },
  PATIENCE,
);
