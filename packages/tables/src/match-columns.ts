// Which column of a file goes to which field: by names, by what columns are about, and by their content. Pure.

import { type Concept, conceptOf, plainName } from './concepts.ts';
import { folded } from './folded.ts';
import type { ColumnFacts } from './guess.ts';
import { nameRanks, OTHER_RANK } from './name-column.ts';
import { optionsNamed, type WordedOption } from './option-words.ts';
import { type Preset, presetConcept, sourceIdName } from './presets/preset.ts';
import type { Reading } from './reading.ts';
import { zoneInHeading } from './written-forms.ts';

/** Field keys by heading; columns that go nowhere are missing. */
export type Matches = ReadonlyMap<string, string>;

/** An object whose records the rows may be. */
export interface MatchedObject {
  readonly object_type: string;
  readonly name: string;
  readonly singular_name: string | null;
  readonly display_field: string | null;
  readonly fields: readonly MatchedField[];
}

export interface MatchedField {
  readonly key: string;
  readonly name: string | null;
  /** Its cells have several values. */
  readonly isList: boolean;
  readonly isUnique: boolean;
  /** The kind of its values, where files write them in different ways. */
  readonly reads: 'days' | 'moments' | 'numbers' | 'people' | undefined;
  /** Guessed types of columns that it takes; undefined: any. */
  readonly takes: readonly string[] | undefined;
  /** Undefined: its values are not words of a list. */
  readonly options: readonly WordedOption[] | undefined;
}

interface Scored {
  readonly heading: string;
  readonly key: string;
  readonly score: number;
}

const SAME_NAME = 100;
/** A match that is worse is none. */
const ENOUGH = 40;

/** The best match of each column; a field is written by one column, a list by several of the same name. */
export function matchColumns(
  object: MatchedObject,
  table: Pick<Reading, 'headings' | 'columns' | 'guesses'>,
  preset: Preset | undefined,
): Matches {
  const { fields } = object;
  const namedFields = fields.map(namedField);
  const ranks = nameRanks(table);
  const scored: Scored[] = table.headings.flatMap((heading, index) => {
    if (heading.startsWith('_')) return [];
    const content = { facts: table.columns[index], type: table.guesses[index]?.type ?? '' };
    const column = { ...namedColumn(heading, object, preset), ...content, rank: ranks[index] ?? 0 };
    return namedFields.flatMap((field) => {
      const score = scoreOf(column, field, object);
      return score < ENOUGH ? [] : [{ heading, key: field.key, score }];
    });
  });
  const matches = new Map<string, string>();
  const taken = new Set<string>();
  const lists = new Set(fields.filter(({ isList }) => isList).map(({ key }) => key));
  for (const { heading, key, score } of scored.toSorted((a, b) => b.score - a.score)) {
    const isAnother = score >= SAME_NAME && lists.has(key);
    if (matches.has(heading) || (taken.has(key) && !isAnother)) continue;
    matches.set(heading, key);
    taken.add(key);
  }
  return matches;
}

/** The names of a field, made once for all columns. */
interface NamedField extends MatchedField {
  readonly names: readonly string[];
  readonly concept: Concept | undefined;
  readonly words: ReadonlySet<string>;
}

function namedField(field: MatchedField): NamedField {
  const { key, name } = field;
  return {
    ...field,
    names: [key, name ?? ''].map(plainName).filter((one) => one !== ''),
    concept: conceptOf(key) ?? conceptOf(name ?? ''),
    words: new Set([...wordsOf(name ?? ''), ...wordsOf(key)]),
  };
}

/** The names of a column, made once for all fields. */
interface NamedColumn {
  readonly plain: string;
  /** The name without the number of one of several columns of a list. */
  readonly ofList: string;
  /** `Deal Name` of deals as `Name`. */
  readonly shorter: string;
  /** Its meaning by the preset; null: no record has it. */
  readonly about: Concept | null | undefined;
  readonly sourceId: string | undefined;
  readonly concept: Concept | undefined;
  readonly words: readonly string[];
}

/** The time zone of a column, such as `Created (UTC)`. */
const IN_BRACKETS = /\s*[([][^()[\]]*[)\]]$/;

