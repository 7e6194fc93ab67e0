// The view of a list: its address, on top of the saved view that the address names, or of the default view where the
// address is empty. Typing replaces the address, choices add to the history.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ObjectDefinition, View } from '@workspace-records/client';
import { useEffect, useMemo } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { splitPeek, withPeek } from '../../lib/peek.ts';
import { canShow, type Layouts } from '../../lib/record-layout.ts';
import { NO_VIEW, stateOfView, viewsQuery } from '../../lib/saved-views.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';
import {
  isEqual,
  type LayoutName,
  PLAIN_VIEW,
  parseView,
  printView,
  type ViewState,
} from '../../lib/view-state.ts';
import { showToast } from '../../ui/toast.ts';

export interface ListView {
  readonly view: ViewState;
  /** The saved view, or a list without one. */
  readonly base: ViewState;
  readonly saved: View | undefined;
  /** The views in the person's own order. */
  readonly views: readonly View[];
  change(next: ViewState, replaces?: boolean): void;
  /** Undefined: the list without a view. */
  open(id: string | undefined): Promise<void>;
  addressOf(id: string | undefined): SearchParams;
}

const NONE: readonly View[] = [];

/** Undefined: the view is unknown before the views are loaded. */
export function useView(
  object: ObjectDefinition,
  layouts: readonly LayoutName[],
): ListView | undefined {
  // The record beside the list is no part of it: opening and closing it renders nothing here.
  const search = useSearch({
    from: '/$workspace/shell/o/$type',
    select: (whole) => splitPeek(whole).list,
    structuralSharing: true,
  });
  const navigate = useNavigate({ from: '/$workspace/o/$type' });
  const { data: views = NONE, isPending } = useQuery(viewsQuery(useSession(), object.object_type));
  const isSilent = Object.keys(search).length === 0;
  const wished = isSilent ? views.find(({ is_default }) => is_default)?.id : search.view;
  const saved = views.find(({ id }) => id === wished);
  const isWaiting = isPending && (isSilent || (wished !== undefined && wished !== NO_VIEW));
  const parsed = useMemo(() => {
    const base = saved === undefined ? PLAIN_VIEW : stateOfView(saved, object.fields);
    return { base, ...possible(parseView(search, object.fields, base), layouts) };
  }, [search, object, layouts, saved]);
  const { base, dropped } = parsed;
  const isGone = !isWaiting && search.view !== undefined && search.view !== NO_VIEW && !saved;
  const view = isGone ? { ...parsed.view, view: undefined } : parsed.view;
  useTidyAddress({ isWaiting, isGone, opens: isSilent && saved !== undefined, dropped }, () =>
    navigate({
      search: (now: SearchParams) => besidePeek(now, printView(view, base)),
      replace: true,
    }),
  );
  if (isWaiting) return undefined;
  const plain = views.some(({ is_default }) => is_default) ? { view: NO_VIEW } : {};
  const addressOf = (id: string | undefined): SearchParams =>
    id === undefined ? plain : { view: id };
  return {
    ...{ view, base, saved, views },
    change(next, replaces = false) {
      const said = printView(next, base);
      // An empty address would open the default view.
      const wanted = isEqual(said, {}) ? plain : said;
      void navigate({ search: (now: SearchParams) => besidePeek(now, wanted), replace: replaces });
    },
    open: (id) => navigate({ search: addressOf(id) }),
    addressOf,
  };
}

/** Another question of the list, with the record that is shown beside it. */
function besidePeek(now: SearchParams, list: SearchParams): SearchParams {
  return withPeek(list, splitPeek(now).peek);
}

/** A layout that is not there, or that the object cannot be shown in, is left out. */
function possible(
  { view, dropped }: ReturnType<typeof parseView>,
  layouts: readonly LayoutName[],
): ReturnType<typeof parseView> {
  if (layouts.includes(view.layout)) return { view, dropped };
  return { view: { ...view, layout: 'table' }, dropped: [...dropped, 'layout'] };
}

interface Untidy {
  readonly isWaiting: boolean;
  /** The view that the address names is not there. */
  readonly isGone: boolean;
  /** A view opens by itself. */
  readonly opens: boolean;
  /** Names of the address without a meaning here. */
  readonly dropped: readonly string[];
}

/** Makes the address match the view exactly; dropped parts are reported. */
function useTidyAddress({ isWaiting, isGone, opens, dropped }: Untidy, tidy: () => unknown): void {
  const t = useT();
  const names = dropped.join(', ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what to write follows from what is untidy.
  useEffect(() => {
    if (isWaiting || !(isGone || opens || names !== '')) return;
    if (isGone) showToast({ text: t('views.gone') });
    if (names !== '') showToast({ text: t('records.dropped', { names }) });
    void tidy();
  }, [isWaiting, isGone, opens, names, t]);
}

/** The layouts that are there and that the object can be shown in, the table first. */
export function useLayouts(object: ObjectDefinition, layouts: Layouts): readonly LayoutName[] {
  return useMemo(() => {
    const others = (Object.keys(layouts) as LayoutName[]).filter((name) => name !== 'table');
    return ['table', ...others.filter((name) => canShow(name, object))];
  }, [object, layouts]);
}
