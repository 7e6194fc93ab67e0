// Undoing the last merge into a record: the values that the record gets back, the records that come back, and what
// prevents it (docs/design/merge.md). Pure.

import { ApiError, errorFromProblems } from '../../../errors.ts';
import { say } from '../../../messages/message.ts';
import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { valuePlace } from '../../../model/definition/storage-key.ts';
import type { FileValue } from '../../../model/fields/file-field.ts';
import { changedKeys } from '../../../model/formulas/changed-formulas.ts';
import {
  canReadField,
  canWriteField,
  isWithinReach,
  objectAccess,
} from '../../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../../model/values/field-types.ts';
import { parseRecordId } from '../../../model/values/record-id.ts';
import type { RestoreFindings, RestoreQuestion, TrashedLink } from '../restore-question.ts';
import { lostAmong, requiredProblems } from '../restored-record.ts';
import type { TrashScope } from '../trash-plan.ts';
import { currentValue, fieldParam, isSame, recordKey } from '../write-validation.ts';
import type { Update } from './merge-plan.ts';

type Row = Readonly<Record<string, unknown>>;

/** A merge that can be undone, from the locked rows of the trash. */
export interface UndoneMerge {
  readonly into: string;
  /** The records that come back. */
  readonly ids: readonly string[];
  readonly replaced: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  /** Links and followers that came with the merge. */
  readonly links: readonly TrashedLink[];
  readonly follows: readonly number[];
}

/**
 * The locked rows are those of the last merge; `asked`: the id of the merge to undo. Errors: `conflict` without a merge
 * and when another one is the last, `permission_denied` when one of its records is out of reach.
 */
export function undoneMerge(
  { caller, object }: TrashScope,
  locked: readonly Row[],
  asked: string | undefined,
): UndoneMerge {
  const { read, delete: remove } = objectAccess(caller, object).reach;
  const isReached = ({ reach_user_id }: Row) =>
    [read, remove].every((reach) => isWithinReach(caller, reach, reach_user_id as number | null));
  const [first] = locked;
  if (first === undefined || !locked.some(isReached)) {
    throw new ApiError('conflict', { message: say('nothing_merged') });
  }
  if (!locked.every(isReached)) {
    throw new ApiError('permission_denied', { message: say('merge_not_reached') });
  }
  const merged = first.merged as {
    readonly id: string;
    readonly into: string;
    readonly replaced: UndoneMerge['replaced'];
    readonly links?: readonly TrashedLink[] | null;
    readonly follows?: readonly { readonly user_id: number }[] | null;
  };
  if (asked !== undefined && parseRecordId(asked) !== merged.id) {
    throw new ApiError('conflict', { param: 'merge', message: say('merge_not_last') });
  }
  return {
    into: merged.into,
    ids: locked.map(({ record_id }) => String(record_id)),
    replaced: merged.replaced,
    links: merged.links ?? [],
    follows: (merged.follows ?? []).map(({ user_id }) => user_id),
  };
}

/**
 * The change of the record. Errors: `conflict` when a value is no longer that of the merge, with the keys of these
 * fields as far as the caller may read them; `permission_denied` for a field that they may not write.
 */
export function unmergedChange(
  { caller, object }: TrashScope,
  { replaced }: UndoneMerge,
  before: Row,
): Update {
  const set = new Map<Field, unknown>();
  const changed: Field[] = [];
  for (const field of object.fields.values()) {
    const values = replaced[valuePlace(field)];
    if (values === undefined) continue;
    if (!isSame(currentValue(before, field), values[1])) changed.push(field);
    else set.set(field, values[0]);
  }
  if (changed.length > 0) {
    const known = changed.filter((field) => canReadField(caller, object, field));
    const details = { changed_fields: known.map(({ key }) => key) };
    throw new ApiError('conflict', { message: say('merge_changed'), details });
  }
  const refused = [...set.keys()].find((field) => !canWriteField(caller, object, field));
  if (refused !== undefined) {
    const isKnown = canReadField(caller, object, refused);
    throw new ApiError('permission_denied', {
      ...(isKnown ? { param: fieldParam(refused) } : {}),
      message: say('field_not_writable'),
    });
  }
  const keys = changedKeys(object, before, set);
  return { kind: 'update', id: String(before.id), before, action: 'update', set, keys };
}

