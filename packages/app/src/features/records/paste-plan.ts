// The plan of a pasted text: the new values of fields of records, the new records, and all problems, by row and
// column, before anything is written.

import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { parseValue } from '../../fields/texts.ts';
import { changeOf, fieldValue, isSame } from '../../lib/field-value.ts';
import type { PlainKey } from '../../lib/messages/index.ts';
import { TYPE_KEY } from '../../lib/schema-queries.ts';
import { type ContextOf, cellText } from './cell-text.ts';
import { isEditable } from './editable.ts';
import type { GridColumn } from './grid-columns.ts';
import type { Reversible } from './write-many.ts';

/** Rows of a text that is pasted at once. */
export const MOST_PASTED = 500;

export interface PasteTarget {
  readonly object: Pick<ObjectDefinition, 'object_type'>;
  /** The columns from the active cell on, or the columns of the headings; undefined: the text there is not pasted. */
  readonly columns: readonly (GridColumn | undefined)[];
  /** The records from the active row on; where there is none, the row becomes a new record. */
  readonly records: readonly RecordData[];
  /** Rows of headings before the cells. */
  readonly headings: number;
  /** Values of new records, as far as the text has no other ones. */
  readonly preset: Values;
  /** Fields that a new record must have. */
  readonly required: readonly Field[];
  /** The list shows new records first: they are made in reverse, so that they come in the order of the text. */
  readonly isNewestFirst: boolean;
  readonly canUpdate: (record: RecordData) => boolean;
  readonly canCreate: boolean;
  /** Whether what was created can be deleted again. */
  readonly canDelete: boolean;
}

export interface PasteProblem {
  /** The row of the text, from 0; undefined: the whole text. */
  readonly row: number | undefined;
  readonly column: string;
  readonly text: string;
  readonly problem: PlainKey;
}

export interface PastePlan {
  readonly writes: readonly PastedRow[];
  readonly changed: number;
  readonly created: number;
  readonly problems: readonly PasteProblem[];
  /** Names of columns that cannot be edited here, and for which the text has other values. */
  readonly leftOut: readonly string[];
}

export interface PastedRow extends Reversible {
  /** The row of the text, from 0. */
  readonly row: number;
  /** Undefined: a new one. */
  readonly record: RecordData | undefined;
}

type Values = readonly (readonly [Field, unknown])[];

type Cells = readonly (readonly string[])[];

