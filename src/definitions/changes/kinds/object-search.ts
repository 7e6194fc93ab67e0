// A change of the searched texts of an object, or of the owners of its records: its search rows are rebuilt while
// clients write. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { ObjectModel } from '../../../model/definition/model.ts';
import { type ChangedObject, type ChangeKind, NO_LOCKS } from '../change-kind.ts';
import { change, named } from '../change-notice.ts';
import { describeFormula } from '../stored-form.ts';
import { objectPath, searchRowsOf } from './parts.ts';

export interface IndexSearch extends ChangedObject {
  readonly kind: 'index_search';
}

export const indexSearch: ChangeKind<IndexSearch> = Object.freeze({
  kind: 'index_search',
  path: objectPath,
  locks: () => NO_LOCKS,
  statements: () => [],
  works: () => ['search' as const],
  rebuildsSearch: (step: IndexSearch) => step,
  leaves: ({ from }: IndexSearch) => searchRowsOf(from),
});

/** The search index has the owner of each record, so a change of owners changes the index too. */
export function findSearch(old: ObjectModel, object: ObjectModel) {
  if (!hasNewSearchRows(old, object)) return [];
  const keys = object.searched.map(({ field }) => field.key);
  const summary = `~ search over ${object.object_type} (${named(keys) || 'nothing'})`;
  return [change<IndexSearch>({ kind: 'index_search', from: old, object }, summary)];
}

export function hasNewSearchRows(old: ObjectModel, object: ObjectModel): boolean {
  const textsOf = ({ searched }: ObjectModel) =>
    searched.map(({ field, kind }) => [field.key, kind, describeFormula(field)]);
  if (!isDeepStrictEqual(textsOf(old), textsOf(object))) return true;
  return old.owned !== object.owned && object.searched.length > 0;
}
