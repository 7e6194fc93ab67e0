// Makes one write operation of each row, or says why it cannot: values are converted, people and
// records are found by what the file calls them. Nothing is written here.

import { FIELD_TYPE_TRAITS } from '../model/field-types.ts';
import { type Field, WORK_ITEMS } from '../model/model.ts';
import { AUTHOR_KEY } from '../plan/write-fields.ts';
import type { WriteOperation } from '../plan/write-plan.ts';
import { cellValue, convertValue } from './cell-values.ts';
import {
  type ImportPlan,
  type Lookup,
  namesakeTarget,
  type Target,
  TYPE_KEY,
} from './compile-mapping.ts';
import type { SourceRow } from './read-rows.ts';
import {
  canonicalValue,
  type RecordFinder,
  type Resolution,
  type Resolutions,
} from './record-lookup.ts';

/** What is wrong with a row; `field` as the mapping names it, '' for the row as a whole. */
export interface RowProblem {
  readonly field: string;
  readonly reason: string;
}

/** A field whose record is not there yet, and the value that names it. */
export interface Unfound {
  readonly target: Target;
  readonly value: string;
}

export interface BuiltRow {
  readonly row: SourceRow;
  /** Says which record a match finds; undefined when there is no match. */
  readonly key: string | undefined;
  readonly operation: WriteOperation;
  readonly values: ReadonlyMap<Target, unknown>;
  readonly problems: readonly RowProblem[];
  /** References to records of the same object that were not found, left out of `operation`. */
  readonly unfound: readonly Unfound[];
}

export interface RowScope {
  readonly plan: ImportPlan;
  readonly finder: RecordFinder;
  readonly people: Readonly<Partial<Record<'email' | 'name', Resolutions>>>;
}

/** Build some rows at once, with one look-up for each object they refer to. */
export async function buildRows(
  scope: RowScope,
  rows: readonly SourceRow[],
): Promise<readonly BuiltRow[]> {
  const drafts = rows.map((row) => draftRow(scope.plan, row));
  const found = await findRecords(scope.finder, drafts);
  return drafts.map((draft) => buildRow(scope, draft, found));
}

/** How messages and the reject file call a field. */
export function fieldName(field: Field): string {
  return field.storage === 'jsonb' ? `custom_fields.${field.key}` : field.key;
}

interface Draft {
  readonly row: SourceRow;
  /** Values as the file has them, after replacements; null when empty. */
  readonly given: ReadonlyMap<Target, unknown>;
  readonly problems: readonly RowProblem[];
}

