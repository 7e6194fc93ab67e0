// Which column of a file goes to which field: by names, by what columns are about, and by their content. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import type { ColumnFacts } from '../../../../tables/src/guess.ts';
import { optionsNamed } from '../../../../tables/src/option-words.ts';
import type { Table } from '../../../../tables/src/reading.ts';
import { kindOf } from '../../fields/kinds.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { folded } from '../../lib/folded.ts';
import { conceptOf, plainName } from './concepts.ts';
import { hasOptions, importFields, isAddress, isList } from './import-fields.ts';
import { findPreset, type Preset, presetConcept } from './presets.ts';

/** Field keys by heading; columns that go nowhere are missing. */
export type Matches = ReadonlyMap<string, string>;

type Named = Pick<ObjectDefinition, 'name' | 'singular_name' | 'object_type' | 'display_field'>;

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
  object: ObjectDefinition,
  table: Pick<Table, 'headings' | 'columns' | 'guesses'>,
): Matches {
  const preset = findPreset(table.headings);
  const fields = importFields(object);
  const scored: Scored[] = table.headings.flatMap((heading, index) => {
    if (heading.startsWith('_')) return [];
    const guess = table.guesses[index];
    const column = { heading, facts: table.columns[index], type: guess?.type ?? '' };
    return fields.map((field) => ({
      ...{ heading, key: field.key },
      score: scoreOf(column, field, { object, preset }),
    }));
  });
  const matches = new Map<string, string>();
  const taken = new Set<string>();
  const lists = new Set(fields.filter(isList).map(({ key }) => key));
  for (const { heading, key, score } of scored.toSorted((a, b) => b.score - a.score)) {
    const isAnother = score >= SAME_NAME && lists.has(key);
    if (score < ENOUGH || matches.has(heading) || (taken.has(key) && !isAnother)) continue;
    matches.set(heading, key);
    taken.add(key);
  }
  return matches;
}

interface Column {
  readonly heading: string;
  readonly facts: ColumnFacts | undefined;
  /** The type that was guessed from its content. */
  readonly type: string;
}

interface Context {
  readonly object: Named;
  readonly preset: Preset | undefined;
}

function scoreOf(column: Column, field: Field, context: Context): number {
  const byName = nameScore(column.heading, field, context);
  const fit = contentFit(column, field);
  if (fit < 0) return byName + fit;
  return byName === 0 && !isOwnContent(field) ? 0 : byName + fit;
}

/** Content alone is enough for these: little else looks like it. */
function isOwnContent(field: Field): boolean {
  return isAddress(field) || hasOptions(field);
}

function nameScore(heading: string, field: Field, { object, preset }: Context): number {
  const plain = plainName(
    isList(field) ? heading.replace(/(?:\(\d{1,4}\)|\d{1,4})$/, '') : heading,
  );
  const names = [field.key, field.name ?? ''].map(plainName).filter((name) => name !== '');
  if (names.includes(plain)) return SAME_NAME;
  const about = preset === undefined ? undefined : presetConcept(preset, heading);
  // The preset knows that no record has it.
  if (about === null) return 0;
  const concept = conceptOf(field.key) ?? conceptOf(field.name ?? '');
  if (about !== undefined) return about === concept ? 95 : 0;
  const shorter = withoutObject(heading, object);
  if (names.includes(plainName(shorter))) return 90;
  if (names.some((name) => name.replace(/id$/, '') === plain.replace(/(?:name|id)$/, '')))
    return 80;
  const own = conceptOf(heading) ?? conceptOf(shorter);
  if (own !== undefined && own === concept) return 70;
  // `Account` in a file of companies is their name.
  if (own !== undefined && field.key === object.display_field && own === aboutOf(object)) return 75;
  return isPartOf(heading, field) ? 55 : 0;
}

function aboutOf({ singular_name, object_type }: Named): string | undefined {
  return conceptOf(singular_name ?? '') ?? conceptOf(object_type.replace(/s$/, ''));
}

/** All words of the heading are words of the field: `Established` and `Year established`. */
function isPartOf(heading: string, { key, name }: Field): boolean {
  const wordsOf = (text: string) =>
    folded(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
  const own = new Set([...wordsOf(name ?? ''), ...wordsOf(key)]);
  const words = wordsOf(heading);
  return words.some((word) => word.length > 3) && words.every((word) => own.has(word));
}

/** `Deal Name` and `Deal - Title` of deals are `Name` and `Title`. */
function withoutObject(heading: string, { name, singular_name, object_type }: Named): string {
  const prefixes = [singular_name, name, object_type].filter((one) => one !== null);
  const start = prefixes.find((one) => folded(heading).startsWith(`${folded(one)} `));
  return start === undefined ? heading : heading.slice(start.length).replace(/^[\s–-]+/, '');
}

/** Other content than the field takes: only a column of exactly its name still goes there. */
const POOR = -50;

function contentFit(column: Column, field: Field): number {
  const { facts, type } = column;
  if (facts === undefined || facts.filled === 0) return 0;
  if (field.key === 'id') return facts.distinct.every((text) => UUID.test(text)) ? 5 : -100;
  if (hasOptions(field)) return optionFit(facts, field);
  const takes = kindOf(field).takes;
  if (takes === undefined) return 0;
  if (!takes.includes(type)) return POOR;
  return isAddress(field) ? 45 : 5;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The share of its values that are options. */
function optionFit({ distinct, isMany }: ColumnFacts, field: Field): number {
  const texts = factsOf(field).list ? distinct.flatMap((text) => text.split(';')) : distinct;
  const known = texts.filter((text) => optionsNamed(field.options ?? [], text).length > 0).length;
  if (isMany && known === 0) return POOR;
  return texts.length > 0 && known === texts.length ? 45 : known > 0 ? 10 : 0;
}
