// From a cell of the file to a value for the write path: text becomes the type of its field, JSON stays as it is.
// Other text is passed on and refused by the write path. Pure.

import { optionsNamed } from '../../../packages/tables/src/option-words.ts';
import { readFormatted } from '../../../packages/tables/src/time-formats.ts';
import { say } from '../../messages/message.ts';
import { readTimeCell } from '../../model/values/cell-times.ts';
import { roundDecimal } from '../../model/values/decimals.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { localTimeIn, momentIn } from '../../model/values/local-time.ts';
import { splitOptions } from '../../model/values/option-list.ts';
import { type Parsed, problem } from '../../model/values/parsed.ts';
import { parseEpoch } from '../../model/values/times.ts';
import type { ImportPlan } from '../mapping/compile-mapping.ts';
import type { Target } from '../mapping/compile-target.ts';
import { templateTexts } from '../mapping/template.ts';
import { MENTIONS_FIELD } from './comment-fields.ts';
import {
  joinWithin,
  openTextBudget,
  replaceWithin,
  spend,
  type TextBounds,
  type TextBudget,
} from './made-text.ts';

type Cells = ReadonlyMap<string, unknown>;

/** The file's value for this target, after replacements; null when the cell is empty. */
export function cellValue(
  plan: ImportPlan,
  target: Target,
  cells: Cells,
  budget: TextBudget = openTextBudget(),
): Parsed {
  const { source } = target;
  if (source.kind === 'parts') return joinedItems(plan, source.parts, cells, budget);
  const bounds = { longest: target.longest, budget };
  const read = readSource(plan, source, cells, bounds);
  const given = 'problem' in read ? read : replaceText(target, read.value, bounds);
  if ('problem' in given) return given;
  const replaced = replaceValues(target, given.value);
  if ('problem' in replaced) return replaced;
  return spend(budget, lengthOf(replaced.value)) ?? replaced;
}

/** The items of several columns, each once. */
function joinedItems(
  plan: ImportPlan,
  parts: readonly Target[],
  cells: Cells,
  budget: TextBudget,
): Parsed {
  const items = new Set<unknown>();
  for (const part of parts) {
    const read = cellValue(plan, part, cells, budget);
    if ('problem' in read) return read;
    const { value } = read;
    for (const item of value === null ? [] : (itemsOf(part, value) ?? [value])) items.add(item);
  }
  return { value: items.size === 0 ? null : [...items] };
}

/** Every occurrence, in text and in the items of a list. */
function replaceText({ replace }: Target, value: unknown, bounds: TextBounds): Parsed {
  if (replace.length === 0) return { value };
  if (typeof value === 'string') return replaceWithin(replace, value, bounds);
  if (!Array.isArray(value)) return { value };
  const items: unknown[] = [];
  for (const item of value) {
    const made = typeof item === 'string' ? replaceWithin(replace, item, bounds) : { value: item };
    if ('problem' in made) return made;
    items.push(made.value);
  }
  return { value: items };
}

/** Words of the mapping become their values, and words of options the options that they mean. */
function replaceValues(target: Target, given: unknown): Parsed {
  const { values, field } = target;
  const options = WORDED.has(field.type) ? (field.rules.options ?? []) : [];
  if (values.size === 0 && options.length === 0) return { value: emptyToNull(given) };
  const wordOf = (item: unknown): Parsed => {
    const text = textOf(item);
    if (!isStructure(item) && values.has(text)) return { value: emptyToNull(values.get(text)) };
    if (typeof item !== 'string' || item === '') return { value: emptyToNull(item) };
    const [option, ...others] = namedOptions(options, item);
    if (others.length === 0) return { value: option?.value ?? item };
    const meant = [option, ...others].map((one) => describe(one)).join(' or ');
    return problem(say('import_word_ambiguous', { options: meant }));
  };
  const whole = wordOf(given);
  const isWord =
    'problem' in whole || whole.value !== given || options.some(({ value }) => value === given);
  const items = isWord && !isStructure(given) ? undefined : itemsOf(target, given);
  if (items === undefined) return whole;
  const replaced: unknown[] = [];
  for (const item of items) {
    const one = wordOf(item);
    if ('problem' in one) return one;
    if (one.value !== null) replaced.push(one.value);
  }
  return { value: replaced };
}

/** Types whose values are options that people see by their labels. */
const WORDED: ReadonlySet<string> = new Set(['select', 'multi_select']);

type Options = NonNullable<Target['field']['rules']['options']>;
const words = new WeakMap<Options, Map<string, Options>>();
const MOST_WORDS = 10_000;

/** A file repeats its words. */
function namedOptions(options: Options, word: string): Options {
  const known = words.get(options) ?? new Map<string, Options>();
  words.set(options, known);
  if (known.size >= MOST_WORDS) known.clear();
  const named = known.get(word) ?? optionsNamed(options, word);
  known.set(word, named);
  return named;
}

function describe(option: Options[number] | undefined): string {
  const { value = '', label = value } = option ?? {};
  return `${JSON.stringify(value)} (${label})`;
}

/** About as many characters as the value has as JSON; a list may hold the same long text many times. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!isStructure(value)) return 0;
  if (!Array.isArray(value)) return JSON.stringify(value).length;
  return value.reduce((sum: number, item) => sum + 1 + lengthOf(item), 0);
}

/** The items of a list; undefined when the value of this target is none. */
export function itemsOf(
  { field, separator }: Target,
  value: unknown,
): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const isList = FIELD_TYPE_TRAITS[field.type].isList || field === MENTIONS_FIELD;
  return isList && typeof value === 'string' ? splitOptions(value, separator) : undefined;
}

