// Where a pasted text goes: its headings name the fields, otherwise its columns are those from the focused cell on.
// New records are appended, or follow the rows that are pasted over. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { folded } from '../../../../tables/src/folded.ts';
import type { GridColumn } from './grid-columns.ts';

type Cells = readonly (readonly string[])[];
type Named = Pick<ObjectDefinition, 'fields' | 'display_field' | 'singular_name'>;

export interface PlacedText {
  /** The cells without headings. */
  readonly cells: Cells;
  /** Undefined: no column of the table. */
  readonly columns: readonly (GridColumn | undefined)[];
  /** Rows of headings. */
  readonly headings: 0 | 1;
  /** Headings that name no field. */
  readonly unknown: readonly string[];
}

/** A row of names is a heading when half of them are fields, and at least one is; a text of one row has none. */
export function placeText(cells: Cells, object: Named, columns: readonly GridColumn[]): PlacedText {
  const [first = [], ...rest] = cells;
  const headingFields = first.map((text) => fieldNamed(object, text));
  const matchedFields = headingFields.filter((field) => field !== undefined);
  const written = first.filter((text) => text.trim() !== '');
  const isHeading =
    rest.length > 0 &&
    matchedFields.length * 2 >= written.length &&
    matchedFields.length > 0 &&
    new Set(matchedFields).size === matchedFields.length;
  if (!isHeading) return { cells, columns, headings: 0, unknown: [] };
  return {
    cells: rest,
    columns: headingFields.map((field) => field && columnOf(object, field)),
    headings: 1,
    unknown: first.filter((text, at) => headingFields[at] === undefined && text.trim() !== ''),
  };
}

/** The field with this name or key; the name of the object stands for the name of a record. */
function fieldNamed({ fields, display_field, singular_name }: Named, text: string) {
  const wished = folded(text.trim());
  if (wished === '') return undefined;
  const found = fields.find(({ name, key }) => [name ?? '', key].map(folded).includes(wished));
  const isObject = wished === folded(singular_name ?? '');
  return found ?? (isObject ? fields.find(({ key }) => key === display_field) : undefined);
}

function columnOf({ display_field }: Named, field: Field): GridColumn {
  const kind = field.key === display_field ? 'name' : 'field';
  return { kind, id: kind === 'name' ? '#name' : field.key, field };
}

/** Over existing rows only the shown columns: of others the present value is not known. */
export function shownOnly(
  { columns, ...text }: PlacedText,
  shown: readonly GridColumn[],
): PlacedText {
  const isShown = (column: GridColumn | undefined) =>
    column !== undefined && shown.some(({ id }) => id === column.id);
  const hidden = columns.flatMap((column) =>
    column === undefined || isShown(column) ? [] : [column.field?.name ?? column.id],
  );
  return {
    ...text,
    columns: columns.map((column) => (isShown(column) ? column : undefined)),
    unknown: text.headings === 1 ? [...text.unknown, ...hidden] : text.unknown,
  };
}
