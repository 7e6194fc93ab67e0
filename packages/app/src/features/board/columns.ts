// The columns of a board: the values of a field, and which of them a record is in. Pure.

import type { Field, RecordData, Tint, Where, Workflow } from '@workspace-records/client';
import { optionsOf, tintOfOption } from '../../fields/options.ts';
import { STATUS_KEY } from '../../lib/board-fields.ts';
import { isBoolean, isOfPerson } from '../../lib/field-facts.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { TYPE_KEY } from '../../lib/schema-queries.ts';
import { isCondition } from '../../lib/where.ts';

export interface BoardColumn {
  /** The value as text; empty for the column of records without one. */
  readonly id: string;
  readonly value: string | number | boolean | null;
  readonly name: string;
  /** The color of a status or an option. */
  readonly tint?: Tint;
}

interface Words {
  readonly yes: string;
  readonly no: string;
  readonly none: string;
  /** A person whom the reader may not know; their number tells them apart. */
  readonly unknown: (id: string) => string;
}

export interface ColumnSource {
  readonly field: Field;
  /** The names of people by id, when the field is one of people. */
  readonly people: ReadonlyMap<number, string>;
  /** The workflow, when only records of one type are requested: its statuses are the columns. */
  readonly workflow: Workflow | undefined;
  readonly words: Words;
  /** Ids of columns that have records, whatever their value is. */
  readonly found: readonly string[];
}

/**
 * The columns: records without a value, then the statuses or options in their order, then all other values with
 * records.
 */
export function columnsOf(source: ColumnSource): readonly BoardColumn[] {
  const columns = expectedColumns(source);
  const known = new Set(columns.map(({ id }) => id));
  const others = source.found.filter((id) => !known.has(id)).map((id) => foundColumn(source, id));
  const isNone = ({ value }: BoardColumn) => value === null;
  const named = others.filter((column) => !isNone(column));
  const byName = named.toSorted((one, other) => one.name.localeCompare(other.name));
  return [...others.filter(isNone), ...columns, ...byName];
}

/** A column for a value that is not known beforehand, such as a person who has left. */
function foundColumn({ field, people, words }: ColumnSource, id: string): BoardColumn {
  if (id === '') return { id, value: null, name: words.none };
  if (!isOfPerson(field)) return columnOf(id, id);
  return columnOf(Number(id), people.get(Number(id)) ?? words.unknown(id));
}

function expectedColumns({ field, people, workflow, words }: ColumnSource): readonly BoardColumn[] {
  if (field.key === STATUS_KEY) {
    const known = workflow?.statuses.map(({ id }) => id);
    return valuesOf(field).filter(({ id }) => known?.includes(id) ?? true);
  }
  const none: BoardColumn = { id: '', value: null, name: words.none };
  if (isBoolean(field))
    return [none, columnOf(false, words.no), columnOf(true, words.yes)].slice(
      field.required ? 1 : 0,
    );
  const values = isOfPerson(field)
    ? [...people].map(([id, name]) => columnOf(id, name))
    : valuesOf(field);
  return field.required ? values : [none, ...values];
}

function valuesOf(field: Field): readonly BoardColumn[] {
  return optionsOf(field).map(({ value, label }) => ({
    ...columnOf(value, label),
    tint: tintOfOption(field, value),
  }));
}

function columnOf(value: string | number | boolean, name: string): BoardColumn {
  return { id: String(value), value, name };
}

/** The id of the column that the record is in, as far as there is one. */
export function columnIdOf(record: RecordData, field: Field): string {
  const value = fieldValue(record, field);
  return value === null ? '' : String(value);
}

/** The condition for records of the column, in addition to those of the board. */
export function conditionOf({ key }: Field, { value }: BoardColumn): Where {
  return value === null
    ? { field: key, op: 'is_null', value: true }
    : { field: key, op: 'eq', value };
}

/** True unless the conditions of the board exclude the records of the column. */
export function isRequested(column: BoardColumn, { key }: Field, where: readonly Where[]): boolean {
  return where.every((part) => {
    if (!isCondition(part) || part.field !== key) return true;
    const { op, value } = part;
    if (op === 'eq') return String(value) === column.id;
    if (op === 'ne') return String(value) !== column.id;
    if (op === 'in') return Array.isArray(value) && value.map(String).includes(column.id);
    return op !== 'is_null' || (value === true) === (column.value === null);
  });
}

/** The requested type, of work items. */
export function requestedType(where: readonly Where[]): string | undefined {
  const asked = where.find(
    (part) => isCondition(part) && part.field === TYPE_KEY && part.op === 'eq',
  );
  return asked !== undefined && isCondition(asked) ? String(asked.value) : undefined;
}

export function withType(where: readonly Where[], type: string | undefined): readonly Where[] {
  const others = where.filter((part) => !isCondition(part) || part.field !== TYPE_KEY);
  return type === undefined ? others : [...others, { field: TYPE_KEY, op: 'eq', value: type }];
}
