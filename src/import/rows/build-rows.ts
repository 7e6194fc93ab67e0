// Makes one operation of each row, or reports why it cannot. The values come from resolve-values.ts, the records they
// name are looked up here, many rows at a time. It writes no row.

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { type Field, PUBLIC_ID_KEY, TYPE_KEY, WORK_ITEMS } from '../../model/definition/model.ts';
import { workflowOf } from '../../model/rights/workflow.ts';
import { isNoteColumn } from '../../model/text/reject-text.ts';
import {
  comparedTraits,
  equalityKeyOf,
  FIELD_TYPE_TRAITS,
} from '../../model/values/field-types.ts';
import type { Parsed } from '../../model/values/parsed.ts';
import { AUTHOR_KEY } from '../../plan/write/write-fields.ts';
import type { WriteOperation } from '../../plan/write/write-operation.ts';
import { broughtReference, type ImportPlan, ownReference } from '../mapping/compile-mapping.ts';
import {
  isComputed,
  type Lookup,
  lookupOf,
  namesakeTarget,
  type Target,
} from '../mapping/compile-target.ts';
import { cellValue, textOf, type ZonedValues, zonedTimeOf } from './cell-values.ts';
import { RECORD_KEY } from './comment-fields.ts';
import { type CommentOperation, commentOperation } from './comment-rows.ts';
import { openTextBudget, ROW_BUDGET } from './made-text.ts';
import type { RowProblem, SourceRow } from './read-rows.ts';
import { canonicalValue, type RecordFinder, type Resolutions } from './record-lookup.ts';
import { type LookedUp, quoted, type RowScope, resolveTarget } from './resolve-values.ts';
import { type EmptiedValue, exampleOf, splitProblems } from './row-problems.ts';
import { type Subject, TARGET_KEY } from './row-subject.ts';
import type { ZonedTimes } from './zoned-times.ts';

/** A field whose record is not there yet, and the value that names it. */
export interface PendingReference {
  readonly target: Target;
  readonly value: string;
}

/** The operation of a row: a change of a record, or a comment. */
export type ImportOperation = WriteOperation | CommentOperation;

export interface BuiltRow {
  readonly row: SourceRow;
  /** Characters of the row and of the values made from it. */
  readonly length: number;
  /** Identifies the record of a match, or the comment; undefined when there is no match. */
  readonly key: string | undefined;
  readonly operation: ImportOperation;
  readonly values: ReadonlyMap<Target, unknown>;
  readonly problems: readonly RowProblem[];
  /** Values that name nothing or do not fit, without which the mapping writes the row. */
  readonly emptied: readonly EmptiedValue[];
  /** References to records of the same object that were not found, left out of `operation`. */
  readonly pending: readonly PendingReference[];
  /** Fields of a dry run with a record that an earlier file would make; also left out of changes of records. */
  readonly promised: ReadonlySet<string>;
}

/** Build some rows at once, with one look-up for each object they refer to and each time zone. */
export async function buildRows(
  scope: RowScope,
  drafts: readonly Draft[],
): Promise<readonly BuiltRow[]> {
  const found = {
    records: await findRecords(scope.finder, drafts),
    zoned: await findZoned(scope.zones, drafts),
  };
  return drafts.map((draft) => buildRow(scope, draft, found));
}

/** A row as the mapping reads it. */
export interface Draft {
  readonly row: SourceRow;
  /** Characters of the row and of the values made from it. */
  readonly length: number;
  /** Values as the file has them, after replacements; null when empty. */
  readonly given: ReadonlyMap<Target, unknown>;
  readonly problems: readonly RowProblem[];
}

/** The operation that the mapping makes of the row, before any look-up. */
export function draftRow(plan: ImportPlan, row: SourceRow): Draft {
  const { length } = row.raw;
  if (row.problem !== undefined) {
    return { row, length, given: new Map(), problems: [{ field: '', reason: row.problem }] };
  }
  if (plan.targets === undefined) return { row, length, ...namesakeValues(plan, row) };
  const budget = openTextBudget();
  const given = new Map<Target, unknown>();
  const problems: RowProblem[] = [];
  for (const target of plan.targets) {
    const made = cellValue(plan, target, row.cells, budget);
    if ('value' in made) given.set(target, made.value);
    else
      problems.push({ field: target.field.storage_key, reason: `The value ${made.problem.text}.` });
    if (budget.left < 0) break;
  }
  return { row, length: length + ROW_BUDGET - budget.left, given, problems };
}

