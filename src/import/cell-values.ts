// From a cell of the file to a value for the write path: text becomes the type of its field, JSON
// stays as it is. What is no value of the type is passed on and refused by the write path. Pure.

import { roundDecimal } from '../model/decimals.ts';
import { FIELD_TYPE_TRAITS } from '../model/field-types.ts';
import type { Field } from '../model/model.ts';
import { splitOptions } from '../model/option-list.ts';
import type { Parsed } from '../model/parsed.ts';
import { parseEpoch } from '../model/times.ts';
import { MENTIONS_FIELD } from './comment-fields.ts';
import type { ImportPlan, Target } from './compile-mapping.ts';
import { fillTemplate } from './template.ts';

type Cells = ReadonlyMap<string, unknown>;

/** What the file says for this target, after replacements; null when the cell is empty. */
export function cellValue(plan: ImportPlan, target: Target, cells: Cells): unknown {
  const { source, values } = target;
  const given = replaceText(target, readSource(plan, source, cells));
  if (values.size === 0) return emptyToNull(given);
  const key = textOf(given);
  if (!isStructure(given) && values.has(key)) return emptyToNull(values.get(key));
  const items = itemsOf(target, given);
  if (items === undefined) return emptyToNull(given);
  const replaced = items.map((item) => {
    const text = textOf(item);
    return emptyToNull(values.has(text) ? values.get(text) : item);
  });
  return replaced.filter((item) => item !== null);
}

/** Every occurrence, in text and in the items of a list. */
function replaceText({ replace }: Target, value: unknown): unknown {
  if (replace.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => replacedIn(replace, item));
  return replacedIn(replace, value);
}

function replacedIn(replace: Target['replace'], value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return replace.reduce((text, step) => text.replaceAll(step.text, () => step.with), value);
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

function readSource(plan: ImportPlan, source: Target['source'], cells: Cells): unknown {
  if (source.kind === 'constant') return source.value;
  if (source.kind === 'column') return readCell(cells, source.column);
  return fillTemplate(source.parts, (column) => {
    const text = textOf(readCell(cells, column));
    const replaced = plan.replacements.get(column);
    return replaced?.has(text) ? textOf(replaced.get(text)) : text;
  });
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

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return isStructure(value) ? JSON.stringify(value) : String(value);
}

function emptyToNull(value: unknown): unknown {
  return value === '' || value === undefined ? null : value;
}

/** A number of the file as a time, or rounded, where the mapping says so. */
export function convertNumber({ field, time, places }: Target, value: unknown): Parsed {
  if (time !== undefined) {
    const moment = parseEpoch(value, time);
    const isDay = FIELD_TYPE_TRAITS[field.type].time === 'day';
    return isDay && 'value' in moment ? { value: String(moment.value).slice(0, 10) } : moment;
  }
  if (places === undefined || !isNumeral(value)) return { value };
  return { value: roundDecimal(String(value).trim(), places) ?? value };
}

function isNumeral(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

/** Give text the type of its field; `value` is not null. */
export function convertValue({ type }: Field, value: unknown, separator?: string): Parsed {
  const { joinsItems, readCell } = FIELD_TYPE_TRAITS[type];
  if (Array.isArray(value) && joinsItems) return { value: joinItems(value, separator ?? '; ') };
  return typeof value === 'string' ? readCell(value, separator) : { value };
}

/** null when nothing is left; what is no scalar is written as JSON. */
function joinItems(items: readonly unknown[], separator: string): string | null {
  const texts = items.map(textOf).filter((text) => text !== '');
  return texts.length === 0 ? null : texts.join(separator);
}
