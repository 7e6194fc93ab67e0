// The choices of a merge: the fields in which records differ, and the record whose value each of them gets. Pure.

import type { Field, MergeRequest, ObjectDefinition, RecordData } from '@workspace-records/client';
import { kindOf } from '../../fields/kinds.ts';
import { offeredFields } from '../../lib/field-order.ts';
import { fieldValue, isSame } from '../../lib/field-value.ts';
import { lockOf } from '../field-locks.ts';

export interface Choices {
  /** The id of the record that stays. */
  readonly stays: string;
  /** The ids of records whose value a person has chosen, by the key of the field. */
  readonly picked: Readonly<Record<string, string>>;
}

/** The fields that differ and that the person may change; status and files have rules of their own. */
export function differingFields(
  object: ObjectDefinition,
  records: readonly RecordData[],
): readonly Field[] {
  return offeredFields(object).filter((field) => {
    if (field.key === 'status' || kindOf(field).edit.control === 'files') return false;
    if (lockOf(field, true) !== undefined) return false;
    const [first, ...others] = records.map((record) => fieldValue(record, field));
    return others.some((value) => !isSame(first, value));
  });
}

/**
 * The id of the record whose value a field gets: the chosen one, or the first with a value, that which stays before
 * others. A reference to one of the records is not a value then.
 */
export function sourceOf(
  field: Field,
  records: readonly RecordData[],
  { stays, picked }: Choices,
): string {
  const own = records.filter(({ id }) => id === stays);
  const first = [...own, ...records].find((record) => {
    const value = fieldValue(record, field);
    return value !== null && !records.some(({ id }) => id === value);
  });
  return picked[field.key] ?? first?.id ?? stays;
}

/** The request, with the versions that the person sees. */
export function requestOf(
  fields: readonly Field[],
  records: readonly RecordData[],
  choices: Choices,
): MergeRequest {
  const from = records
    .filter(({ id }) => id !== choices.stays)
    .map(({ id, version }) => ({ id, expected_version: version ?? '' }));
  const sources = fields.map((field) => {
    return [field.key, sourceOf(field, records, choices)] as const;
  });
  const take = Object.fromEntries(sources.filter(([, id]) => id !== choices.stays));
  return { from, take };
}
