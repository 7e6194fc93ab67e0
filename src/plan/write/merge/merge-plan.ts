// Merging records into another one of their object: the operations of the write, and the values that the record gets
// from the others (docs/design/merge.md). Pure.

import { ApiError, errorFromProblems, type Problem } from '../../../errors.ts';
import { about, say } from '../../../messages/message.ts';
import type { Field } from '../../../model/definition/model.ts';
import { valuePlace } from '../../../model/definition/storage-key.ts';
import { changedKeys } from '../../../model/formulas/changed-formulas.ts';
import { canReadField, canWriteField } from '../../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../../model/values/field-types.ts';
import { parseRecordId } from '../../../model/values/record-id.ts';
import { requireReadable } from '../../read/resolve-field.ts';
import { filesIn } from '../file-values.ts';
import { combinePreconditions, type Precondition, versionToken } from '../precondition.ts';
import type { TrashScope } from '../trash-plan.ts';
import type { WriteOperation, WriteRequest } from '../write-operation.ts';
import { type Change, currentValue, fieldParam } from '../write-validation.ts';

type Row = Readonly<Record<string, unknown>>;

export interface MergeRequest {
  /** The record that stays. */
  readonly id: string;
  readonly precondition: Precondition | undefined;
  readonly from: readonly { readonly id: string; readonly expected_version: string }[];
  /** The record whose value a field gets, by the key of the field. */
  readonly take: Readonly<Record<string, string>>;
}

type MergeScope = Pick<TrashScope, 'caller' | 'object'>;

/** The fields that get the value of another record, by the id of that record. */
export type TakenFields = ReadonlyMap<Field, string>;

/** The request with canonical ids. Errors: `record_not_found`. */
export function withCanonicalIds(request: MergeRequest): MergeRequest {
  const idOf = (id: string, param: string) => {
    const known = parseRecordId(id);
    if (known === undefined) throw new ApiError('record_not_found', { param });
    return known;
  };
  return {
    ...request,
    id: idOf(request.id, 'record_id'),
    from: request.from.map((one, index) => ({ ...one, id: idOf(one.id, `from[${index}].id`) })),
    take: Object.fromEntries(
      Object.entries(request.take).map(([key, id]) => [key, parseRecordId(id) ?? id]),
    ),
  };
}

/**
 * Resolve `take`. Errors: `validation_failed`, `invalid_filter` and `permission_denied`, each for a field that cannot be
 * taken whatever the records have.
 */
export function planTaken({ caller, object }: MergeScope, request: MergeRequest): TakenFields {
  const ids = new Set([request.id, ...request.from.map(({ id }) => id)]);
  const taken = new Map<Field, string>();
  const problems: Problem[] = [];
  for (const [key, id] of Object.entries(request.take)) {
    const param = `take.${key}`;
    const field = requireReadable(caller, object, key, param);
    const refuse = (code: Problem['code'], message: Problem['message']) =>
      problems.push({ param, code, message });
    if (!ids.has(id)) refuse('validation_failed', say('take_of_other_record'));
    else if (!canWriteField(caller, object, field)) {
      refuse('permission_denied', say('field_not_writable'));
    } else if (FIELD_TYPE_TRAITS[field.type].holdsFiles) {
      refuse('validation_failed', say('files_not_taken'));
    } else if (id !== request.id) taken.set(field, id);
  }
  if (problems.length > 0) throw errorFromProblems(problems);
  return taken;
}

/** The operations of a merge: the others are deleted, which frees their unique values, then the record is updated. */
export function mergeOperations(
  request: MergeRequest,
  rows: ReadonlyMap<string, Row>,
  taken: TakenFields,
): WriteRequest {
  const present = rows.get(request.id);
  const seen = present === undefined ? undefined : { any_of: [versionToken(present)] };
  const fields: Record<string, unknown> = {};
  const custom_fields: Record<string, unknown> = {};
  for (const [field, id] of taken) {
    const row = rows.get(id);
    const place = field.storage === 'jsonb' ? custom_fields : fields;
    if (row !== undefined) place[field.key] = currentValue(row, field);
  }
  if (Object.keys(custom_fields).length > 0) fields.custom_fields = custom_fields;
  const operations: WriteOperation[] = [
    ...request.from.map(({ id, expected_version }) => {
      const precondition = combinePreconditions(undefined, expected_version);
      return { action: 'delete', id, precondition } as const;
    }),
    { action: 'update', id: request.id, fields, precondition: preconditionOf(request, seen) },
  ];
  return { operations, source: 'api', batch: false, answered: undefined };
}

/** Values are computed from the row that was read, so it must be the present one also when the client names none. */
function preconditionOf(
  { precondition }: MergeRequest,
  seen: Precondition | undefined,
): Precondition | undefined {
  return precondition === undefined || precondition === 'exists' ? seen : precondition;
}

/** The records of a merge, as they are locked. */
export interface MergedRows {
  readonly own: Row;
  /** The other records in the order of the request. */
  readonly others: readonly Row[];
}

export type Update = Extract<Change, { kind: 'update' }>;

/**
 * The change of the record: what was taken, the files of all, and its references to records that are merged into it,
 * which become null. Errors: `invalid_write`.
 */
export function mergedChange(
  { caller, object }: MergeScope,
  change: Change,
  { own, others }: MergedRows,
): Update {
  const set = new Map(change.kind === 'update' ? change.set : []);
  const problems: Problem[] = [];
  const gone = new Set(others.map(({ id }) => id));
  for (const field of object.fields.values()) {
    if (field.reference_object_type !== object.object_type || set.has(field)) continue;
    if (!gone.has(currentValue(own, field))) continue;
    if (field.required) {
      const message = say('merged_reference_required');
      const isKnown = canReadField(caller, object, field);
      problems.push({
        ...(isKnown ? { param: fieldParam(field) } : {}),
        code: 'invalid_write',
        message,
      });
    }
    set.set(field, null);
  }
  for (const field of object.file_fields) {
    if (!canReadField(caller, object, field) || !canWriteField(caller, object, field)) continue;
    const before = filesIn(own, field);
    const all = [...before, ...others.flatMap((row) => filesIn(row, field))];
    const files = field.rules.multiple ? all : all.slice(0, 1);
    if (files.length === before.length) continue;
    const parsed = FIELD_TYPE_TRAITS[field.type].parse(files, field.rules);
    if ('problem' in parsed) {
      const message = about('The value', parsed.problem);
      problems.push({ param: fieldParam(field), code: 'invalid_write', message });
    }
    set.set(field, files);
  }
  if (problems.length > 0) throw errorFromProblems(problems);
  const keys = changedKeys(object, own, set);
  return { kind: 'update', id: change.id, before: own, action: 'update', set, keys };
}

/**
 * The values before and after a merge, for its undoing. A reference to a merged record is empty until that one comes
 * back, which brings it along.
 */
export function replacedByMerge(
  { before, set }: Update,
  merged: readonly string[],
): Readonly<Record<string, readonly [unknown, unknown]>> {
  const entries = [...set].flatMap(([field, value]) => {
    const own = currentValue(before, field);
    const isGone = field.reference_object_type !== null && merged.includes(String(own));
    if (isGone && value === null) return [];
    return [[valuePlace(field), [isGone ? null : own, value]] as const];
  });
  return Object.fromEntries(entries);
}

/** Refuse a merge that would change too much at once. */
export function requireFewMoved(moved: number, most: number): void {
  if (moved <= most) return;
  const message = say('merge_too_large', { most });
  throw new ApiError('conflict', { message, details: { limit: most } });
}