function namedColumn(
  heading: string,
  object: MatchedObject,
  preset: Preset | undefined,
): NamedColumn {
  const bare = zoneInHeading(heading) === undefined ? heading : heading.replace(IN_BRACKETS, '');
  const shorter = withoutObject(bare, object);
  const about = preset && presetConcept(preset, heading);
  return {
    ...{ plain: plainName(bare), shorter: plainName(shorter), about },
    ofList: plainName(heading.replace(/(?:\(\d{1,4}\)|\d{1,4})$/, '')),
    sourceId: preset && about === 'sourceId' ? plainName(sourceIdName(preset)) : undefined,
    concept: conceptOf(bare) ?? conceptOf(shorter),
    words: wordsOf(bare),
  };
}

function wordsOf(text: string): readonly string[] {
  return folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

interface Column extends NamedColumn {
  readonly facts: ColumnFacts | undefined;
  /** The type that was guessed from its content. */
  readonly type: string;
  /** How well it names records. */
  readonly rank: number;
}

function scoreOf(column: Column, field: NamedField, object: MatchedObject): number {
  const byName = nameScore(column, field, object);
  const isNamed = byName > 0 || isOwnContent(field);
  if (!isNamed) return 0;
  const score = byName + contentFit(column, field);
  if (field.key !== object.display_field) return score;
  return column.rank === OTHER_RANK && byName < SURE_NAME ? 0 : score + column.rank;
}

/** Names, or a preset, say it. */
const SURE_NAME = 90;

/** Content alone is enough for these: little else looks like it. */
function isOwnContent(field: MatchedField): boolean {
  return isOfAddresses(field) || field.options !== undefined;
}

function isOfAddresses({ takes }: MatchedField): boolean {
  return takes?.join() === 'email';
}

function nameScore(column: NamedColumn, field: NamedField, object: MatchedObject): number {
  const { names, concept, isList } = field;
  const { about, shorter } = column;
  const plain = isList ? column.ofList : column.plain;
  if (names.includes(plain)) return SAME_NAME;
  // The preset knows that no record has it.
  if (about === null) return 0;
  if (column.sourceId !== undefined) return names.includes(column.sourceId) ? 95 : 0;
  if (about !== undefined) return about === concept ? 95 : 0;
  if (names.includes(shorter)) return SURE_NAME;
  if (names.some((name) => name.replace(/id$/, '') === plain.replace(/(?:name|id)$/, '')))
    return 80;
  const own = column.concept;
  if (own !== undefined && own === concept) return 70;
  // `Account` in a file of companies is their name.
  if (own !== undefined && field.key === object.display_field && own === aboutOf(object)) return 75;
  return isPartOf(column, field) ? 55 : 0;
}

function aboutOf({ singular_name, object_type }: MatchedObject): string | undefined {
  return conceptOf(singular_name ?? '') ?? conceptOf(object_type.replace(/s$/, ''));
}

/** All words of the heading are words of the field: `Established` and `Year established`. */
function isPartOf({ words }: NamedColumn, field: NamedField): boolean {
  return words.some((word) => word.length > 3) && words.every((word) => field.words.has(word));
}

/** `Deal Name` and `Deal - Title` of deals are `Name` and `Title`. */
function withoutObject(
  heading: string,
  { name, singular_name, object_type }: MatchedObject,
): string {
  const prefixes = [singular_name, name, object_type].filter((one) => one !== null);
  const start = prefixes.find((one) => folded(heading).startsWith(`${folded(one)} `));
  return start === undefined ? heading : heading.slice(start.length).replace(/^[\s–-]+/, '');
}

/** The fit of content that the field does not take: only a column of exactly its name still goes there. */
const POOR = -50;

function contentFit(column: Column, field: MatchedField): number {
  const { facts, type } = column;
  if (facts === undefined || facts.filled === 0) return 0;
  if (field.key === 'id') return facts.distinct.every((text) => UUID.test(text)) ? 5 : -100;
  if (field.options !== undefined) return optionFit(facts, field.options, field.isList);
  if (field.takes === undefined) return 0;
  if (!field.takes.includes(type)) return POOR;
  return isOfAddresses(field) ? 45 : 5;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The share of its values that are options. */
function optionFit(
  { distinct, isMany }: ColumnFacts,
  options: readonly WordedOption[],
  isList: boolean,
): number {
  const texts = isList ? distinct.flatMap((text) => text.split(';')) : distinct;
  const known = texts.filter((text) => optionsNamed(options, text).length > 0).length;
  if (isMany && known === 0) return POOR;
  return texts.length > 0 && known === texts.length ? 45 : known > 0 ? 10 : 0;
}
