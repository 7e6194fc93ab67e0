// Binds one field of a mapping to the workspace: its source columns and how its value is made. Problems are reported
// with their place.

import { parseTimeFormat, type TimeFormat } from '../../../packages/tables/src/time-formats.ts';
import { hasShortYears } from '../../../packages/tables/src/written-forms.ts';
import { LIMITS } from '../../limits.ts';
import { isImported } from '../../model/definition/matched-object.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { isIdentifying, namingField } from '../../model/definition/naming-field.ts';
import { plainKey } from '../../model/definition/storage-key.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { isTimeZone, TIME_ZONE_PROBLEM } from '../../plan/read/relative-time.ts';
import { AUTHOR_FIELD } from '../../plan/write/write-fields.ts';
import { MENTIONS_FIELD } from '../rows/comment-fields.ts';
import { isPseudoObject, missing, type Report } from '../rows/row-subject.ts';
import type { Conversions } from './mapping.ts';
import type { TemplatePart } from './template.ts';

/** Where the value of a field comes from. */
export type TargetSource =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }
  | { readonly kind: 'constant'; readonly value: unknown }
  /** The items of several columns, for a list. */
  | { readonly kind: 'parts'; readonly parts: readonly Target[] };

export interface Lookup {
  readonly object: ObjectModel;
  readonly field: Field;
}

/** One field that is written, and how its value is made. */
export interface Target {
  readonly field: Field;
  readonly source: TargetSource;
  readonly values: ReadonlyMap<string, unknown>;
  readonly lookup: Lookup | undefined;
  /** Finds a record by a text that is not an id. */
  readonly named: Lookup | undefined;
  readonly user: 'email' | 'name' | undefined;
  /** The value when a look-up finds no record; null: no value, undefined: a problem of the row. */
  readonly fallback: unknown;
  readonly separator: string | undefined;
  /** Replacements of text, one after the other. */
  readonly replace: readonly { readonly text: string; readonly with: string }[];
  /** The unit of numbers that mean times since 1970. */
  readonly time: 'seconds' | 'milliseconds' | undefined;
  /** How the file writes times; undefined: in the unambiguous forms. */
  readonly format: TimeFormat | undefined;
  /** The first of the hundred years that two digits mean. */
  readonly firstYear: number | undefined;
  /** Whose times those without an offset are. */
  readonly timezone: string | undefined;
  /** Decimal places that numbers are rounded to. */
  readonly places: number | undefined;
  /** Code units of a text that the mapping makes: a longer one no field takes. */
  readonly longest: number;
}

/** The target of a column that has the name of its field, or the problem with it. */
export function namesakeTarget(
  { model, object }: Pick<Scope, 'model' | 'object'>,
  column: string,
): Target | string {
  const key = plainKey(column);
  const field = findField(object, key);
  if (typeof field === 'string') return field;
  const source = { kind: 'column', column } as const;
  const named = nameLookup(model, field);
  return { field, source, ...AS_IT_IS, named, longest: longestOf(field) };
}

/** Finds the records of a reference by their names. */
function nameLookup(model: WorkspaceModel, { reference_object_type }: Field): Lookup | undefined {
  const object = model.objects.get(reference_object_type ?? '');
  const field = object && namingField(object);
  return object && field && { object, field };
}

/** The look-up of a value: without one in the mapping, a reference takes ids and names. */
export function lookupOf({ lookup, named }: Target, value: unknown): Lookup | undefined {
  const isId = typeof value === 'string' && parseRecordId(value.trim()) !== undefined;
  return isId ? lookup : (named ?? lookup);
}

const AS_IT_IS = Object.freeze({
  values: new Map<string, unknown>(),
  lookup: undefined,
  user: undefined,
  fallback: undefined,
  separator: undefined,
  replace: [],
  time: undefined,
  format: undefined,
  firstYear: undefined,
  timezone: undefined,
  places: undefined,
});

export interface Scope {
  readonly model: WorkspaceModel;
  readonly object: ObjectModel;
  readonly at: string;
  readonly report: Report;
}

export function compileTarget(
  scope: Scope,
  name: string,
  source: TargetSource,
  conversions: Conversions,
): readonly Target[] {
  const { object, at, report } = scope;
  const field = findField(object, plainKey(name));
  if (typeof field === 'string') {
    report(at, field);
    return [];
  }
  checkConversions(scope, field, conversions);
  const { user, separator, fallback, replace = [], time, round = false, values = {} } = conversions;
  const lookup = compileLookup(scope, field, conversions.lookup);
  const named = lookup === undefined ? nameLookup(scope.model, field) : undefined;
  const places = round ? placesOf(field) : undefined;
  // A key of `values` may be longer than its value.
  const longest = conversions.values === undefined ? longestOf(field) : LONGEST;
  const how = { lookup, named, user, fallback, separator, replace, time, places, longest };
  const written = {
    format: compileFormat(scope, field, conversions),
    firstYear: conversions.first_year,
    timezone: conversions.timezone,
  };
  return [{ field, source, values: new Map(Object.entries(values)), ...how, ...written }];
}

