// Binds a mapping to a workspace and to the header of a file: every name becomes a field, an object
// or a column, and what cannot be is refused, all of it at once.

import { LIMITS } from '../limits.ts';
import { FIELD_TYPE_TRAITS } from '../model/field-types.ts';
import {
  type Field,
  type ObjectModel,
  PUBLIC_ID_KEY,
  TYPE_KEY,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../model/model.ts';
import { isNoteColumn } from '../model/reject-text.ts';
import { AUTHOR_FIELD } from '../plan/write-fields.ts';
import { MENTIONS_FIELD } from './comment-fields.ts';
import { type Conversions, type Mapping, refuseMapping } from './mapping.ts';
import {
  isPseudoObject,
  missing,
  type Report,
  requireTargets,
  type Subject,
  subjectOf,
} from './row-subject.ts';
import { parseTemplate, type TemplatePart, templateColumns } from './template.ts';

/** Where the value of a field comes from. */
export type TargetSource =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }
  | { readonly kind: 'constant'; readonly value: unknown };

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
  readonly user: 'email' | 'name' | undefined;
  /**
   * In place of what is looked up and not found; null: nothing, undefined: a problem of the row.
   */
  readonly fallback: unknown;
  readonly separator: string | undefined;
  /** Replacements of text, one after the other. */
  readonly replace: readonly { readonly text: string; readonly with: string }[];
  /** Numbers of these since 1970 stand for times. */
  readonly time: 'seconds' | 'milliseconds' | undefined;
  /** Decimal places that numbers are rounded to. */
  readonly places: number | undefined;
  /** Code units of a text that the mapping makes: a longer one no field takes. */
  readonly longest: number;
}

export interface ImportPlan {
  readonly model: WorkspaceModel;
  /** With the fields that the rows can give: those of records, of comments or of links. */
  readonly object: ObjectModel;
  readonly subject: Subject;
  /** Fields that identify a record; none: each row is a record of its own. */
  readonly match: readonly Field[];
  /**
   * Makes the id of a row's record when nothing in the row identifies it; undefined for the
   * others.
   */
  readonly idOfLine: ((line: number) => string) | undefined;
  /** True: what the file says of statuses is left out. */
  readonly noStatus: boolean;
  /** True when values have the types of JSON; else they are text. */
  readonly typed: boolean;
  /** undefined: the columns of each row go to their namesakes. */
  readonly targets: readonly Target[] | undefined;
  /** Replacements by column, for templates. */
  readonly replacements: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** Columns of the file that go nowhere. */
  readonly unused: readonly string[];
}

/** System fields an import may write. */
const IMPORTED = new Set([
  'id',
  'status',
  'owner_user_id',
  'created_at',
  'updated_at',
  PUBLIC_ID_KEY,
]);

/** `columns`: the header, undefined for JSON lines. Throws an operator error with every problem. */
export function compileMapping(
  model: WorkspaceModel,
  mapping: Mapping,
  columns: readonly string[] | undefined,
  path: string,
): Omit<ImportPlan, 'noStatus'> {
  const { object, subject } = subjectOf(model, mapping, path);
  const problems: string[] = [];
  const report: Report = (at, problem) => problems.push(`${at}: ${problem}`);
  const targets = compileTargets(model, object, writtenColumns(mapping, columns), report);
  const made = compileMade(model, object, mapping.fields ?? {}, report);
  const match = mapping.match ?? [];
  const all = targets && [...targets, ...made].map((target) => ownReference(target, object, match));
  if (targets === undefined && made.length > 0) {
    report('fields', 'needs "columns" when the file is JSON lines');
  }
  refuseRepetitions(all ?? [], report);
  const sources = columnsOf(all ?? []);
  if (columns !== undefined) {
    for (const { column, at } of sources) {
      if (!columns.includes(column)) report(at, missing('column of the file', column, columns));
    }
  }
  const matched = compileMatch(object, match, all, report);
  requireTargets(subject, all, report);
  if (problems.length > 0) throw refuseMapping(path, problems);
  const used = new Set(sources.map(({ column }) => column));
  const unused = (columns ?? []).filter((column) => !used.has(column) && !isNoteColumn(column));
  const replacements = replacementsOf(all ?? []);
  const about = { model, object, subject, match: matched };
  const typed = columns === undefined;
  return { ...about, idOfLine: undefined, typed, targets: all, replacements, unused };
}

