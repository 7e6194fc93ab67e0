// Other texts of an object are searched, or its records belong to others: its search rows are rebuilt while clients
// write. Pure.

import { type ChangedObject, type ChangeKind, NO_LOCKS } from '../change-kind.ts';
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
