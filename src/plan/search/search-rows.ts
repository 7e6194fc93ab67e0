// The rows of a record in the search index: one for each word of its searchable values. Pure; the
// statements are in sql/write/search-rows-sql.ts.

import type { Field, ObjectModel, SearchedField } from '../../model/definition/model.ts';
import { formulaValue } from '../../model/formulas/evaluate-formula.ts';
import { reachColumn } from '../../model/rights/access.ts';
import { lexemesOf } from '../../model/text/search-lexemes.ts';
import { slipWords, type WordPosition, wordStarts } from '../../model/text/search-text.ts';
import type { Row } from '../../model/values/row.ts';
import { type Change, currentValue } from '../write/write-validation.ts';
import { rowAfter } from '../write/written-rows.ts';

export interface SearchRow {
  readonly record_id: string;
  /** The source, as in `SearchedField`. */
  readonly source: string;
  readonly place: WordPosition;
  readonly text: string;
  readonly reach_user_id: number | null;
  /** The `tsvector` of the record, in one row of it: that of the display value when there is one. */
  readonly words: string | null;
}

/**
 * The change of the search index by a write: rows of records are deleted, then these are
 * inserted.
 */
export interface SearchChange {
  readonly removed: readonly string[];
  readonly rows: readonly SearchRow[];
  /** Words that a search may match with a typo. */
  readonly words: readonly string[];
}

/** The change of the index for these changes of records; undefined when it stays as it is. */
export function searchChangeOf(
  object: ObjectModel,
  changes: readonly Change[],
): SearchChange | undefined {
  if (object.searched.length === 0) return undefined;
  // The last state counts when several operations change a record.
  const written = new Map<string, Row>();
  for (const change of changes) {
    const record = writtenRecord(object, change);
    if (record !== undefined) written.set(change.id, record);
  }
  const removed = changes.flatMap((change) =>
    change.kind === 'delete' || isReindexed(object, change) ? [change.id] : [],
  );
  if (written.size === 0 && removed.length === 0) return undefined;
  return { removed, ...searchRowsOf(object, [...written.values()]) };
}

/** The rows of whole records, given by their columns. */
export function searchRowsOf(
  object: ObjectModel,
  records: readonly Row[],
): Pick<SearchChange, 'rows' | 'words'> {
  const rows = records.flatMap((record) => rowsOf(object, record));
  return { rows, words: slipWords(rows) };
}

function rowsOf(object: ObjectModel, record: Row): readonly SearchRow[] {
  const record_id = String(record.id);
  const reach_user_id = (record[reachColumn(object)] ?? null) as number | null;
  const rows = object.searched.flatMap(({ field, source, kind }): readonly SearchRow[] => {
    const { formula } = field;
    const value = formula === null ? currentValue(record, field) : formulaValue(formula, record);
    if (typeof value !== 'string') return [];
    return wordStarts(kind, value).map(({ place, text }) => {
      return { record_id, source, place, text, reach_user_id, words: null };
    });
  });
  const bearer = rows.find(({ place }) => place === 0) ?? rows[0];
  return rows.map((row) =>
    row === bearer ? { ...row, words: lexemesOf(rows, reach_user_id) } : row,
  );
}

/** The record as it will be stored; undefined when the change does not affect the index. */
function writtenRecord(object: ObjectModel, change: Change): Row | undefined {
  return change.kind === 'insert' || isReindexed(object, change) ? rowAfter(change) : undefined;
}

function isReindexed(object: ObjectModel, change: Change): boolean {
  if (change.kind !== 'update') return false;
  const isSet = ({ field }: SearchedField) => change.set.has(field) || isInputSet(field, change);
  const searched = object.searched.some(isSet);
  return searched || [...change.set.keys()].some(({ column }) => column === reachColumn(object));
}

function isInputSet({ formula }: Field, { set }: Extract<Change, { kind: 'update' }>): boolean {
  return formula !== null && [...set.keys()].some(({ key }) => formula.inputs.has(key));
}
