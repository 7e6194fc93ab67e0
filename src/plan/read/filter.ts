// Filters: from what a client sent (brackets in a query string, an object in a body) to typed
// conditions on fields the caller may read. Every problem is collected. Trees of them are in where.ts.

import { type Problems, shownName } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import {
  FILTER_OPERATORS,
  type FilterOperator,
  type WhereOperator,
} from '../../model/values/field-type.ts';
import { isStorableText } from '../../model/values/storable-text.ts';
import type { PlannedField } from './resolve-field.ts';

/** One `filter[field][operator]=value` of a query string, already split at its brackets. */
export interface QueryFilter {
  readonly param: string;
  readonly path: readonly string[];
  readonly value: string;
}

/** A condition of known form whose field and value are not resolved yet. */
export interface ConditionInput {
  /** The client's name of it. */
  readonly param: string;
  readonly field: string;
  /** The key of the reference that leads to the object of the field. */
  readonly through?: string;
  readonly op: WhereOperator;
  readonly value: unknown;
  /** True when the value is text from a query string and takes the field's type. */
  readonly text: boolean;
  /** The time zone of a condition in a `where`, which can express more than a filter. */
  readonly extended?: { readonly timezone: string };
}

/** A condition on one field; `value` is canonical: an array for `in`, a boolean for `is_null`. */
export interface Condition {
  readonly field: PlannedField;
  readonly op: WhereOperator;
  readonly value: unknown;
  /** The value as it was said, where it depends on the caller. */
  readonly said?: unknown;
}

/** Note something wrong inside of a filter. */
export function refuse(problems: Problems, param: string, message: Message): void {
  problems.push({ param, code: 'invalid_filter', message });
}

function isOperator(name: unknown): name is FilterOperator {
  return (FILTER_OPERATORS as readonly unknown[]).includes(name);
}

const OPERATOR_LIST = FILTER_OPERATORS.join(', ');
const OBJECT_AS_TEXT = /^\s*\{\s*['"]?(?:eq|ne|lt|lte|gt|gte|in|is_null)['"]?\s*:/;
/** An object that a client in JavaScript has not serialised. */
const LOST_OBJECT = /^\[object Object\](?:,|$)/;

const BRACKETS = say('filter_brackets');

/** Parse `filter[…]` parameters (§4.3): operators, repetitions and counts, not yet values. */
export function parseQueryFilters(
  filters: readonly QueryFilter[],
  problems: Problems,
): readonly ConditionInput[] {
  const inputs: ConditionInput[] = [];
  for (const { param, path, value } of filters) {
    const [key, operator = 'eq'] = path;
    if (key === undefined || key === '' || path.length > 2) {
      refuse(problems, param, say('filter_form_short'));
    } else if (!isOperator(operator)) {
      refuse(problems, param, say('operator_unknown', { operators: OPERATOR_LIST }));
    } else if (LOST_OBJECT.test(value) || (path.length === 1 && OBJECT_AS_TEXT.test(value))) {
      refuse(problems, param, BRACKETS);
    } else {
      inputs.push({ param, field: key, op: operator, value, text: true });
    }
  }
  refuseRepetitions(filters, problems);
  refuseTooMany(inputs, 'filter', problems);
  return inputs;
}

function refuseRepetitions(filters: readonly QueryFilter[], problems: Problems): void {
  const seen = new Map<string, Set<string>>();
  for (const { param, path } of filters) {
    const [key = '', operator = ''] = path;
    const operators = seen.get(key) ?? new Set();
    const mixed = operators.size > 0 && (operator === '' || operators.has(''));
    if (operators.has(operator) || mixed) refuse(problems, param, say('filter_repeated'));
    seen.set(key, operators.add(operator));
  }
}

function refuseTooMany(inputs: readonly unknown[], param: string, problems: Problems): void {
  if (inputs.length <= LIMITS.filters) return;
  refuse(problems, param, say('too_many_filters', { most: LIMITS.filters }));
}

/** Parse the `filters` object of a body (§4.3): values, null, or operator objects. */
export function parseBodyFilters(
  filters: Readonly<Record<string, unknown>>,
  problems: Problems,
  place = '',
): readonly ConditionInput[] {
  const inputs: ConditionInput[] = [];
  const entries = Object.entries(filters);
  const whole = `${place}filters`;
  // Counted first, because each of too many could be a problem of its own.
  if (entries.length > LIMITS.filters) {
    refuseTooMany(entries, whole, problems);
    return inputs;
  }
  for (const [key, filter] of entries) {
    const param = paramOf(whole, key);
    if (filter === null) {
      inputs.push({ param, field: key, op: 'is_null', value: true, text: false });
    } else if (Array.isArray(filter)) {
      refuse(problems, param, say('filter_form'));
    } else if (typeof filter === 'object') {
      const operators = filter as Record<string, unknown>;
      inputs.push(...parseOperators({ param, key, operators }, problems));
    } else {
      inputs.push({ param, field: key, op: 'eq', value: filter, text: false });
    }
  }
  refuseTooMany(inputs, whole, problems);
  return inputs;
}

interface OperatorObject {
  readonly param: string;
  readonly key: string;
  readonly operators: Readonly<Record<string, unknown>>;
}

function parseOperators(
  { param: name, key, operators }: OperatorObject,
  problems: Problems,
): readonly ConditionInput[] {
  const entries = Object.entries(operators);
  if (entries.length < 1 || entries.length > FILTER_OPERATORS.length) {
    refuse(problems, name, say('filter_operator_missing', { operators: OPERATOR_LIST }));
    return [];
  }
  return entries.flatMap(([op, value]) => {
    const param = paramOf(name, op);
    if (isOperator(op)) return [{ param, field: key, op, value, text: false }];
    refuse(problems, param, say('operator_unknown', { operators: OPERATOR_LIST }));
    return [];
  });
}

/** A malformed key is shortened in the answer: it may have a million characters. */
function paramOf(place: string, name: string): string {
  return `${place}.${shownName(name)}`;
}

const LIST_ITEM = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/** Split at commas; `"…"` quotes one item, `""` inside is a quote. Undefined when malformed. */
export function splitList(text: string): readonly string[] | undefined {
  const items: string[] = [];
  LIST_ITEM.lastIndex = 0;
  for (;;) {
    const match = LIST_ITEM.exec(text);
    if (match === null) return undefined;
    const item = match[1] === undefined ? (match[2] as string) : match[1].replaceAll('""', '"');
    if (item === '') return undefined;
    items.push(item);
    if (match[3] === '') return items;
  }
}

/** The trimmed text of `q`/`query`, undefined when it is empty; bad characters are a problem. */
export function parseTextQuery(
  text: string | undefined,
  param: string,
  problems: Problems,
): string | undefined {
  if (text !== undefined && !isStorableText(text)) {
    problems.push({ param, code: 'validation_failed', message: say('text_not_storable') });
  }
  return text?.trim() || undefined;
}
