// What a list shows, as its address says it, and how it is changed: what one types replaces the address, what one chooses
// can be gone back from.

import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ObjectDefinition } from '@workspace-records/client';
import { useEffect, useMemo } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { canShow, type Layouts } from '../../lib/record-layout.ts';
import { type LayoutName, parseView, printView, type ViewState } from '../../lib/view-state.ts';
import { showToast } from '../../ui/toast.ts';

export interface View {
  readonly view: ViewState;
  change(next: ViewState, replaces?: boolean): void;
}

export function useView(object: ObjectDefinition, layouts: readonly LayoutName[]): View {
  const t = useT();
  const search = useSearch({ from: '/$workspace/shell/o/$type' });
  const navigate = useNavigate({ from: '/$workspace/o/$type' });
  const { view, dropped } = useMemo(() => {
    const parsed = parseView(search, object.fields);
    if (layouts.includes(parsed.view.layout)) return parsed;
    return {
      view: { ...parsed.view, layout: 'table' as const },
      dropped: [...parsed.dropped, 'layout'],
    };
  }, [search, object, layouts]);
  const names = dropped.join(', ');
  useEffect(() => {
    if (names === '') return;
    showToast({ text: t('records.dropped', { names }) });
    void navigate({ search: printView(view), replace: true });
  }, [names, t, navigate, view]);
  return {
    view,
    change(next, replaces = false) {
      void navigate({ search: printView(next), replace: replaces });
    },
  };
}

/** The layouts that are there and that the object can be shown in, the table first. */
export function useLayouts(object: ObjectDefinition, layouts: Layouts): readonly LayoutName[] {
  return useMemo(() => {
    const others = (Object.keys(layouts) as LayoutName[]).filter((name) => name !== 'table');
    return ['table', ...others.filter((name) => canShow(name, object))];
  }, [object, layouts]);
}
