// The question of a list as an export asks it: the same records in the same order, with the shown columns or all. Pure.

import type { ObjectDefinition } from '@workspace-records/client';
import type { ExportBody } from '../../lib/exports.ts';
import { columnsOf } from '../../lib/list-columns.ts';
import { selectionOf } from '../../lib/record-lists.ts';
import type { ViewState } from '../../lib/view-state.ts';

export interface ExportChoice {
  readonly format: 'csv' | 'jsonl' | 'xlsx' | 'vcf';
  /** The shown columns, or all that the person may read. */
  readonly columns: 'shown' | 'all';
  /** True: the file begins with the mark by which Excel recognises UTF-8. */
  readonly isForExcel: boolean;
  /** The labels of options, or their values. */
  readonly names: 'names' | 'keys';
}

export function exportBodyOf(
  object: ObjectDefinition,
  view: Pick<ViewState, 'q' | 'where' | 'sort' | 'fields'>,
  { format, columns, isForExcel, names }: ExportChoice,
): ExportBody {
  const displayed = [
    ...(object.display_field === null ? [] : [object.display_field]),
    ...columnsOf(object, view.fields)
      .filter(({ rollup }) => rollup === undefined)
      .map(({ key }) => key),
  ];
  const { where, query, timezone } = selectionOf(view);
  return {
    object_type: object.object_type,
    format,
    ...(where === undefined ? {} : { where, timezone }),
    ...(query === undefined ? {} : { query }),
    ...(columns === 'all' || format === 'vcf' ? {} : { fields: [...new Set(displayed)] }),
    sort: view.sort.map(({ key, isDescending }) => ({
      field: key,
      direction: isDescending ? ('desc' as const) : ('asc' as const),
    })),
    ...(format === 'csv' ? { bom: isForExcel } : {}),
    ...(format === 'csv' || format === 'xlsx' ? { names: names === 'names' } : {}),
  };
}
