// A mapping for a file, as it is found: which column goes to which field, how its values are read, and the field by which
// rows find the records that an earlier file has made. Pure.

import { type ColumnFacts, type Guess, isOpen } from './guess.ts';
import { type MatchedField, type MatchedObject, matchColumns } from './match-columns.ts';
import { nameTemplate } from './name-column.ts';
import type { Table, TableFormat } from './reading.ts';
import { isMidnight } from './written-forms.ts';

/** See definitions/mapping.schema.json. */
export interface ProposedMapping {
  readonly object_type: string;
  readonly match?: readonly string[];
  readonly encoding?: TableFormat['encoding'];
  readonly delimiter?: string;
  readonly skip_lines?: number;
  readonly sheet?: string;
  readonly columns: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
  readonly fields?: Readonly<Record<string, { readonly template: string }>>;
}

export interface Proposal {
  readonly mapping: ProposedMapping;
  /** Columns that it leaves out: a person has to say how their numbers or times are read. */
  readonly undecided: readonly string[];
}

export function proposeMapping(object: MatchedObject, table: Table): Proposal {
  const matches = matchColumns(object, table, table.preset);
  const written = new Set(matches.values());
  const undecided: string[] = [];
  const columns = table.headings.flatMap((heading, index) => {
    const field = object.fields.find(({ key }) => key === matches.get(heading));
    if (field === undefined) return [];
    if (isOpen(table.guesses[index] ?? {}) && FORMED.has(field.reads)) {
      undecided.push(heading);
      return [];
    }
    const how = conversionsOf(field, table.columns[index], table.guesses[index]);
    const isPlain = Object.keys(how).length === 0;
    return [[heading, isPlain ? field.key : { field: field.key, ...how }] as const];
  });
  const { display_field: display } = object;
  const isNamed = display === null || written.has(display);
  const template = isNamed ? undefined : nameTemplate(table.headings);
  const match = matchOf(object, written);
  const mapping = {
    object_type: object.object_type,
    ...(match === undefined ? {} : { match: [match] }),
    ...writtenOf(table),
    columns: Object.fromEntries(columns),
    ...(template === undefined ? {} : { fields: { [display as string]: { template } } }),
  };
  return { mapping, undecided };
}

/** Values that files write in several forms. */
const FORMED: ReadonlySet<MatchedField['reads']> = new Set(['days', 'moments', 'numbers']);

/** How the file is written, where it is not UTF-8 with commas below a first line of headings. */
export function writtenOf({ encoding, delimiter, skipLines, sheets = [], sheet }: TableFormat) {
  return {
    ...(encoding === 'utf-8' ? {} : { encoding }),
    ...(delimiter === ',' ? {} : { delimiter }),
    ...(skipLines === 0 ? {} : { skip_lines: skipLines }),
    ...(sheet === undefined || sheets.length < 2 ? {} : { sheet }),
  };
}

/** The ids of the file, or else a unique field that it has. */
function matchOf({ fields }: MatchedObject, written: ReadonlySet<string>): string | undefined {
  if (written.has('id')) return 'id';
  return fields.find(({ key, isUnique }) => isUnique && written.has(key))?.key;
}

function conversionsOf(
  { reads, isList }: MatchedField,
  { distinct }: ColumnFacts = { filled: 0, distinct: [], isMany: false },
  guess: Guess | undefined,
): Readonly<Record<string, unknown>> {
  const { timezone, ...form } = guess?.form ?? {};
  if (reads === 'numbers') return form;
  if (reads === 'days') {
    const isOfTimes = guess?.type === 'datetime' && !distinct.every(isMidnight);
    return isOfTimes ? { ...form, timezone: timezone ?? 'UTC' } : form;
  }
  if (reads === 'moments') return { ...form, ...(timezone === undefined ? {} : { timezone }) };
  if (reads === 'people') {
    const areAddresses = distinct.every((text) => text.includes('@') || /^\d+$/.test(text));
    return { ...(areAddresses ? {} : { user: 'name' }), fallback: null };
  }
  const has = (mark: string) => distinct.some((text) => text.includes(mark));
  return isList && has(',') && !has(';') ? { separator: ',' } : {};
}