function readSource(
  plan: ImportPlan,
  source: Exclude<Target['source'], { kind: 'parts' }>,
  cells: Cells,
  bounds: TextBounds,
): Parsed {
  if (source.kind === 'constant') return { value: source.value };
  if (source.kind === 'column') return { value: readCell(cells, source.column) };
  // A template may name a column many times.
  const texts = new Map<string, string>();
  const read = (column: string) => {
    const text = texts.get(column) ?? columnText(plan, cells, column);
    texts.set(column, text);
    return text;
  };
  const made = templateTexts(source.parts, read);
  const areExact = [...texts.keys()].every((column) => isExact(readCell(cells, column)));
  return areExact ? joinWithin(made, '', bounds) : LOST_DIGITS;
}

export const LOST_DIGITS = problem(say('must_be_below_1e15_with_digits', { digits: 15 }));

/** False when the value has a number that a double does not keep (json-text.ts): its digits are lost. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

function columnText(plan: ImportPlan, cells: Cells, column: string): string {
  const text = textOf(readCell(cells, column));
  const replaced = plan.replacements.get(column);
  return replaced?.has(text) ? textOf(replaced.get(text)) : text;
}

/** A column by its name; `a.b` also means the property b of the JSON object in a. */
export function readCell(cells: Cells, column: string): unknown {
  if (cells.has(column) || !column.includes('.')) return cells.get(column) ?? null;
  const [first = '', ...path] = column.split('.');
  return path.reduce<unknown>((value, key) => {
    const isProperty = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isProperty ? (value as Record<string, unknown>)[key] : null;
  }, cells.get(first) ?? null);
}

function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The value as a text: JSON of lists and objects, '' without a value. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return isStructure(value) ? JSON.stringify(value) : String(value);
}

function emptyToNull(value: unknown): unknown {
  return value === '' || value === undefined ? null : value;
}

/** Moments of local times and days of moments, by time zone and time. */
export type ZonedValues = ReadonlyMap<string, ReadonlyMap<string, Parsed>>;

/** Applies `time`, `round`, `format` and `timezone` of the mapping; `zoned` has those of `zonedTimeOf`. */
export function convertByMapping(target: Target, value: unknown, zoned: ZonedValues): Parsed {
  const { field, time, places, timezone } = target;
  if (time !== undefined) {
    const moment = parseEpoch(value, time);
    const isDay = FIELD_TYPE_TRAITS[field.type].time === 'day';
    return isDay && 'value' in moment ? { value: String(moment.value).slice(0, 10) } : moment;
  }
  if (typeof value === 'string' && FIELD_TYPE_TRAITS[field.type].time !== undefined) {
    const given = zonedTimeOf(target, value);
    const made = given === undefined ? undefined : zoned.get(timezone ?? '')?.get(given);
    return made ?? dayOf(target, readTime(target, value));
  }
  if (places === undefined || !isNumeral(value)) return { value };
  return { value: roundDecimal(String(value).trim(), places) ?? value };
}

/**
 * The time in the value that the time zone of the target makes a moment, or the moment of which it makes a day; undefined
 * when there is none.
 */
export function zonedTimeOf(target: Target, value: unknown): string | undefined {
  const { field, timezone } = target;
  if (timezone === undefined || typeof value !== 'string') return undefined;
  const { time } = FIELD_TYPE_TRAITS[field.type];
  if (time === undefined) return undefined;
  const written = readTime(target, value);
  if ('problem' in written) return undefined;
  const text = readTimeCell(String(written.value));
  return time === 'moment' ? localTimeIn(text) : momentIn(text);
}

/** A mapping with a time zone takes times for days: of a time without an offset the day that it has. */
function dayOf({ field, timezone }: Target, written: Parsed): Parsed {
  const isDay = timezone !== undefined && FIELD_TYPE_TRAITS[field.type].time === 'day';
  if (!isDay || 'problem' in written) return written;
  const local = localTimeIn(readTimeCell(String(written.value)));
  return local === undefined ? written : { value: local.slice(0, 10) };
}

function readTime({ format, firstYear }: Target, text: string): Parsed {
  if (format === undefined) return { value: text };
  const value = readFormatted(format, text, firstYear);
  if (value !== undefined) return { value };
  return problem(
    say('must_have_form', { what: format.hasTime ? 'time' : 'date', form: format.text }),
  );
}

function isNumeral(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

/** Give text the type of its field; `value` is not null. */
export function convertValue(
  target: Pick<Target, 'field' | 'longest' | 'separator'>,
  value: unknown,
): Parsed {
  const { field, longest, separator } = target;
  const { joinsItems, readCell, textual } = FIELD_TYPE_TRAITS[field.type];
  if (Array.isArray(value) && joinsItems) return joinItems(value, separator ?? '; ', longest);
  // A number or truth of JSON is the text that a CSV file would have.
  const isPlain = typeof value === 'boolean' || typeof value === 'number';
  if (textual && isPlain && isExact(value)) return { value: String(value) };
  return typeof value === 'string' ? readCell(value, separator) : { value };
}

/** null when the list is empty; a value that is not a scalar is written as JSON. */
function joinItems(items: readonly unknown[], separator: string, longest: number): Parsed {
  const texts = items.map(textOf).filter((text) => text !== '');
  if (texts.length === 0) return { value: null };
  return joinWithin(texts, separator, { longest, budget: openTextBudget() });
}
