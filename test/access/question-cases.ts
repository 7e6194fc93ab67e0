// Questions of the access matrix: conditions as a tree, fields behind references, what references lead to, counts
// and groups.

import { type Comparison, sorted } from './case.ts';
import type { Cast } from './cast.ts';
import type { Persona } from './definition.ts';
import { type ExpectedAnswer, refusal, selectedField } from './oracle.ts';
import { cursorOf, type Items, lists, type Row, type Selection } from './selection.ts';

/** A field behind the guarded reference: of places of which the person may read all. */
function behind(person: Persona, param: string): ExpectedAnswer | undefined {
  const denied = refusal(403, 'permission_denied', param);
  return selectedField(person, param) ?? (person.places === 'organisation' ? undefined : denied);
}

const unknown = (param: string) => refusal(400, 'invalid_filter', param);

export function questionRows({ places }: Cast, selection: Selection): readonly Row[] {
  const { person, seen, found, mate, cursors } = selection;
  const uses = (param: string) => selectedField(person, param);
  const is = { field: 'probe', op: 'eq', value: mate.probe };
  const others = seen.filter(({ id }) => id !== mate.id);
  const title = { field: 'place_id.title', op: 'is_null', value: false };
  const counted = (value: number) => (_: Items, body: { readonly count: unknown }) =>
    [[body.count, { value, relation: 'exact' }]] as const;
  return [
    ['query', {}, undefined, lists(seen)],
    ['query where', { where: is }, uses('where.field'), lists(found)],
    ['query not', { where: { not: is } }, uses('where.not.field'), lists(others)],
    ['query any', { where: { any: [is, { not: is }] } }, uses('where.any[0].field'), lists(seen)],
    [
      'query jsonb',
      { where: { ...is, field: 'extra' } },
      selectedField(person, 'where.field', 'jsonb'),
    ],
    ['query unknown', { where: { ...is, field: 'nope' } }, unknown('where.field')],
    ['query behind', { where: title }, behind(person, 'where.field'), lists(seen)],
    [
      'query behind unknown',
      { where: { ...title, field: 'place_id.nope' } },
      behind(person, 'where.field') ?? unknown('where.field'),
    ],
    [
      'query sort behind',
      { sort: [{ field: 'place_id.title' }] },
      behind(person, 'sort[0].field'),
      lists(seen),
    ],
    ['query count', { count: 'exact' }, undefined, counted(seen.length)],
    [
      'query count found',
      { count: 'exact', where: is },
      uses('where.field'),
      counted(found.length),
    ],
    [
      'query expand',
      { expand: ['place_id'], fields: ['place_id.title'] },
      undefined,
      (data) => expanded(data, person, places.shared),
    ],
    ['query cursor', { cursor: cursors.query }, cursorOf(selection)],
  ];
}

/** All records refer to one place, which belongs to another person: hidden from readers of their own only. */
function expanded(data: Items, { field, places }: Persona, id: string): readonly Comparison[] {
  const shown = field === 'none' ? undefined : places === 'organisation' ? id : null;
  return data.map((one) => {
    const place = one.expanded.place_id;
    return [place === undefined || place === null ? place : place.id, shown] as const;
  });
}

export function groupedRows(selection: Selection): readonly Row[] {
  const { person, seen, found, mate, cursors } = selection;
  const metrics = [{ name: 'n', op: 'count' }];
  const where = { field: 'probe', op: 'eq', value: mate.probe };
  const used = selectedField(person, 'where.field');
  const grouped = (data: Items) => [[sorted(data.map(({ n }) => String(n))), grown(seen)]] as const;
  const by = { field: 'created_at', by: 'year' };
  const cursor = { metrics, group_by: ['id'], cursor: cursors.aggregateQuery };
  return [
    ['groups where', { metrics, where }, used, (data) => [[data, [{ n: found.length }]]]],
    [
      'groups not',
      { metrics, where: { not: where } },
      selectedField(person, 'where.not.field'),
      (data) => [[data, [{ n: seen.length - found.length }]]],
    ],
    [
      'groups behind',
      { metrics, group_by: ['place_id.id'] },
      behind(person, 'group_by[0]'),
      grouped,
    ],
    ['groups of years', { metrics, group_by: [by] }, undefined, grouped],
    ['groups cursor', cursor, cursorOf(selection)],
  ];
}

/** All are of one place and one year. */
function grown(seen: readonly unknown[]): readonly string[] {
  return seen.length === 0 ? [] : [String(seen.length)];
}
