// A list with the record that its address names beside it. The list keeps its scroll position and its focus: Space on a
// row opens its record, the arrow keys lead to others, Enter leads to the page, Escape closes it.

import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import {
  type ComponentType,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { noteTrail, shownRecords } from '../../lib/list-trail.ts';
import { followPeek, splitPeek } from '../../lib/peek.ts';
import { noteObject, noteView } from '../../lib/recent.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';
import { useSteadyActs } from '../../lib/steady-acts.ts';
import classes from './peek.module.css';
import { onPeekKey, type PeekKeyActs, recordOfElement } from './peek-keys.ts';
import { usePeekAddress } from './use-peek-address.ts';

export interface PeekPanelProps {
  readonly type: string;
  readonly id: string;
  readonly onClose: () => void;
  /** Another record in its place. */
  readonly onShow: (id: string) => void;
}

interface PeekHostProps {
  readonly Panel: ComponentType<PeekPanelProps>;
  /** The list. */
  readonly children: ReactNode;
}

export function PeekHost({ Panel, children }: PeekHostProps) {
  const { type } = useParams({ from: '/$workspace/shell/o/$type' });
  const search = useSearch({ from: '/$workspace/shell/o/$type' });
  const { peek } = splitPeek(search);
  const { workspace } = useSession();
  const list = useRef<HTMLDivElement>(null);
  const { show, close } = usePeekAddress(peek);
  const navigate = useNavigate();
  useNotedTrail(type);
  useMarked(list, peek);
  const open = useEffectEvent(show);
  useEffect(() => followPeek((id) => open(id)), []);
  const leave = () => {
    const focused = document.activeElement;
    if (!list.current?.contains(focused)) focusRecord(list.current, peek);
    close();
  };
  const acts: PeekKeyActs = {
    peek,
    show,
    close: leave,
    open: (id) => void navigate({ to: '/$workspace/o/$type/$id', params: { workspace, type, id } }),
  };
  const follow = useFollowedFocus(peek, show);
  return (
    <div className={classes.host} data-open={peek !== undefined || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens to the rows and cards in it. */}
      <div
        ref={list}
        className={classes.list}
        onKeyDownCapture={(event: KeyboardEvent) => onPeekKey(event, acts)}
        onFocus={follow}
      >
        {children}
      </div>
      <PeekPlace {...{ Panel, type, peek }} onClose={leave} onShow={show} />
    </div>
  );
}

interface PeekPlaceProps extends Omit<PeekPanelProps, 'id'> {
  readonly Panel: ComponentType<PeekPanelProps>;
  readonly peek: string | undefined;
}

/** A panel that is closed is hidden at once, and taken apart after the frame without it. */
function PeekPlace({ Panel, type, peek, onClose, onShow }: PeekPlaceProps) {
  const last = useDeferredValue(peek);
  const id = peek ?? last;
  const acts = useSteadyActs({ onClose, onShow });
  const panel = useMemo(
    () => (id === undefined ? null : <Panel type={type} id={id} {...acts} />),
    [Panel, type, id, acts],
  );
  return (
    <div className={classes.place} hidden={peek === undefined}>
      {panel}
    </div>
  );
}

/** Milliseconds of rest before the record follows: an arrow key that is held must not read each one. */
const REST = 120;

/** Shows the record of the row that gets the focus, while a record is shown. */
function useFollowedFocus(peek: string | undefined, show: (id: string) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOpen = peek !== undefined;
  // A record that was closed meanwhile stays closed.
  useEffect(() => (isOpen ? () => clearTimeout(timer.current) : undefined), [isOpen]);
  return ({ target }: FocusEvent) => {
    if (peek === undefined) return;
    const id = recordOfElement(target);
    clearTimeout(timer.current);
    if (id !== undefined && id !== peek) timer.current = setTimeout(() => show(id), REST);
  };
}

/** Marks the row or the card of the record, where it is in the document. */
function useMarked(list: RefObject<HTMLElement | null>, id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const found = list.current?.querySelector(`[data-record="${id}"], [data-card="${id}"]`);
    const row = found?.closest('[role=row], article');
    row?.setAttribute(MARK, '');
    // The layout is computed once for this frame.
    const frame = requestAnimationFrame(() => row?.scrollIntoView({ block: 'nearest' }));
    return () => {
      cancelAnimationFrame(frame);
      row?.removeAttribute(MARK);
    };
  }, [list, id]);
}

/** The attribute of the record that peek.module.css marks. */
const MARK = 'data-peeked';

function focusRecord(list: HTMLElement | null, id: string | undefined): void {
  list
    ?.querySelector<HTMLElement>(`[data-record="${id}"], [data-card="${id}"]`)
    ?.focus({ preventScroll: true });
}

/** True when a list differs from the one that its name in the navigation leads to. */
function isNarrowed({ view: _, ...search }: SearchParams): boolean {
  return Object.keys(search).length > 0;
}

/** Keeps the address and the records of the list for the pages of its records, and the object for what begins with it. */
function useNotedTrail(type: string): void {
  const { workspace } = useSession();
  const search = useSearch({ from: '/$workspace/shell/o/$type' });
  const queries = useQueryClient();
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);
  useEffect(() => noteObject(workspace, type), [workspace, type]);
  // Before the queries of the list are left by its components.
  useLayoutEffect(
    () => () => {
      const place = { workspace, type };
      const { list } = splitPeek(latest.current);
      noteTrail(place, { search: list, ...shownRecords(queries, place) });
      const views: readonly View[] | undefined = queries.getQueryData([workspace, type, 'views']);
      const name = views?.find(({ id }) => id === list.view)?.name;
      if (name !== undefined || isNarrowed(list)) noteView(workspace, { type, name, search: list });
    },
    [workspace, type, queries],
  );
}
