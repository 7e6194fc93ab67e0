// What reads without a record have in common: who asks, what they may find, and what a page must have.

import { type Comparison, idsOf, sorted } from './case.ts';
import type { Placed } from './cast.ts';
import type { Persona } from './definition.ts';
import { type ExpectedAnswer, refusal } from './oracle.ts';

export type Cursors = Readonly<
  Record<'list' | 'search' | 'aggregate' | 'query' | 'aggregateQuery', string>
>;

// biome-ignore lint/suspicious/noExplicitAny: items of lists
export type Items = readonly any[];

/** How a read without a record is sent, what is said of it, and what its data must be. */
export type Row = readonly [
  name: string,
  sent: Readonly<Record<string, unknown>>,
  expectedAnswer?: ExpectedAnswer | undefined,
  // biome-ignore lint/suspicious/noExplicitAny: what stands beside the items
  check?: (data: Items, body: any) => readonly Comparison[],
];

/** What the rows of a person and a subject are made from. */
export interface Selection {
  readonly person: Persona;
  readonly cursors: Cursors;
  /** Records the person may read, and those of them that the filters of the rows find. */
  readonly seen: readonly Placed[];
  readonly found: readonly Placed[];
  /** The record the filters look for. */
  readonly mate: Placed;
  /** True for the one walk whose cursors are good. */
  readonly isOwnWalk: boolean;
}

export const lists = (records: readonly Placed[], fields?: readonly string[]) => (data: Items) =>
  listed(data, records, fields);

export const cursorOf = ({ isOwnWalk }: Selection) =>
  isOwnWalk ? undefined : refusal(400, 'invalid_cursor', 'cursor');

/** A page has these records and no others, with these fields or none. */
function listed(
  data: Items,
  records: readonly Placed[],
  fields?: readonly string[],
): readonly Comparison[] {
  const keys = new Set(data.map((item) => sorted(Object.keys(item.fields ?? {})).join()));
  const titles = new Map(records.map(({ id, title }) => [id, title]));
  return [
    [idsOf(data), idsOf(records)],
    [data.filter((item) => item.display !== titles.get(item.id)), []],
    [data.every((item) => 'fields' in item === (fields !== undefined)), true],
    [[...keys], data.length === 0 ? [] : [sorted(fields ?? []).join()]],
  ];
}