/** The references and files that the record gets back: others may be gone since. */
export function returningValues(
  { model }: TrashScope,
  { id, before, set }: Update,
): RestoreQuestion {
  const nothing = { revision: 0, commented: false, links: [], cleared: [] };
  return {
    record: { id, row: before, ...nothing },
    references: [...set].flatMap(([field, value]) => {
      const target = model.objects.get(field.reference_object_type ?? '');
      return target === undefined || value === null ? [] : [{ field, target, id: String(value) }];
    }),
    links: [],
    cleared: [],
    files: [...set].flatMap(([field, value]) =>
      FIELD_TYPE_TRAITS[field.type].holdsFiles
        ? ((value ?? []) as readonly FileValue[]).map((file) => file.id)
        : [],
    ),
  };
}

/** The change without values that cannot come back, and their fields. Errors: `invalid_write` for a required one. */
export function withoutLost(
  scope: TrashScope,
  change: Update,
  question: RestoreQuestion,
  found: RestoreFindings,
): { readonly change: Update; readonly lost: readonly Field[] } {
  const { object } = scope;
  const lost = lostAmong(change.set, question, found);
  const problems = requiredProblems(scope, lost);
  if (problems.length > 0) throw errorFromProblems(problems);
  const set = new Map(change.set);
  for (const [field, { now }] of lost) set.set(field, now);
  const keys = changedKeys(object, change.before, set);
  return { change: { ...change, set, keys }, lost: [...lost.keys()] };
}

/**
 * Records in the order in which they come back: those that others of the merge refer to first. A reference to a record
 * that comes later, in a circle, is written with that one.
 */
export function restoreOrder(
  object: ObjectModel,
  questions: readonly RestoreQuestion[],
): readonly RestoreQuestion[] {
  const byId = new Map(questions.map((question) => [question.record.id, question]));
  const ordered = new Set<RestoreQuestion>();
  const visited = new Set<RestoreQuestion>();
  const visit = (question: RestoreQuestion) => {
    if (visited.has(question)) return;
    visited.add(question);
    for (const { target, id } of question.references) {
      const other = target === object ? byId.get(id) : undefined;
      if (other !== undefined) visit(other);
    }
    ordered.add(question);
  };
  for (const question of questions) visit(question);
  return [...ordered];
}

function nameOf({ relationship, from_id, to_id }: TrashedLink): string {
  return `${relationship} ${from_id} ${to_id}`;
}

/** The parts of a merged record that come back with it: all but the links that ended since. */
export function unmergedQuestion(
  question: RestoreQuestion,
  { into, links, ids }: UndoneMerge,
  present: readonly TrashedLink[],
): RestoreQuestion {
  const mergedIds = new Set([...ids, into]);
  const overNow = new Set(present.map(nameOf));
  const over = new Set(links.map(nameOf));
  return {
    ...question,
    links: question.links.filter(({ link }) => {
      const { from_id, to_id, relationship } = link;
      const moved = {
        relationship,
        from_id: mergedIds.has(from_id) ? into : from_id,
        to_id: mergedIds.has(to_id) ? into : to_id,
      };
      return !over.has(nameOf(moved)) || overNow.has(nameOf(moved));
    }),
  };
}

/** The state of the others once the record has given back the parts that came with the merge. */
export function foundAfter(
  { object }: TrashScope,
  question: RestoreQuestion,
  found: RestoreFindings,
  { into, links, ids, replaced }: UndoneMerge,
): RestoreFindings {
  const over = new Set(links.map(nameOf));
  const fieldsOf = new Map<string, Field[]>();
  for (const { object: other, id, field } of question.cleared) {
    const key = recordKey(other, id);
    fieldsOf.set(key, [...(fieldsOf.get(key) ?? []), field]);
  }
  const referrers = [...found.referrers].map(([key, row]) => {
    // The record itself is changed before.
    const isOwn = key === recordKey(object, into);
    const fields = (fieldsOf.get(key) ?? []).filter(
      (field) =>
        currentValue(row, field) === into || (isOwn && replaced[valuePlace(field)] !== undefined),
    );
    const version = Number(row.version) + Number(isOwn);
    const freed = Object.fromEntries(fields.map(({ column }) => [column, null]));
    return [key, { ...row, ...freed, version }] as const;
  });
  return {
    ...found,
    present: new Set([...found.present, ...ids.map((id) => recordKey(object, id))]),
    referrers: new Map(referrers),
    taken: found.taken.filter((link) => !over.has(nameOf(link))),
    files: new Set(question.files),
  };
}
