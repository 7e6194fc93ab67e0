// Parses `where`: from JSON of any kind to a tree of conditions of known form. Fields and values are checked later
// (planWhere in where.ts). Every problem has the path of the faulty part. Pure.

import { type Problems, shownName, shownNames } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import { WHERE_OPERATORS, type WhereOperator } from '../../model/values/field-type.ts';
import { refuse } from './filter.ts';
import type { WhereInput } from './where.ts';

const GROUPS = ['all', 'any', 'not'] as const;
const PARTS = ['field', 'op', 'value'] as const;
const FORMS = '{"all": […]}, {"any": […]}, {"not": …} or {"field": …, "op": …, "value": …}';

/** Replaces a condition of a view on a field that its reader may not know of (D397). */
export const HIDDEN = Object.freeze({ hidden: true });

/** Replaces a part with a problem; a request with problems is never planned. */
const REFUSED: WhereInput = Object.freeze({ any: Object.freeze([]) });

/**
 * Parse a `where` that a client sent; `param` is its place, such as `where` or `query.where`, `timezone` that of
 * the days and months it names. Problems are `invalid_filter`.
 */
export function parseWhere(
  given: unknown,
  param: string,
  problems: Problems,
  timezone = 'UTC',
): WhereInput {
  const reading: WhereParseState = { problems, timezone, conditions: 0 };
  return parsePart(reading, given, { param, level: 0 });
}

interface WhereParseState {
  readonly problems: Problems;
  readonly timezone: string;
  /** Conditions read so far; beyond the limit the rest is not read. */
  conditions: number;
}

interface PartPosition {
  readonly param: string;
  /** The number of all, any and not around it. */
  readonly level: number;
}

type Given = Readonly<Record<string, unknown>>;

function parsePart(reading: WhereParseState, given: unknown, place: PartPosition): WhereInput {
  const { param } = place;
  if (reading.conditions > LIMITS.conditions) return REFUSED;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return refused(reading, param, say('condition_form', { forms: FORMS }));
  }
  if (isHidden(given)) return refusedHidden(reading, param);
  const named = GROUPS.filter((name) => Object.hasOwn(given, name));
  const [group] = named;
  const known = group === undefined ? PARTS : [group];
  if (!isClosed(reading, given, param, known)) return REFUSED;
  if (group === undefined) return parseCondition(reading, given as Given, param);
  if (place.level >= LIMITS.whereLevels) {
    return refused(reading, param, say('where_too_deep', { most: LIMITS.whereLevels }));
  }
  const within = { param: `${param}.${group}`, level: place.level + 1 };
  const part = (given as Given)[group];
  if (group === 'not') return { not: parsePart(reading, part, within) };
  const parts = parseParts(reading, part, within);
  return group === 'all' ? { all: parts } : { any: parts };
}

function parseParts(
  reading: WhereParseState,
  given: unknown,
  { param, level }: PartPosition,
): readonly WhereInput[] {
  const most = LIMITS.conditions;
  if (!Array.isArray(given) || given.length === 0 || given.length > most) {
    refuse(reading.problems, param, say('condition_list', { most }));
    return [];
  }
  return given.map((part: unknown, index) =>
    parsePart(reading, part, { param: `${param}[${index}]`, level }),
  );
}

function isClosed(
  { problems }: WhereParseState,
  given: object,
  param: string,
  known: readonly string[],
): boolean {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return true;
  const [first = ''] = unknown;
  const message = say('condition_extra', { forms: FORMS, names: shownNames(unknown) });
  refuse(problems, `${param}.${shownName(first)}`, message);
  return false;
}

function parseCondition(reading: WhereParseState, given: Given, param: string): WhereInput {
  reading.conditions += 1;
  if (reading.conditions > LIMITS.conditions) {
    return refused(reading, param, say('too_many_conditions', { most: LIMITS.conditions }));
  }
  const missing = PARTS.filter((name) => !Object.hasOwn(given, name));
  for (const name of missing) {
    refuse(reading.problems, `${param}.${name}`, say('condition_form', { forms: FORMS }));
  }
  const { field, op, value } = given;
  const path =
    missing.length === 0 ? parsePath(field, `${param}.field`, reading.problems) : undefined;
  if (path === undefined) return REFUSED;
  if (!isOperator(op)) {
    const message = say('operator_unknown', { operators: WHERE_OPERATORS.join(', ') });
    return refused(reading, `${param}.op`, message);
  }
  const { timezone } = reading;
  return { param, op, value, text: false, extended: { timezone }, ...path };
}

function isOperator(name: unknown): name is WhereOperator {
  return (WHERE_OPERATORS as readonly unknown[]).includes(name);
}

function isHidden(given: object): boolean {
  return 'hidden' in given && given.hidden === true && Object.keys(given).length === 1;
}

function refusedHidden({ problems }: WhereParseState, param: string): WhereInput {
  problems.push({ param, code: 'permission_denied', message: say('question_hidden_field') });
  return REFUSED;
}

function refused({ problems }: WhereParseState, param: string, message: Message): WhereInput {
  refuse(problems, param, message);
  return REFUSED;
}

/** A key of the object, or one of an object that a reference leads to: `company_id.sector`. */
export interface FieldPath {
  readonly field: string;
  /** The key of the reference. */
  readonly through?: string;
}

/** Split a key at its point; more than one is a problem. */
export function parsePath(
  given: unknown,
  param: string,
  problems: Problems,
): FieldPath | undefined {
  if (typeof given !== 'string' || given === '') {
    refuse(problems, param, say('field_malformed'));
    return undefined;
  }
  const [first = '', second, third] = given.split('.', 3);
  if (second === undefined) return { field: first };
  if (first !== '' && second !== '' && third === undefined)
    return { through: first, field: second };
  refuse(problems, param, say('field_path_malformed'));
  return undefined;
}