function draftRow(plan: ImportPlan, row: SourceRow): Draft {
  if (row.problem !== undefined) {
    return { row, given: new Map(), problems: [{ field: '', reason: row.problem }] };
  }
  if (plan.targets !== undefined) {
    const given = plan.targets.map(
      (target) => [target, cellValue(plan, target, row.cells)] as const,
    );
    return { row, given: new Map(given), problems: [] };
  }
  const custom = row.cells.get('custom_fields') ?? {};
  const given = new Map<Target, unknown>();
  const problems: RowProblem[] = [];
  if (typeof custom !== 'object' || Array.isArray(custom)) {
    problems.push({ field: 'custom_fields', reason: 'The value must be an object.' });
  }
  const nested = problems.length > 0 ? [] : Object.entries(custom);
  const direct = [...row.cells].filter(([column]) => column !== 'custom_fields');
  for (const [column, value] of [...direct, ...nested]) {
    const target = namesake(plan, column);
    if (typeof target === 'string') problems.push({ field: column, reason: sentence(target) });
    else given.set(target, value === '' ? null : value);
  }
  return { row, given, problems };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('?') ? '' : '.'}`;
}

const namesakes = new WeakMap<ImportPlan, Map<string, Target | string>>();

/** The same target for every row, so that targets can be compared. */
function namesake(plan: ImportPlan, column: string): Target | string {
  const known = namesakes.get(plan) ?? new Map<string, Target | string>();
  namesakes.set(plan, known);
  const target = known.get(column) ?? namesakeTarget(plan.object, column);
  known.set(column, target);
  return target;
}

async function findRecords(
  finder: RecordFinder,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<Lookup, Resolutions>> {
  const wanted = new Map<Lookup, Set<unknown>>();
  for (const { given } of drafts) {
    for (const [{ lookup }, value] of given) {
      if (lookup === undefined || value === null) continue;
      wanted.set(lookup, (wanted.get(lookup) ?? new Set()).add(value));
    }
  }
  const found = new Map<Lookup, Resolutions>();
  for (const [lookup, values] of wanted) found.set(lookup, await finder.find(lookup, [...values]));
  return found;
}

function buildRow(
  scope: RowScope,
  draft: Draft,
  found: ReadonlyMap<Lookup, Resolutions>,
): BuiltRow {
  const { plan } = scope;
  const values = new Map<Target, unknown>();
  const problems = [...draft.problems];
  const unfound: Unfound[] = [];
  for (const [target, given] of draft.given) {
    if (given === null) {
      if (!KEPT_WHEN_EMPTY.has(target.field.key)) values.set(target, null);
      continue;
    }
    const value = resolveValue(scope, target, given, found);
    if (typeof value === 'string') problems.push({ field: fieldName(target.field), reason: value });
    else if ('unfound' in value) unfound.push({ target, value: value.unfound });
    else values.set(target, value.value);
  }
  const { row } = draft;
  const key = problems.length > 0 ? undefined : matchKey(plan, values, problems);
  return { row, key, operation: operationOf(plan, values), values, problems, unfound };
}

/** An empty cell clears a field; these cannot be empty, so it leaves them as they are. */
const KEPT_WHEN_EMPTY = new Set(['status', 'created_at', AUTHOR_KEY]);

type Resolved = { readonly value: unknown } | { readonly unfound: string } | string;

/** The value for the write path, or the reason why there is none. */
function resolveValue(
  { plan, people }: RowScope,
  { field, lookup, user, separator }: Target,
  given: unknown,
  found: ReadonlyMap<Lookup, Resolutions>,
): Resolved {
  if (lookup !== undefined) {
    const canonical = canonicalValue(lookup.field, given) ?? '';
    const resolution = found.get(lookup)?.get(canonical) ?? 'missing';
    const isLater = resolution === 'missing' && lookup.object === plan.object && canonical !== '';
    if (isLater) return { unfound: canonical };
    return resolved(resolution, recordReason(lookup, given, resolution));
  }
  if (user !== undefined) {
    const name = String(given).trim();
    const resolution = people[user]?.get(user === 'email' ? name.toLowerCase() : name) ?? 'missing';
    const kind = user === 'email' ? 'e-mail' : 'name';
    const many =
      resolution === 'ambiguous' ? 'More than one active person has' : 'No active person has';
    return resolved(resolution, `${many} the ${kind} ${quoted(given)}.`);
  }
  const converted = convertValue(field, given, separator);
  return 'problem' in converted ? `The value ${converted.problem}.` : converted;
}

function resolved(resolution: Resolution, reason: string): Resolved {
  return typeof resolution === 'object' ? { value: resolution.id } : reason;
}

/** Why a look-up has no answer. */
export function recordReason(
  { object, field }: Lookup,
  given: unknown,
  resolution: Resolution,
): string {
  const many = resolution === 'ambiguous' ? 'More than one' : 'No';
  return `${many} ${object.singular_name} has the ${field.key} ${quoted(given)}.`;
}

function quoted(value: unknown): string {
  return JSON.stringify(value).slice(0, 200);
}

/** The values of the match in canonical form; what cannot match is a problem of the row. */
function matchKey(
  { match }: ImportPlan,
  values: ReadonlyMap<Target, unknown>,
  problems: RowProblem[],
): string | undefined {
  if (match.length === 0) return undefined;
  const byField = new Map([...values].map(([target, value]) => [target.field, value]));
  const key = match.map((field) => {
    const value = byField.get(field) ?? null;
    const parsed =
      value === null ? { value } : FIELD_TYPE_TRAITS[field.type].parse(value, field.rules);
    if ('problem' in parsed) {
      problems.push({ field: fieldName(field), reason: `The value ${parsed.problem}.` });
    } else if (parsed.value === null) {
      const reason = 'The value must not be empty: records are matched by it.';
      problems.push({ field: fieldName(field), reason });
    } else return parsed.value;
    return null;
  });
  return JSON.stringify(key);
}

function operationOf(plan: ImportPlan, values: ReadonlyMap<Target, unknown>): WriteOperation {
  const { object, match } = plan;
  const matched = new Set(match);
  const entries = [...values].map(([{ field }, value]) => [field, value] as const);
  const fields = fieldValues(entries.filter(([field]) => !matched.has(field)));
  if (match.length === 0) return { action: 'create', fields };
  const isWorkItem = object.object_type === WORK_ITEMS;
  const target = isWorkItem ? String(fields[TYPE_KEY] ?? '') : object.object_type;
  const keys = entries.filter(([field]) => matched.has(field));
  return { action: 'upsert', target, match: fieldValues(keys), fields };
}

/** The `fields` of a write; custom fields stand in `custom_fields`. */
export function fieldValues(
  entries: readonly (readonly [field: Field, value: unknown])[],
): Readonly<Record<string, unknown>> {
  const direct = entries.filter(([field]) => field.storage === 'physical');
  const custom = entries.filter(([field]) => field.storage === 'jsonb');
  const named = (list: typeof entries) =>
    Object.fromEntries(list.map(([field, value]) => [field.key, value]));
  return custom.length === 0 ? named(direct) : { ...named(direct), custom_fields: named(custom) };
}
