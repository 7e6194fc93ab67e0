// The search of a list as its layouts have it: a condition on the shown columns of text, as soon as those with an index
// are known.

import type { ObjectDefinition } from '@workspace-records/client';
import { useMemo, useState } from 'react';
import { useIndexedKeys } from '../../editing/filters/indexed-fields.ts';
import { columnsOf } from '../../lib/list-columns.ts';
import {
  type SearchedColumns,
  SHORTEST_PART,
  searchedColumns,
  searchPart,
  withoutSearch,
  withSearch,
} from '../../lib/list-search.ts';
import type { ViewState } from '../../lib/view-state.ts';

export interface ListSearch {
  /** The view for the layout. */
  readonly view: ViewState;
  /** The state for the address after a change that the layout makes. */
  toAddress(next: ViewState): ViewState;
  /** Undefined: not known yet. */
  readonly columns: SearchedColumns | undefined;
  /** Load the columns: the search field has the focus. */
  begin(): void;
}

export function useListSearch(object: ObjectDefinition, view: ViewState): ListSearch {
  const [isBegun, setBegun] = useState(false);
  const isLong = [...view.q].length >= SHORTEST_PART;
  const indexed = useIndexedKeys(object.object_type, isBegun || isLong);
  const columns = useMemo(() => {
    const shown = columnsOf(object, view.fields);
    return indexed && searchedColumns(object, shown, indexed);
  }, [object, view.fields, indexed]);
  const part = useMemo(() => columns && searchPart(view.q, columns), [columns, view.q]);
  const searched = useMemo(() => withSearch(view, part), [view, part]);
  return {
    view: searched,
    columns,
    toAddress: (next) => withoutSearch(next, view, part),
    begin: () => setBegun(true),
  };
}