function compileFormat(
  { at, report }: Scope,
  field: Field,
  { time, format, first_year, timezone }: Conversions,
): TimeFormat | undefined {
  if (timezone !== undefined) {
    if (!isTimeZone(timezone)) report(`${at}.timezone`, TIME_ZONE_PROBLEM.text);
    else if (time !== undefined)
      report(`${at}.timezone`, 'is only for times that are not numbers (time)');
  }
  if (first_year !== undefined && !hasShortYears({ format: format ?? '' })) {
    report(`${at}.first_year`, 'needs a format with two digits of the year (YY)');
  }
  if (format === undefined) return undefined;
  if (time !== undefined) report(`${at}.format`, 'is only for times that are not numbers (time)');
  const parsed = parseTimeFormat(format);
  if (typeof parsed === 'string') {
    report(`${at}.format`, parsed);
    return undefined;
  }
  const isMoment = FIELD_TYPE_TRAITS[field.type].time === 'moment';
  if (isMoment && parsed.hasTime && !parsed.hasOffset && timezone === undefined) {
    report(`${at}.format`, 'has no offset (Z), so it needs a timezone');
  }
  return parsed;
}

const LONGEST = 2 * LIMITS.longTextLength;

/** A character has two code units at most. */
function longestOf({ type, rules }: Field): number {
  return 2 * (rules.maxLength ?? FIELD_TYPE_TRAITS[type].defaultMaxLength ?? LIMITS.longTextLength);
}

/** The decimal places of a field's values; undefined: any number. */
function placesOf({ type, rules }: Field): number | undefined {
  return rules.scale ?? FIELD_TYPE_TRAITS[type].places;
}

function checkConversions(
  { model, at, report }: Scope,
  field: Field,
  conversions: Conversions,
): void {
  const { user, separator, fallback, round = false } = conversions;
  const isUser = FIELD_TYPE_TRAITS[field.type].refersTo === 'user';
  for (const key of ['time', 'format', 'first_year', 'timezone'] as const) {
    if (conversions[key] !== undefined && FIELD_TYPE_TRAITS[field.type].time === undefined) {
      report(`${at}.${key}`, `${field.key} is a ${field.type} field, not a date or a time`);
    }
  }
  if (round && placesOf(field) === undefined) {
    report(`${at}.round`, `${field.key} has no scale in the definition`);
  }
  if (user !== undefined && !isUser) {
    report(`${at}.user`, `${field.key} is a ${field.type} field, not a user field`);
  }
  if (separator !== undefined && !takesLists(field)) {
    report(`${at}.separator`, `${field.key} is a ${field.type} field and takes no lists`);
  }
  const isNamed = conversions.lookup !== undefined || nameLookup(model, field) !== undefined;
  if (fallback !== undefined && !isUser && !isNamed) {
    report(`${at}.fallback`, 'needs a user field or a lookup');
  }
}

function takesLists(field: Field): boolean {
  const { isList, joinsItems } = FIELD_TYPE_TRAITS[field.type];
  return isList || joinsItems || field === MENTIONS_FIELD;
}

export function isReferenceTo({ type, reference_object_type }: Field, objectType: string): boolean {
  return FIELD_TYPE_TRAITS[type].refersTo === 'record' && reference_object_type === objectType;
}

/** The field of this key if an import may write it, or the problem with the key. */
export function findField(object: ObjectModel, key: string): Field | string {
  if (key === AUTHOR_FIELD.key && !isPseudoObject(object)) return AUTHOR_FIELD;
  const rollup = object.rollups.get(key);
  const field = object.fields.get(key) ?? rollup;
  if (field === undefined) {
    return missing(`field of ${object.object_type}`, key, [...object.fields.keys()]);
  }
  const isWritten = rollup === undefined && isImported(field);
  return isWritten ? field : `${key} is set by the service itself`;
}

/** True of formulas and rollups, which exports have: a column of their name goes nowhere. */
export function isComputed({ fields, rollups }: ObjectModel, column: string): boolean {
  const key = plainKey(column);
  return rollups.has(key) || (fields.get(key)?.formula ?? null) !== null;
}

function compileLookup(
  { model, at, report }: Scope,
  field: Field,
  lookup: Conversions['lookup'],
): Lookup | undefined {
  if (lookup === undefined) return undefined;
  if (!isReferenceTo(field, lookup.object_type)) {
    report(`${at}.lookup`, `${field.key} is not a reference to ${lookup.object_type}`);
    return undefined;
  }
  const object = model.objects.get(lookup.object_type) as ObjectModel;
  const found = object.fields.get(lookup.field);
  if (found === undefined) {
    const known = [...object.fields.keys()];
    const what = `field of ${object.object_type}`;
    report(`${at}.lookup.field`, missing(what, lookup.field, known));
    return undefined;
  }
  if (isIdentifying(found)) return { object, field: found };
  report(`${at}.lookup.field`, `${found.key} cannot be compared`);
  return undefined;
}
