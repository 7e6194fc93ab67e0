// The unsaved edits of a person in a workspace: whatever was typed and not confirmed by the service, from the first key
// on. Each is bound to a field of a record, to a comment or to a new record, and is kept in `localStorage` over reloads.
// Nothing here sends anything (editing/save-edits.ts).

import type { Field, RecordData } from '@workspace-records/client';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { noteLive, OWN_TAB, useIsElsewhere } from './live-tabs.ts';
import { type Session, useSession } from './session.ts';
import { guarded } from './storage.ts';
import { createStore, useStore } from './store.ts';

/** The subject of an edit. */
export interface EditPlace {
  readonly kind: 'field' | 'comment' | 'form';
  /** The object. */
  readonly type: string;
  /** The id of the record; empty for a new one. */
  readonly id: string;
  /** The key of the field, or the values that a new record begins with; empty for a comment. */
  readonly part: string;
}

export interface UnsavedEdit extends EditPlace {
  /** The name of the record. */
  readonly name: string | null;
  readonly itemType?: string | undefined;
  /** The definition of the field at the first key. */
  readonly field?: Field;
  readonly draft: unknown;
  /** The value of the field at the first key: a change by another person since then needs a decision. */
  readonly base?: unknown;
  /** The version of the record at the first key. */
  readonly version?: string | undefined;
  /** The value that the person has asked to save. */
  readonly wish?: Wish | undefined;
  /** Why it was not saved. */
  readonly problem?: EditProblem | undefined;
  /** The page that it was typed in (live-tabs.ts). */
  readonly tab: string;
}

export interface Wish {
  readonly value: unknown;
  /** The draft of the value. */
  readonly draft: unknown;
}

export interface EditProblem {
  /** `waiting`: it is sent again by itself. `refused`: another attempt would get the same answer. */
  readonly kind: 'waiting' | 'refused' | 'conflict';
  readonly text: string;
}

type Edits = ReadonlyMap<string, UnsavedEdit>;

export interface EditStore {
  get(): Edits;
  find(place: EditPlace): UnsavedEdit | undefined;
  /** Replaces the edit of the same place. */
  put(edit: Omit<UnsavedEdit, 'tab'>): void;
  drop(place: EditPlace): void;
  subscribe(listener: () => void): () => void;
  /** Erases all edits, also from the storage; nothing is kept afterwards. */
  erase(): void;
}

export function keyOfPlace({ kind, type, id, part }: EditPlace): string {
  return JSON.stringify([kind, type, id, part]);
}

export function fieldPlace(
  { object_type: type, id }: Pick<RecordData, 'object_type' | 'id'>,
  { key }: Pick<Field, 'key'>,
): EditPlace {
  return { kind: 'field', type, id, part: key };
}

const stores = new Map<string, EditStore>();

/** The store of the person; the same for each call. */
export function editsOf({ workspace, me }: Pick<Session, 'workspace' | 'me'>): EditStore {
  const prefix = `wrs.edits:${workspace}:${me.user.id}:`;
  const store = stores.get(prefix) ?? openEdits(prefix);
  stores.set(prefix, store);
  return store;
}

/** Each edit is an entry of its own: windows that type at the same time do not overwrite each other's. */
export function openEdits(prefix: string): EditStore {
  const store = createStore<Edits>(readAll(prefix));
  let isErased = false;
  const change = (key: string, edit: UnsavedEdit | undefined) => {
    const next = new Map(store.get());
    if (edit === undefined) next.delete(key);
    else next.set(key, edit);
    store.set(next);
  };
  globalThis.addEventListener?.('storage', ({ key, newValue }) => {
    if (key?.startsWith(prefix) !== true || isErased) return;
    const edit = parsedEdit(newValue);
    if (edit !== undefined) noteLive(edit.tab);
    change(key.slice(prefix.length), edit);
  });
  return {
    ...store,
    find: (place) => store.get().get(keyOfPlace(place)),
    put(edit) {
      if (isErased) return;
      const key = keyOfPlace(edit);
      const own: UnsavedEdit = { ...edit, tab: OWN_TAB };
      guarded(() => localStorage.setItem(prefix + key, JSON.stringify(own)));
      change(key, own);
    },
    drop(place) {
      const key = keyOfPlace(place);
      guarded(() => localStorage.removeItem(prefix + key));
      if (store.get().has(key)) change(key, undefined);
    },
    erase() {
      isErased = true;
      for (const key of store.get().keys()) guarded(() => localStorage.removeItem(prefix + key));
      store.set(new Map());
    },
  };
}

function readAll(prefix: string): Edits {
  const names = guarded(() => Object.keys(localStorage)) ?? [];
  const entries = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => [name.slice(prefix.length), parsedEdit(localStorage.getItem(name))] as const);
  return new Map(entries.filter((entry): entry is [string, UnsavedEdit] => entry[1] !== undefined));
}

function parsedEdit(text: string | null): UnsavedEdit | undefined {
  return guarded(() => JSON.parse(text ?? 'null') ?? undefined);
}

export function useEdits(): EditStore {
  const session = useSession();
  return useMemo(() => editsOf(session), [session]);
}

/** The unsaved edit of a place; undefined: there is none. */
export function useEdit(place: EditPlace): UnsavedEdit | undefined {
  const edits = useEdits();
  const key = keyOfPlace(place);
  const get = useCallback(() => edits.get().get(key), [edits, key]);
  return useSyncExternalStore(edits.subscribe, get);
}

/** Keys of the places with an editor in this page. */
const open = createStore<readonly string[]>([]);

/** Notes that an editor of the place is open, as long as the component is there. */
export function useOpenEdit(place: EditPlace): void {
  const key = keyOfPlace(place);
  useEffect(() => {
    open.set([...open.get(), key]);
    return () => open.set(open.get().toSpliced(open.get().indexOf(key), 1));
  }, [key]);
}

/** Whether this page has an open editor of the place. */
export function isOpenEdit(place: EditPlace): boolean {
  return open.get().includes(keyOfPlace(place));
}

/**
 * The edits to be shown as not saved: neither in an open editor, here or in another window, nor on their way to a service
 * that answers. `isDelayed`: it does not.
 */
export function useLeftEdits(isDelayed: boolean): readonly UnsavedEdit[] {
  const edits = useEdits();
  const all = useSyncExternalStore(edits.subscribe, edits.get);
  const opened = useStore(open);
  const isElsewhere = useIsElsewhere();
  return [...all].flatMap(([key, edit]) => {
    const isInHand = opened.includes(key) || isElsewhere(edit.tab) || isOnItsWay(edit, isDelayed);
    return isInHand && edit.problem === undefined ? [] : [edit];
  });
}

/** The edit of a place without an open editor, when it is to be shown as not saved. */
export function useLeftEdit(place: EditPlace): UnsavedEdit | undefined {
  const edit = useEdit(place);
  const isElsewhere = useIsElsewhere();
  if (edit === undefined || edit.problem !== undefined) return edit;
  return isElsewhere(edit.tab) || isOnItsWay(edit, false) ? undefined : edit;
}

function isOnItsWay({ tab, wish }: UnsavedEdit, isDelayed: boolean): boolean {
  return tab === OWN_TAB && wish !== undefined && !isDelayed;
}