/** Whoever keeps ids may refer to a record of the same file that comes later, by its id. */
export function ownReference(
  target: Target,
  object: ObjectModel,
  match: readonly string[],
): Target {
  const { field, lookup } = target;
  if (match[0] !== 'id' || lookup !== undefined || isPseudoObject(object)) return target;
  if (!isReferenceTo(field, object.object_type)) return target;
  return { ...target, lookup: { object, field: object.fields.get('id') as Field } };
}

/** The target of a column that has the name of its field, or what is wrong with that. */
export function namesakeTarget(object: ObjectModel, column: string): Target | string {
  const key = column.replace(/^custom_fields\./, '');
  const field = findField(object, key);
  if (typeof field === 'string') return field;
  const source = { kind: 'column', column } as const;
  return { field, source, ...AS_IT_IS, longest: longestOf(field) };
}

const AS_IT_IS = Object.freeze({
  values: new Map<string, unknown>(),
  lookup: undefined,
  user: undefined,
  fallback: undefined,
  separator: undefined,
  replace: [],
  time: undefined,
  places: undefined,
});

/**
 * The columns of the mapping; without any, those of the header; undefined when there is neither.
 */
function writtenColumns(
  mapping: Mapping,
  columns: readonly string[] | undefined,
): Mapping['columns'] {
  if (mapping.columns !== undefined || columns === undefined) return mapping.columns;
  const made = Object.keys(mapping.fields ?? {});
  const rest = columns.filter((column) => !made.includes(column) && !isNoteColumn(column));
  return Object.fromEntries(rest.map((column) => [column, [{ field: column }]]));
}

function compileTargets(
  model: WorkspaceModel,
  object: ObjectModel,
  columns: Mapping['columns'],
  report: Report,
): readonly Target[] | undefined {
  if (columns === undefined) return undefined;
  return Object.entries(columns).flatMap(([column, list]) =>
    list.flatMap(({ field: name, ...conversions }) => {
      const at = `columns.${column}`;
      const source = { kind: 'column', column } as const;
      return compileTarget({ model, object, at, report }, name, source, conversions);
    }),
  );
}

function compileMade(
  model: WorkspaceModel,
  object: ObjectModel,
  fields: NonNullable<Mapping['fields']>,
  report: Report,
): readonly Target[] {
  return Object.entries(fields).flatMap(([name, { template, constant, ...conversions }]) => {
    const at = `fields.${name}`;
    const scope = { model, object, at, report };
    if ((template === undefined) === (constant === undefined)) {
      report(at, 'needs either a template or a constant');
      return [];
    }
    if (template === undefined) {
      return compileTarget(scope, name, { kind: 'constant', value: constant }, conversions);
    }
    const parts = parseTemplate(template);
    if (typeof parts !== 'string') {
      return compileTarget(scope, name, { kind: 'template', parts }, conversions);
    }
    report(`${at}.template`, parts);
    return [];
  });
}

interface Scope {
  readonly model: WorkspaceModel;
  readonly object: ObjectModel;
  readonly at: string;
  readonly report: Report;
}

function compileTarget(
  scope: Scope,
  name: string,
  source: TargetSource,
  conversions: Conversions,
): readonly Target[] {
  const { object, at, report } = scope;
  const field = findField(object, name.replace(/^custom_fields\./, ''));
  if (typeof field === 'string') {
    report(at, field);
    return [];
  }
  checkConversions(scope, field, conversions);
  const { user, separator, fallback, replace = [], time, round = false, values = {} } = conversions;
  const lookup = compileLookup(scope, field, conversions.lookup);
  const places = round ? placesOf(field) : undefined;
  // What is a key of `values` may be longer than what it becomes.
  const longest = conversions.values === undefined ? longestOf(field) : LONGEST;
  const how = { lookup, user, fallback, separator, replace, time, places, longest };
  return [{ field, source, values: new Map(Object.entries(values)), ...how }];
}

const LONGEST = 2 * LIMITS.longTextLength;

