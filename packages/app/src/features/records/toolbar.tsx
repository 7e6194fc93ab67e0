// The tools above a list: its filters, search and order. They come after the first rows.

import type { ObjectDefinition } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { FilterBar } from '../../editing/filters/filter-bar.tsx';
import type { ViewState } from '../../lib/view-state.ts';
import { GroupMenu } from './groups/group-menu.tsx';
import { SortMenu } from './sort-menu.tsx';

interface ToolbarProps {
  readonly object: ObjectDefinition;
  readonly view: ViewState;
  readonly onChange: (view: ViewState) => void;
  /** Further tools, at the end. */
  readonly children: ReactNode;
}

export default function Toolbar({ object, view, onChange, children }: ToolbarProps) {
  return (
    <>
      <FilterBar
        object={object}
        where={view.where}
        onChange={(where) => onChange({ ...view, where })}
      />
      <SortMenu object={object} sort={view.sort} onChange={(sort) => onChange({ ...view, sort })} />
      {view.layout === 'table' && <GroupMenu object={object} view={view} onChange={onChange} />}
      {children}
    </>
  );
}
