// Rebuilds the search rows of an object for the next definition: the columns that are read of the stored records, and
// the rows that the records will have. Pure; apply/data-builds.ts does the work.

import { fittingValue, labelledTexts } from '../../model/definition/fitting.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { reachColumn } from '../../model/rights/access.ts';
import type { Row } from '../../model/values/row.ts';
import { type SearchChange, searchRowsOf } from '../../plan/search/search-rows.ts';
import { currentValue } from '../../plan/write/write-validation.ts';
import type { RecordColumns } from './build-sql.ts';
import type { Renamed } from './diff/diff-renames.ts';
import { describeFormula } from './stored-form.ts';

export interface SearchBuild {
  /** The object after the change, with the name that its new rows have. */
  readonly object: ObjectModel;
  /** The key that its audit has until now. */
  readonly object_type: string;
  /** The columns that are read of its records. */
  readonly read: RecordColumns;
  /** The present places of the values of its searched fields; new fields have none. */
  readonly places: readonly SearchedField[];
}

/** A searched field as it will be, and as it is stored until now. */
interface SearchedField {
  readonly field: Field;
  readonly from: Field;
}

/** The rows of an object that stays as it is. */
export function sameSearch(object: ObjectModel): SearchBuild {
  const places = readFields(object).map((field) => ({ field, from: field }));
  const { object_type } = object;
  return withColumns({ object, object_type, places }, reachColumn(object));
}

/** The build of `object` after a change, from the records of `old`, which has its new keys already. */
export function searchBuildOf(
  object: ObjectModel,
  old: ObjectModel,
  { typeBefore }: Pick<Renamed, 'typeBefore'>,
): SearchBuild {
  const places = readFields(object).flatMap((field): readonly SearchedField[] => {
    const from = old.fields.get(field.key);
    return from === undefined ? [] : [{ field, from }];
  });
  // Owners that come with the change are null until then.
  const isReached = !object.owned || old.owned;
  const build = { object, object_type: typeBefore(old.object_type), places };
  return withColumns(build, isReached ? reachColumn(object) : undefined);
}

/** The stored fields that search rows are made of: the searched ones, and those that formulas among them read. */
function readFields({ fields, searched }: ObjectModel): readonly Field[] {
  const read = searched.flatMap(({ field }) => [
    field,
    ...[...(field.formula?.inputs ?? [])].flatMap((key) => fields.get(key) ?? []),
  ]);
  return [...new Set(read)].filter(({ formula }) => formula === null);
}

function withColumns(build: Omit<SearchBuild, 'read'>, reach: string | undefined): SearchBuild {
  const own = build.places.map(({ from }) => from.column);
  const columns = new Set(['id', ...(reach === undefined ? [] : [reach]), ...own]);
  return { ...build, read: { table: build.object.table, columns: [...columns] } };
}

/** The rows of these records, and their words. */
export function builtRowsOf(
  { object, places }: SearchBuild,
  records: readonly Row[],
): Pick<SearchChange, 'rows' | 'words'> {
  return searchRowsOf(
    object,
    records.map((record) => {
      const columns: Record<string, unknown> = { ...record };
      const custom: Record<string, unknown> = {};
      for (const { field, from } of places) {
        const value = valueAfter(from, field, currentValue(record, from));
        if (field.storage === 'physical') columns[field.column] = value;
        else custom[field.custom_key] = value;
      }
      return { ...columns, custom_fields: custom };
    }),
  );
}

function valueAfter(from: Field, field: Field, value: unknown): unknown {
  if (value === null || from.type === field.type) return value;
  const fitting = fittingValue(from, field, value);
  // A value that does not fit refuses the change.
  return 'value' in fitting ? fitting.value : null;
}

/** A text that is equal for builds of equal rows, whatever name the rows have. */
export function describeBuild({ object, ...build }: SearchBuild): string {
  const searched = object.searched.map(({ field, kind }) => {
    return [field.key, field.type, kind, describeFormula(field)];
  });
  const places = build.places.map(({ field, from }) => [
    field.key,
    from.type,
    from.storage,
    from.column,
    from.custom_key,
    ...labelledTexts(from, field),
  ]);
  return JSON.stringify([build.object_type, object.object_type, object.owned, searched, places]);
}
