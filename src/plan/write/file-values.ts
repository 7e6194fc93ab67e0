// Files as values of records: which ones a write names, whether the field can have them, and which of them its record
// gets. Pure.

import { say } from '../../messages/message.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { FileValue } from '../../model/fields/file-field.ts';
import type { Row } from '../../model/values/row.ts';
import { isMediaTypeOf, mostBytes } from './file-rules.ts';
import type { PlannedWrite, WritePlan } from './write-operation.ts';
import {
  type Change,
  currentValue,
  type FilePlace,
  type FoundFile,
  refuseValue,
  type WriteValidation,
} from './write-validation.ts';

/** A file, and the field of the record that gets it. */
export interface AttachedFile extends FilePlace {
  readonly id: string;
}

/** Files that records get, and those that they have no longer. */
export interface FileChanges {
  readonly attached: readonly AttachedFile[];
  readonly released: readonly string[];
}

/** The changes of files of a plan; objects without fields for files have none. */
export function fileChangesOf(
  plan: WritePlan,
  changes: readonly Change[],
): FileChanges | undefined {
  if (plan.objects.every(({ file_fields }) => file_fields.length === 0)) return undefined;
  return { attached: attachedFiles(plan, changes), released: releasedFiles(plan, changes) };
}

/** True when a value of the plan is a list of files. Objects without such fields cost nothing. */
export function writesFiles({ objects, writes }: WritePlan): boolean {
  if (objects.every(({ file_fields }) => file_fields.length === 0)) return false;
  return writes.some((write) => filesOf(write).length > 0);
}

/** The ids of all files that the plan writes. */
export function writtenFiles(plan: WritePlan): readonly string[] {
  if (!writesFiles(plan)) return [];
  return [...new Set(plan.writes.flatMap(filesOf).map(({ id }) => id))];
}

function filesOf({ object, values }: PlannedWrite): readonly Pick<FileValue, 'id'>[] {
  return object.file_fields.flatMap((field) => listOf(values.get(field)));
}

function listOf(value: unknown): readonly Pick<FileValue, 'id'>[] {
  return (value ?? []) as readonly Pick<FileValue, 'id'>[];
}

/**
 * The values with each file as it is stored; `row`: the record before. Reports files that do not exist for the caller
 * and this field, and those that the rules of the field refuse.
 */
export function withFiles(
  one: WriteValidation,
  values: ReadonlyMap<Field, unknown>,
  row: Row | undefined,
): ReadonlyMap<Field, unknown> {
  const { file_fields } = one.write.object;
  const written = file_fields.filter((field) => (values.get(field) ?? null) !== null);
  if (written.length === 0) return values;
  const all = new Map(values);
  for (const field of written) {
    const before = row === undefined ? [] : filesIn(row, field);
    const kept = new Map(before.map((file) => [file.id, file]));
    const files = listOf(values.get(field)).flatMap(
      ({ id }) => kept.get(id) ?? newFile(one, field, id) ?? [],
    );
    all.set(field, files.length === 0 ? null : files);
  }
  return all;
}

/** Undefined when it is reported. */
function newFile(one: WriteValidation, field: Field, id: string): FileValue | undefined {
  const file = one.lookedUp.files.get(id);
  if (file === undefined || one.attached.has(id) || !mayAttach(one, field, file)) {
    refuseValue(one, field, say('file_not_found'));
    return undefined;
  }
  const { name, type, size } = file;
  if (!isMediaTypeOf(field.rules, type)) {
    refuseValue(one, field, say('file_type_refused', { type }));
  } else if (size > mostBytes(field.rules)) {
    refuseValue(one, field, say('file_too_large', { most: mostBytes(field.rules) }));
  }
  one.attached.add(id);
  // In the order of jsonb: the answer of a write is that of a later read.
  return { id, name, size, type };
}

/**
 * A file that no record has belongs to the person who uploaded it; one that this field of this record had a while ago
 * can come back.
 */
function mayAttach(
  { plan, write }: WriteValidation,
  field: Field,
  { uploaded_by, place, isAttached }: FoundFile,
): boolean {
  if (!isAttached && uploaded_by === plan.caller.user.id) return true;
  if (place === undefined || typeof write.id !== 'string') return false;
  const { table, record_id, column } = place;
  return table === write.object.table && record_id === write.id && column === field.column;
}

/** The files that the changed records did not have before. */
function attachedFiles({ writes }: WritePlan, changes: readonly Change[]): readonly AttachedFile[] {
  return changes.flatMap((change, index): readonly AttachedFile[] => {
    if (change.kind !== 'insert' && change.kind !== 'update') return [];
    const { object } = writes[index] as PlannedWrite;
    return object.file_fields.flatMap((field) => {
      const before = change.kind === 'update' ? currentValue(change.before, field) : null;
      const had = new Set(listOf(before).map(({ id }) => id));
      const place = placeIn(object, change.id, field);
      return listOf(givenValue(change, field))
        .filter(({ id }) => !had.has(id))
        .map(({ id }) => ({ id, ...place }));
    });
  });
}

/** The files that the changed records have no longer. */
function releasedFiles({ writes }: WritePlan, changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change, index) => {
    if (change.kind !== 'update') return [];
    const { file_fields } = (writes[index] as PlannedWrite).object;
    return file_fields
      .filter((field) => change.set.has(field))
      .flatMap((field) => {
        const has = new Set(listOf(change.set.get(field)).map(({ id }) => id));
        const had = listOf(currentValue(change.before, field)).map(({ id }) => id);
        return had.filter((id) => !has.has(id));
      });
  });
}

function placeIn({ table }: ObjectModel, record_id: string, { column }: Field): FilePlace {
  return { table, record_id, column };
}

/** The files of a field of a record. */
export function filesIn(row: Row, field: Field): readonly FileValue[] {
  return listOf(currentValue(row, field)) as readonly FileValue[];
}

/** The files of a record, which it gets. */
export function filesOfRecord(object: ObjectModel, id: string, row: Row): readonly AttachedFile[] {
  return object.file_fields.flatMap((field) =>
    filesIn(row, field).map((file) => ({ id: file.id, ...placeIn(object, id, field) })),
  );
}

function givenValue(change: Extract<Change, { kind: 'insert' | 'update' }>, field: Field): unknown {
  return change.kind === 'insert' ? change.columns[field.column] : change.set.get(field);
}

/** The file of this id in a value. */
export function fileIn(value: unknown, id: string): FileValue | undefined {
  return (listOf(value) as readonly FileValue[]).find((file) => file.id === id);
}
