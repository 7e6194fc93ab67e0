// The common part of reads without a record: the caller, the records in reach, and the required page.

import { type Comparison, idsOf, sorted } from './case.ts';
import type { Placed } from './cast.ts';
import type { Persona } from './definition.ts';
import { type ExpectedAnswer, refusal } from './oracle.ts';

export type Cursors = Readonly<
  Record<'list' | 'search' | 'aggregate' | 'query' | 'aggregateQuery', string>
>;

// biome-ignore lint/suspicious/noExplicitAny: items of lists
export type Items = readonly any[];

/** The request of a read without a record, the oracle's answer, and the required data. */
export type Row = readonly [
  name: string,
  sent: Readonly<Record<string, unknown>>,
  expectedAnswer?: ExpectedAnswer | undefined,
  // biome-ignore lint/suspicious/noExplicitAny: what stands beside the items
  check?: (data: Items, body: any) => readonly Comparison[],
];

/** The person, the subject and the other inputs of the rows. */
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
