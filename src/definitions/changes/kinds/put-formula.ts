// A computed field that is new, or gets other values: its column is generated, so that PostgreSQL writes the table again
// behind a lock (docs/design/computed-fields.md). Pure.

import { say } from '../../../messages/message.ts';
import { FORMULA } from '../../../model/definition/definition-words.ts';
import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { sql } from '../../../sql/sql.ts';
import { indexesOf } from '../../../sql/write/index-sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { type ChangeNotice, change } from '../change-notice.ts';
import { columnSql, dropComputed, makeIndex, type Phased } from '../column-sql.ts';
import { isRecomputed } from '../stored-form.ts';
import { forgetValues } from '../trash-content-sql.ts';
import type { Note } from './note.ts';
import { columnOf, fieldName, fieldPath, type OfField, reshapesTable } from './parts.ts';

export interface PutFormula extends OfField {
  readonly kind: 'put_formula';
  /** The field before; undefined: it is new. */
  readonly from: Field | undefined;
}

export const putFormula: ChangeKind<PutFormula> = Object.freeze({
  kind: 'put_formula',
  alters: true,
  path: fieldPath,
  locks: reshapesTable,
  statements: putColumn,
  works: () => ['compute' as const],
  newColumn: columnOf,
});

export function findAddedFormula(object: ObjectModel, field: Field) {
  const step: PutFormula = { kind: 'put_formula', object, field, from: undefined };
  return change(step, `+ ${fieldName(step)} (${FORMULA}: ${field.type})`);
}

/** A field cannot become computed, or the other way round. Undefined: neither field is computed. */
export function findFormula(
  old: ObjectModel,
  object: ObjectModel,
  from: Field,
  field: Field,
): readonly ((PutFormula | Note) & ChangeNotice)[] | undefined {
  if (from.formula === null && field.formula === null) return undefined;
  if (from.formula === null || field.formula === null) {
    const [one, other] = [from, field].map(({ type, formula }) => (formula ? FORMULA : type));
    const summary = `~ ${fieldName({ object, field })} (type ${one} -> ${other})`;
    const name = `${object.object_type}.${field.key}`;
    const refusal = say('field_retyped', { field: name, from: `${one}`, to: `${other}` });
    return [change({ kind: 'note', path: fieldPath({ object, field }) }, summary, { refusal })];
  }
  if (!isRecomputed(old, object, field)) return [];
  const step: PutFormula = { kind: 'put_formula', object, field, from };
  return [change(step, `~ ${fieldName(step)} (computed again)`)];
}

/** A column of another name: its indexes have other names as well, and are made with it. */
function putColumn(schema: string, { object, field, from }: PutFormula): readonly Phased[] {
  const indexes = indexesOf(object).filter(({ column }) => column === field.column);
  return [
    ...(from === undefined
      ? []
      : [dropComputed(schema, object, from), ...forgetValues(schema, object, from)]),
    // PostgreSQL writes the table once for each statement, whatever the number of columns.
    { phase: 'computed', table: object.table, alteration: sql`add column ${columnSql(field)}` },
    ...indexes.map(makeIndex),
  ];
}
