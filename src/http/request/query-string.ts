// Query strings: scalars and `filter[field][op]=value`, read strictly (D8). It checks syntax only;
// the schema of a route lists its parameters, and the planner interprets filters.

import { type Problem, shownName } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import type { FilterParameter } from '../route/route.ts';

export interface ParsedQuery {
  /** Null prototype, so `__proto__` is a name like any other. */
  readonly values: Record<string, unknown>;
  readonly filters: readonly FilterParameter[];
  readonly problems: readonly Problem[];
}

export interface QueryShape {
  readonly names: ReadonlySet<string>;
  /** Names whose decimal digits become a number. */
  readonly integers: ReadonlySet<string>;
  readonly filters: boolean;
  /** True: parameters of other names are ignored. */
  readonly ignoresOthers?: boolean;
}

/** Sent empty, these count as absent (D40). */
const ABSENT_WHEN_EMPTY: ReadonlySet<string> = new Set(['cursor', 'q', 'fields']);
const FILTER = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/;
const FILTER_LIKE = /^filter(?:$|[[\]])/;
const DIGITS = /^[0-9]{1,16}$/;

const NO_FILTERS: readonly FilterParameter[] = Object.freeze([]);
const NO_PROBLEMS: readonly Problem[] = Object.freeze([]);

/** Parse the text after `?`. Values stay text but for integers; all problems are reported. */
export function parseQueryString(text: string, shape: QueryShape): ParsedQuery {
  const values: Record<string, unknown> = Object.create(null);
  if (text === '') return { values, filters: NO_FILTERS, problems: NO_PROBLEMS };
  const parsed = { values, filters: [] as FilterParameter[], problems: [] as Problem[] };
  const parts = text.split('&', LIMITS.queryParameters + 1);
  if (parts.length > LIMITS.queryParameters) {
    const message = say('too_many_parameters', { most: LIMITS.queryParameters });
    parsed.problems.push({ code: 'validation_failed', message });
    return parsed;
  }
  const seen = new Set<string>();
  for (const part of parts) {
    if (part !== '') parseParameter(part, { shape, seen, parsed });
  }
  return parsed;
}

interface QueryParseState {
  readonly shape: QueryShape;
  readonly seen: Set<string>;
  readonly parsed: {
    values: Record<string, unknown>;
    filters: FilterParameter[];
    problems: Problem[];
  };
}

function parseParameter(part: string, reading: QueryParseState): void {
  const { shape, parsed } = reading;
  const equals = part.indexOf('=');
  const name = decode(equals < 0 ? part : part.slice(0, equals));
  const value = equals < 0 ? '' : decode(part.slice(equals + 1));
  const parameterName = shownName(name ?? part);
  const isFilter = shape.filters && FILTER_LIKE.test(name ?? part);
  if (name === undefined || value === undefined) {
    refuse(parsed.problems, parameterName, { isFilter, message: say('parameter_not_utf8') });
  } else if (value.includes('\0') || name.includes('\0')) {
    refuse(parsed.problems, parameterName, { isFilter, message: say('parameter_with_zero') });
  } else if (isFilter) {
    parseFilter(name, equals < 0 ? undefined : value, parsed);
  } else if (shape.ignoresOthers !== true || shape.names.has(name)) {
    parseScalar(name, value, reading);
  }
}

function parseFilter(
  name: string,
  value: string | undefined,
  parsed: QueryParseState['parsed'],
): void {
  const match = FILTER.exec(name);
  if (match === null || value === undefined) {
    const message = say('filter_spelling');
    refuse(parsed.problems, shownName(name), { isFilter: true, message });
    return;
  }
  const [, field = '', operator] = match;
  const path = operator === undefined ? [field] : [field, operator];
  parsed.filters.push({ param: name, path, value });
}

function parseScalar(name: string, value: string, { shape, seen, parsed }: QueryParseState): void {
  const shown = shownName(name);
  if (!shape.names.has(name)) {
    refuse(parsed.problems, shown, { message: say('parameter_unknown') });
  } else if (seen.has(name)) {
    refuse(parsed.problems, shown, { message: say('parameter_repeated') });
  } else if (value !== '' || !ABSENT_WHEN_EMPTY.has(name)) {
    parsed.values[name] = shape.integers.has(name) ? toInteger(value) : value;
  }
  seen.add(name);
}

/** Decimal digits as an exact number; anything else stays text and fails its schema. */
export function toInteger(text: string): number | string {
  const value = DIGITS.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : text;
}

function refuse(
  problems: Problem[],
  param: string,
  { isFilter = false, message }: { readonly isFilter?: boolean; readonly message: Message },
): void {
  problems.push({ param, code: isFilter ? 'invalid_filter' : 'validation_failed', message });
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
