// A new field: its column, if it has one of its own, with keys and indexes. Pure.

import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { identifier, sql } from '../../../sql/sql.ts';
import { isOwnColumn } from '../../../sql/write/index-sql.ts';
import { type ChangeKind, NO_LOCKS } from '../change-kind.ts';
import { change } from '../change-notice.ts';
import { columnSql, fieldConstraints, type Phased } from '../column-sql.ts';
import type { Requirement } from '../requirement.ts';
import { columnOf, fieldName, fieldPath, type OfField, reshapesTable } from './parts.ts';

export interface AddField extends OfField {
  readonly kind: 'add_field';
}

export const addField: ChangeKind<AddField> = Object.freeze({
  kind: 'add_field',
  path: fieldPath,
  locks: (step: AddField) => (isOwnColumn(step.field) ? reshapesTable(step) : NO_LOCKS),
  statements: addColumn,
  newColumn: columnOf,
});

export function findAddedField(old: ObjectModel, object: ObjectModel, field: Field) {
  const step: AddField = { kind: 'add_field', object, field };
  const noRecords: Requirement = { kind: 'no_records', object: old };
  const expectations = field.required ? [noRecords] : [];
  return change(step, `+ ${fieldName(step)} (${field.type})`, { expectations });
}

function addColumn(schema: string, { object, field }: AddField): readonly Phased[] {
  if (!isOwnColumn(field)) return [];
  const table = identifier(schema, object.table);
  const statement = sql`alter table ${table} add column ${columnSql(field)}`;
  return [{ phase: 'columns', statement }, ...fieldConstraints(schema, object, field)];
}
