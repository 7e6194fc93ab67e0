// The columns of the grid: rows are chosen in the first one, then come the name of the record and its fields.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { kindOf } from '../../fields/kinds.ts';
import { optionsOf } from '../../fields/options.ts';

export interface GridColumn {
  readonly kind: 'select' | 'name' | 'field';
  /** The key of a field; for other columns a name that no field has. */
  readonly id: string;
  /** The field that the column shows and edits; undefined for a column without one. */
  readonly field: Field | undefined;
}

const SELECT: GridColumn = { kind: 'select', id: '#select', field: undefined };
/** Pixels; also of the end of the headings, where columns are added. */
export const SELECT_WIDTH = 40;
/** The width of the name column, with a unit: narrower on a telephone (records-table.module.css). */
const NAME_WIDTH = 'var(--name-width)';

export type Widths = Readonly<Record<string, number>>;

export function gridColumns(
  { fields, display_field }: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  shown: readonly Field[],
  canSelect: boolean,
): readonly GridColumn[] {
  const name = fields.find(({ key }) => key === display_field);
  return [
    ...(canSelect ? [SELECT] : []),
    { kind: 'name', id: '#name', field: name },
    ...shown.map((field) => ({ kind: 'field' as const, id: field.key, field })),
  ];
}

/** The requested fields: the name too, which is edited here. */
export function requestedFields(
  { display_field }: Pick<ObjectDefinition, 'display_field'>,
  shown: readonly Field[],
): readonly string[] {
  const keys = shown.map(({ key }) => key);
  const isThere = display_field === null || keys.includes(display_field);
  return isThere ? keys : [display_field, ...keys];
}

/** The value of `grid-template-columns`, and the least width of all columns together. */
export function templateOf(columns: readonly GridColumn[], widths: Widths) {
  const parts = columns.map((column) => {
    const width = widths[column.id];
    if (column.kind === 'select') return `${SELECT_WIDTH}px`;
    if (width !== undefined) return `${width}px`;
    return column.field === undefined || column.kind === 'name'
      ? NAME_WIDTH
      : `${widthOf(column.field)}px`;
  });
  // The name takes the remaining space, unless the person has set its width.
  const template = parts.map((part) => (part === NAME_WIDTH ? `minmax(${part}, 1fr)` : part));
  const end = `${SELECT_WIDTH}px`;
  return {
    template: [...template, end].join(' '),
    minimum: `calc(${[...parts, end].join(' + ')})`,
  };
}

/** Pixels: a letter of a heading or a tag on average, and what surrounds their text in a column. */
const LETTER = 6.4;
const AROUND_HEADING = 46;
const AROUND_TAG = 52;
/** A longer text ends in an ellipsis until the person widens the column. */
const WIDEST_AT_FIRST = 240;

/** The width of a column in pixels: that of its field type, or more where its heading or an option needs more. */
export function widthOf(field: Field): number {
  const name = field.name ?? field.key;
  const options = optionsOf(field).map(({ label }) => AROUND_TAG + label.length * LETTER);
  const needed = Math.max(AROUND_HEADING + name.length * LETTER, ...options);
  return Math.max(kindOf(field).width, Math.round(Math.min(needed, WIDEST_AT_FIRST)));
}