export function planPaste(cells: Cells, target: PasteTarget, contextOf: ContextOf): PastePlan {
  const width = Math.max(...cells.map((row) => row.length));
  const problems: PasteProblem[] = [];
  const changes: PastedRow[] = [];
  const createdRows: PastedRow[] = [];
  const closed = new Set<string>();
  if (width > target.columns.length) {
    problems.push({ row: undefined, column: '', text: '', problem: 'grid.tooWide' });
    return { writes: [], created: 0, changed: 0, problems, leftOut: [] };
  }
  for (const [at, texts] of cells.entries()) {
    const record = target.records[at];
    const row = at + target.headings;
    const { open, left } = changedCells(texts, { record, columns: target.columns, contextOf });
    for (const column of left) closed.add(column.field?.name ?? column.id);
    if (record === undefined ? texts.every(isBlank) : open.length === 0) continue;
    const refusal = rowProblem(record, target);
    const parsed = parseRow(open, contextOf);
    problems.push(...parsed.problems.map((problem) => ({ ...problem, row })));
    if (refusal !== undefined) problems.push({ row, column: '', text: '', problem: refusal });
    else if (record === undefined) {
      const values = withPreset(parsed.values, target.preset);
      problems.push(...lacking(values, parsed, target).map((problem) => ({ ...problem, row })));
      createdRows.push({ row, record, ...creation(values, target) });
    } else {
      const change = changeOfRow(record, parsed.values);
      if (change !== undefined) changes.push({ row, record, ...change });
    }
  }
  return {
    writes: [...changes, ...(target.isNewestFirst ? createdRows.toReversed() : createdRows)],
    changed: changes.length,
    created: createdRows.length,
    problems: gathered(problems, createdRows.length),
    leftOut: [...closed],
  };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

interface RowTarget {
  readonly record: RecordData | undefined;
  readonly columns: PasteTarget['columns'];
  readonly contextOf: ContextOf;
}

interface ChangedCells {
  readonly open: readonly (readonly [Field, string])[];
  /** Columns that are not edited here. */
  readonly left: readonly GridColumn[];
}

/** A text that equals the cell changes nothing, also where the cell cannot be edited. */
function changedCells(
  texts: readonly string[],
  { record, columns, contextOf }: RowTarget,
): ChangedCells {
  const open: (readonly [Field, string])[] = [];
  const left: GridColumn[] = [];
  for (const [at, text] of texts.entries()) {
    const column = columns[at];
    if (column === undefined) continue;
    const now = record === undefined ? undefined : cellText(record, column, contextOf);
    const isOpen = isEditable(column) || (record === undefined && column.field?.key === TYPE_KEY);
    if (isOpen && column.field !== undefined) {
      if (text !== now) open.push([column.field, text]);
    } else if (text.trim() !== (now ?? '').trim()) left.push(column);
  }
  return { open, left };
}

function rowProblem(record: RecordData | undefined, target: PasteTarget): PlainKey | undefined {
  if (record === undefined) return target.canCreate ? undefined : 'grid.mayNotCreate';
  return target.canUpdate(record) ? undefined : 'grid.mayNotChange';
}

function withPreset(values: Values, preset: Values): Values {
  const given = values.filter(([, value]) => value !== null);
  const keys = new Set(given.map(([{ key }]) => key));
  return [...given, ...preset.filter(([{ key }]) => !keys.has(key))];
}

/** Required fields without a value, unless that is a problem already. */
function lacking(
  values: Values,
  { problems }: ParsedRow,
  { required }: PasteTarget,
): readonly Omit<PasteProblem, 'row'>[] {
  const keys = new Set(values.map(([{ key }]) => key));
  const told = new Set(problems.map(({ column }) => column));
  return required
    .filter(({ key, name }) => !keys.has(key) && !told.has(name ?? key))
    .map(({ key, name }) => ({ column: name ?? key, text: '', problem: 'grid.required' }));
}

/** A field that every new row lacks is one problem of the whole text. */
function gathered(problems: readonly PasteProblem[], made: number): readonly PasteProblem[] {
  const isLack = ({ problem, text }: PasteProblem) => problem === 'grid.required' && text === '';
  const lacks = new Map<string, number>();
  for (const { column } of problems.filter(isLack)) lacks.set(column, (lacks.get(column) ?? 0) + 1);
  const whole = [...lacks.keys()].filter((column) => made > 1 && lacks.get(column) === made);
  const rest = problems.filter((one) => !(isLack(one) && whole.includes(one.column)));
  const problem = 'grid.columnNeeded';
  return [
    ...whole.map((column) => ({ row: undefined, column, text: '', problem }) as const),
    ...rest,
  ];
}

interface ParsedRow {
  readonly values: Values;
  readonly problems: readonly Omit<PasteProblem, 'row'>[];
}

function parseRow(cells: ChangedCells['open'], contextOf: ContextOf): ParsedRow {
  const values: [Field, unknown][] = [];
  const problems: Omit<PasteProblem, 'row'>[] = [];
  for (const [field, text] of cells) {
    const parsed = parseValue(text, contextOf(field));
    if ('value' in parsed) values.push([field, parsed.value]);
    else problems.push({ column: field.name ?? field.key, text, problem: parsed.problem });
  }
  return { values, problems };
}

/** Fields of storage `jsonb` are in an object of their own. */
function fieldsOf(values: Values): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (const [field, value] of values) {
    const change = changeOf(field, value) as Record<string, unknown>;
    if (field.storage === 'jsonb') Object.assign(custom, change.custom_fields);
    else Object.assign(fields, change);
  }
  return Object.keys(custom).length === 0 ? fields : { ...fields, custom_fields: custom };
}

function creation(values: Values, { object: { object_type }, canDelete }: PasteTarget): Reversible {
  // A blank cell gets the default of the service.
  const fields = fieldsOf(values.filter(([, value]) => value !== null));
  return {
    operation: { action: 'create', object_type, fields },
    inverse: ({ id, version }) =>
      canDelete ? { action: 'delete', object_type, id, expected_version: version } : undefined,
  };
}

/** Undefined: it is so already. */
function changeOfRow(record: RecordData, values: Values): Reversible | undefined {
  const changed = values.filter(([field, value]) => !isSame(value, fieldValue(record, field)));
  if (changed.length === 0) return undefined;
  const { object_type, id, version } = record;
  const before = changed.map(([field]) => [field, fieldValue(record, field)] as const);
  const action = 'update' as const;
  return {
    operation: {
      ...{ action, object_type, id, fields: fieldsOf(changed) },
      ...(version === undefined ? {} : { expected_version: version }),
    },
    inverse: ({ version: expected_version }) => ({
      ...{ action, object_type, id, fields: fieldsOf(before), expected_version },
    }),
  };
}

/** So many rows, with the cells of the given ones in turn. */
export function repeated(cells: Cells, rows: number): Cells {
  if (cells.length === 0) return [];
  return Array.from({ length: Math.max(0, rows) }, (_, at) => cells[at % cells.length] ?? []);
}

/** The cells of the text, or one text for all that are marked. */
export function filled(cells: Cells, rows: number, columns: number): Cells {
  const [[only = ''] = []] = cells;
  const isOne = cells.length === 1 && cells[0]?.length === 1;
  if (!isOne || (rows === 1 && columns === 1)) return cells;
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => only));
}