function namesakeValues(plan: ImportPlan, { cells }: SourceRow): Pick<Draft, 'given' | 'problems'> {
  const custom = cells.get('custom_fields') ?? {};
  const given = new Map<Target, unknown>();
  const problems: RowProblem[] = [];
  if (typeof custom !== 'object' || Array.isArray(custom)) {
    problems.push({ field: 'custom_fields', reason: 'The value must be an object.' });
  }
  const nested = problems.length > 0 ? [] : Object.entries(custom);
  const direct = [...cells].filter(
    ([column]) =>
      column !== 'custom_fields' && !isNoteColumn(column) && !isComputed(plan.object, column),
  );
  for (const [column, value] of [...direct, ...nested]) {
    if (problems.length === LIMITS.rowProblems) break;
    const target = namesake(plan, column);
    if (typeof target === 'string') problems.push({ field: column, reason: sentence(target) });
    else given.set(target, value === '' && !isTypedJson(plan, target) ? null : value);
  }
  return { given, problems };
}

/** JSON in a JSON line is taken unchanged: an empty text there is a value. */
function isTypedJson({ typed }: ImportPlan, { field }: Target): boolean {
  return typed && FIELD_TYPE_TRAITS[field.type].isAnyJson;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('?') ? '' : '.'}`;
}

const namesakes = new WeakMap<ImportPlan, Map<string, Target | string>>();

/** The target of a column, one for every row, so that targets can be compared. */
function namesake(plan: ImportPlan, column: string): Target | string {
  const known = namesakes.get(plan) ?? new Map<string, Target | string>();
  // Rows of JSON lines may have other names in each line.
  if (known.size > LIMITS.importCells) known.clear();
  namesakes.set(plan, known);
  const found = known.get(column) ?? namesakeTarget(plan, column);
  const match = plan.match.map(({ key }) => key);
  const target =
    typeof found === 'string'
      ? found
      : broughtReference(ownReference(found, plan.object, match), plan.brought);
  known.set(column, target);
  return target;
}

async function findRecords(
  finder: RecordFinder,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<Lookup, Resolutions>> {
  const wanted = new Map<Lookup, Set<unknown>>();
  for (const { given } of drafts) {
    for (const [target, value] of given) {
      for (const one of [value, target.fallback]) {
        const lookup = lookupOf(target, one);
        if (lookup === undefined || value === null || (one ?? null) === null) continue;
        wanted.set(lookup, (wanted.get(lookup) ?? new Set()).add(one));
      }
    }
  }
  const found = new Map<Lookup, Resolutions>();
  for (const [lookup, values] of wanted) found.set(lookup, await finder.find(lookup, [...values]));
  return found;
}

/** The moments and days of times in the rows, and of fallbacks. */
async function findZoned(zones: ZonedTimes, drafts: readonly Draft[]): Promise<ZonedValues> {
  const wanted = new Map<string, Set<string>>();
  for (const { given } of drafts) {
    for (const [target, value] of given) {
      const { timezone = '', fallback } = target;
      for (const text of [value, fallback]) {
        const time = zonedTimeOf(target, text);
        if (time === undefined) continue;
        wanted.set(timezone, (wanted.get(timezone) ?? new Set()).add(time));
      }
    }
  }
  const zoned = new Map<string, ReadonlyMap<string, Parsed>>();
  for (const [zone, times] of wanted) zoned.set(zone, await zones.find(zone, [...times]));
  return zoned;
}

function buildRow(scope: RowScope, draft: Draft, found: LookedUp): BuiltRow {
  const { plan } = scope;
  const values = new Map<Target, unknown>();
  const problems = [...draft.problems];
  const pending: PendingReference[] = [];
  const emptied: EmptiedValue[] = [];
  const promised = new Set<string>();
  for (const [target, given] of draft.given) {
    if (plan.noStatus && target.field.key === 'status') continue;
    const value = given === null ? { value: null } : resolveTarget(scope, target, given, found);
    if ('problem' in value) {
      problems.push({ field: target.field.storage_key, reason: value.problem });
    } else if ('pending' in value) {
      pending.push({ target, value: value.pending });
    } else if ('promised' in value) {
      promised.add(target.field.storage_key);
      values.set(target, value.promised);
    } else {
      const isKept = value.value === null && KEPT_WHEN_EMPTY.has(target.field.key);
      if (!isKept) values.set(target, value.value);
      if (value.isEmptied === true) {
        emptied.push({ field: target.field.storage_key, text: textOf(given) });
      }
    }
  }
  const { row, length, given } = draft;
  if (plan.subject.kind === 'records') checkStatus(plan, values, problems);
  const { rejecting, unfit } = splitProblems(plan, { values }, problems);
  emptied.push(...emptiedOf(plan, { row, values: given }, unfit));
  const fitting = { row, values: valuesWithout(values, unfit), promised };
  const { key, operation } = operationOf(plan, fitting, rejecting);
  return { ...fitting, length, key, operation, problems: rejecting, emptied, pending };
}

/** The row without the values of these fields, given as storage keys. */
export function withoutFields(
  plan: ImportPlan,
  built: BuiltRow,
  fields: ReadonlySet<string>,
): BuiltRow {
  const emptied = [...built.emptied, ...emptiedOf(plan, built, fields)];
  const fitting = { ...built, values: valuesWithout(built.values, fields), emptied };
  return { ...fitting, ...operationOf(plan, fitting, []) };
}

function emptiedOf(
  plan: ImportPlan,
  { row, values }: Pick<BuiltRow, 'row' | 'values'>,
  fields: ReadonlySet<string>,
): readonly EmptiedValue[] {
  const given = (key: string) => [...values].find(([{ field }]) => field.storage_key === key)?.[1];
  return [...fields].map((field) => {
    return { field, text: exampleOf(plan, row, field) ?? textOf(given(field)) };
  });
}

function valuesWithout(
  values: ReadonlyMap<Target, unknown>,
  fields: ReadonlySet<string>,
): ReadonlyMap<Target, unknown> {
  if (fields.size === 0) return values;
  return new Map([...values].filter(([{ field }]) => !fields.has(field.storage_key)));
}

type Given = Pick<BuiltRow, 'row' | 'values' | 'promised'>;

/** An empty cell clears a field; these cannot be empty, so it leaves them as they are. */
const KEPT_WHEN_EMPTY: ReadonlySet<string> = new Set([
  'status',
  'created_at',
  'updated_at',
  AUTHOR_KEY,
  PUBLIC_ID_KEY,
]);

function operationOf(
  plan: ImportPlan,
  row: Given,
  problems: RowProblem[],
): Pick<BuiltRow, 'key' | 'operation'> {
  const { values } = row;
  if (plan.subject.kind === 'links') return linkOperation(plan.subject, values, problems);
  if (plan.subject.kind === 'records') {
    const key = problems.length > 0 ? undefined : matchKey(plan, values, problems);
    return { key, operation: recordOperation(plan, row) };
  }
  const given = new Map([...values].map(([{ field }, value]) => [field, value]));
  // A row that could not be read has no further problems.
  const isReadable = !problems.some(({ field }) => field === '');
  const operation = commentOperation(given, isReadable ? problems : []);
  return { key: operation.comment_id, operation };
}

/** A pair of records; the same pair is linked once. */
function linkOperation(
  { relationship }: Extract<Subject, { kind: 'links' }>,
  values: ReadonlyMap<Target, unknown>,
  problems: RowProblem[],
): Pick<BuiltRow, 'key' | 'operation'> {
  const given = new Map([...values].map(([{ field }, value]) => [field.key, value ?? '']));
  for (const key of [RECORD_KEY, TARGET_KEY]) {
    const isKnown = problems.some(({ field }) => field === key || field === '');
    if (!isKnown && (given.get(key) ?? '') === '') {
      problems.push({ field: key, reason: 'The value must not be empty.' });
    }
  }
  const [id, target_id] = [RECORD_KEY, TARGET_KEY].map((key) => String(given.get(key) ?? ''));
  const operation = { action: 'link', association_id: relationship.id, id, target_id } as const;
  return { key: JSON.stringify([id, target_id]), operation: operation as ImportOperation };
}

/**
 * An import may set any status of the object, but a work item keeps to the workflow of its type.
 */
function checkStatus(
  { model, object }: ImportPlan,
  values: ReadonlyMap<Target, unknown>,
  problems: RowProblem[],
): void {
  const given = new Map([...values].map(([{ field }, value]) => [field.key, value]));
  const [type, status] = [given.get(TYPE_KEY), given.get('status')];
  if (object.object_type !== WORK_ITEMS || type === undefined || status === undefined) return;
  const workflow = workflowOf(model, object, type);
  if (workflow === null || workflow.statuses.has(String(status))) return;
  const { text: reason } = say('import_status_unknown', {
    workflow: workflow.id,
    status: quoted(status),
  });
  problems.push({ field: 'status', reason });
}

/** The equality keys of the match; a value that cannot match is a problem of the row. */
function matchKey(
  plan: ImportPlan,
  values: ReadonlyMap<Target, unknown>,
  problems: RowProblem[],
): string | undefined {
  const { match } = plan;
  if (match.length === 0) return undefined;
  const byField = new Map([...values].map(([target, value]) => [target.field, value]));
  const key = match.map((field) => {
    const value = byField.get(field) ?? null;
    const parsed = value === null ? { value } : comparedTraits(field).parse(value, field.rules);
    if ('problem' in parsed) {
      problems.push({ field: field.storage_key, reason: `The value ${parsed.problem.text}.` });
    } else if (parsed.value === null) {
      const reason = say('import_match_empty').text;
      problems.push({ field: field.storage_key, reason });
    } else return equalityKeyOf(field, parsed.value);
    return null;
  });
  if (!isByType(plan)) return JSON.stringify(key);
  const type = [...values].find(([{ field }]) => field.key === TYPE_KEY)?.[1];
  return JSON.stringify([type, ...key]);
}

/** An id needs no type to be unique, and a type that takes no new items keeps those it has. */
function isByType({ object, match }: ImportPlan): boolean {
  return object.object_type === WORK_ITEMS && match[0]?.key !== 'id';
}

function recordOperation(
  plan: ImportPlan,
  { row: { line }, values, promised }: Given,
): WriteOperation {
  const { object, idOfLine } = plan;
  // A record that is missing has no references to it yet.
  const match = plan.match.some((field) => promised.has(field.storage_key)) ? [] : plan.match;
  const matched = new Set(match);
  const entries = [...values].flatMap(([{ field }, value]) =>
    promised.has(field.storage_key) ? [] : [[field, value] as const],
  );
  const fields = fieldValues(entries.filter(([field]) => !matched.has(field)));
  if (idOfLine !== undefined) {
    return { action: 'upsert', target: object.object_type, match: { id: idOfLine(line) }, fields };
  }
  if (match.length === 0) return { action: 'create', fields };
  const keys = entries
    .filter(([field]) => matched.has(field))
    .map(
      ([field, value]) =>
        [field, field.key === 'id' ? canonicalValue(field, value) : value] as const,
    );
  const target = isByType(plan) ? String(fields[TYPE_KEY] ?? '') : object.object_type;
  return { action: 'upsert', target, match: fieldValues(keys), fields };
}

/** The `fields` of a write; custom fields are in `custom_fields`. */
export function fieldValues(
  entries: readonly (readonly [field: Field, value: unknown])[],
): Readonly<Record<string, unknown>> {
  const direct = entries.filter(([field]) => field.storage === 'physical');
  const custom = entries.filter(([field]) => field.storage === 'jsonb');
  const named = (list: typeof entries) =>
    Object.fromEntries(list.map(([field, value]) => [field.key, value]));
  return custom.length === 0 ? named(direct) : { ...named(direct), custom_fields: named(custom) };
}