/** A character has two code units at most. */
function longestOf({ type, rules }: Field): number {
  return 2 * (rules.maxLength ?? FIELD_TYPE_TRAITS[type].defaultMaxLength ?? LIMITS.longTextLength);
}

/** How many decimal places the values of a field have; undefined: any number. */
function placesOf({ type, rules }: Field): number | undefined {
  return rules.scale ?? FIELD_TYPE_TRAITS[type].places;
}

function checkConversions({ at, report }: Scope, field: Field, conversions: Conversions): void {
  const { user, separator, fallback, time, round = false } = conversions;
  const isUser = FIELD_TYPE_TRAITS[field.type].refersTo === 'user';
  if (time !== undefined && FIELD_TYPE_TRAITS[field.type].time === undefined) {
    report(`${at}.time`, `${field.key} is a ${field.type} field, not a date or a time`);
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
  if (fallback !== undefined && !isUser && conversions.lookup === undefined) {
    report(`${at}.fallback`, 'is for what is not found: it needs a user field or lookup');
  }
}

function takesLists(field: Field): boolean {
  const { isList, joinsItems } = FIELD_TYPE_TRAITS[field.type];
  return isList || joinsItems || field === MENTIONS_FIELD;
}

function isReferenceTo({ type, reference_object_type }: Field, objectType: string): boolean {
  return FIELD_TYPE_TRAITS[type].refersTo === 'record' && reference_object_type === objectType;
}

/** The field of this key if an import may write it, or what is wrong with the key. */
function findField(object: ObjectModel, key: string): Field | string {
  if (key === AUTHOR_FIELD.key && !isPseudoObject(object)) return AUTHOR_FIELD;
  const field = object.fields.get(key);
  if (field === undefined) {
    return missing(`field of ${object.object_type}`, key, [...object.fields.keys()]);
  }
  return field.system && !IMPORTED.has(key) ? `${key} is set by the service itself` : field;
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

function isIdentifying(field: Field): boolean {
  const { operators, isList } = FIELD_TYPE_TRAITS[field.type];
  return operators.includes('in') && field.storage === 'physical' && !isList;
}

function compileMatch(
  object: ObjectModel,
  keys: readonly string[],
  targets: readonly Target[] | undefined,
  report: Report,
): readonly Field[] {
  if (isPseudoObject(object)) {
    if (keys.length > 0) report('match', 'comments and links are known by what they belong to');
    return [];
  }
  const names = targets?.map(({ field }) => field.key);
  const keepsIds = keys.join() === 'id';
  if (!keepsIds && (keys.includes('id') || names?.includes('id') === true)) {
    report('id', 'identifies records by itself: match by it alone, or leave its column out');
  }
  const isByType = object.object_type === WORK_ITEMS && keys.length > 0 && !keepsIds;
  if (isByType && names?.includes(TYPE_KEY) === false) {
    report('match', `work items are matched within their type: a column must give ${TYPE_KEY}`);
  }
  return keys.flatMap((key) => {
    const field = findField(object, key);
    if (typeof field === 'string') report('match', field);
    else if (field === AUTHOR_FIELD || !isIdentifying(field)) {
      report('match', `${key} cannot be compared`);
    } else if (targets !== undefined && !targets.some((target) => target.field === field)) {
      report('match', `no column gives ${key}`);
    } else return [field];
    return [];
  });
}

function refuseRepetitions(targets: readonly Target[], report: Report): void {
  const seen = new Set<Field>();
  for (const { field } of targets) {
    if (seen.has(field)) report(field.key, 'is written more than once');
    seen.add(field);
  }
}

function columnsOf(
  targets: readonly Target[],
): readonly { readonly column: string; readonly at: string }[] {
  return targets.flatMap(({ source, field }) => {
    if (source.kind === 'column') {
      return [{ column: source.column, at: `columns.${source.column}` }];
    }
    const named = source.kind === 'template' ? templateColumns(source.parts) : [];
    return named.map((column) => ({ column, at: `fields.${field.key}.template` }));
  });
}

/** A column that replaces values does so in templates too. */
function replacementsOf(targets: readonly Target[]): ImportPlan['replacements'] {
  return new Map(
    targets.flatMap(({ source, values }) =>
      source.kind === 'column' && values.size > 0 ? [[source.column, values] as const] : [],
    ),
  );
}
