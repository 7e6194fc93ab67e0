// Saving the unsaved edits of fields (lib/unsaved-edits.ts): one request at a time for each field, under the version that
// was read. An edit leaves the store when the service has confirmed it; a failure stays with it.

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Field, isRecordsError, type RecordData } from '@workspace-records/client';
import { useMemo } from 'react';
import { fieldValue, isSame } from '../lib/field-value.ts';
import { makeKey } from '../lib/idempotency-key.ts';
import { OWN_TAB } from '../lib/live-tabs.ts';
import { translate } from '../lib/messages/index.ts';
import { type Conflict, isConflict, saveField } from '../lib/record-writes.ts';
import { type Session, useSession } from '../lib/session.ts';
import { createStore, useStore } from '../lib/store.ts';
import { noteUndo } from '../lib/undo.ts';
import {
  type EditPlace,
  type EditProblem,
  editsOf,
  fieldPlace,
  isOpenEdit,
  keyOfPlace,
  type UnsavedEdit,
  type Wish,
} from '../lib/unsaved-edits.ts';
import { problemText } from '../ui/problem.tsx';
import { showToast } from '../ui/toast.ts';

export interface Saving {
  readonly session: Session;
  readonly queries: QueryClient;
}

interface EditedField {
  readonly record: RecordData;
  readonly field: Field;
}

interface Draft {
  readonly draft: unknown;
  /** The value when the editing began. */
  readonly base: unknown;
}

export function useSaving(): Saving {
  const session = useSession();
  const queries = useQueryClient();
  return useMemo(() => ({ session, queries }), [session, queries]);
}

/** Keys of the places whose wish is under way. */
const sending = new Set<string>();

/** Keeps what was typed. A wish that has failed is over: the person is about to have another one. */
export function keepDraft({ session }: Saving, edited: EditedField, { draft, base }: Draft): void {
  const edits = editsOf(session);
  const before = edits.find(fieldPlace(edited.record, edited.field));
  const isSent = before !== undefined && sending.has(keyOfPlace(before));
  edits.put({ ...editOf(edited, before, base), draft, wish: isSent ? before.wish : undefined });
}

/** Gives up what was typed; a wish that is under way stays one. */
export function dropDraft({ session }: Saving, place: EditPlace): void {
  const edits = editsOf(session);
  const edit = edits.find(place);
  if (edit?.wish === undefined || !sending.has(keyOfPlace(place))) edits.drop(place);
  else edits.put({ ...edit, draft: edit.wish.draft });
}

/** Saves a value; later ones of the same field follow it. The value of the beginning needs no request. */
export function saveEdit(
  saving: Saving,
  edited: EditedField,
  { value, draft, base }: Draft & { readonly value: unknown },
): void {
  const edits = editsOf(saving.session);
  const subject = fieldPlace(edited.record, edited.field);
  const before = edits.find(subject);
  const isSent = sending.has(keyOfPlace(subject));
  if (!isSent && isSame(value, before === undefined ? base : before.base)) {
    edits.drop(subject);
    return;
  }
  edits.put({ ...editOf(edited, before, base), draft, wish: { value, draft } });
  void sendEdit(saving, subject);
}

function editOf(
  { record, field }: EditedField,
  before: UnsavedEdit | undefined,
  base: unknown,
): Omit<UnsavedEdit, 'draft' | 'tab'> {
  const { display, version, work_item_type_id } = record;
  return {
    ...fieldPlace(record, field),
    name: display,
    itemType: work_item_type_id ?? undefined,
    field,
    base: before === undefined ? base : before.base,
    version: before === undefined ? version : before.version,
  };
}

/**
 * Sends again what has failed: by itself what waits for the service and was typed in this page, and at the person's
 * request everything that they have asked to save.
 */
export async function retryEdits(saving: Saving, isRequested: boolean): Promise<void> {
  const isDue = ({ problem, tab }: UnsavedEdit) =>
    isRequested || (problem?.kind === 'waiting' && tab === OWN_TAB);
  const due = [...editsOf(saving.session).get().values()].filter(isDue);
  await Promise.all(due.map((edit) => sendEdit(saving, edit)));
}

async function sendEdit(saving: Saving, place: EditPlace): Promise<void> {
  const key = keyOfPlace(place);
  if (sending.has(key)) return;
  sending.add(key);
  try {
    while (await sendWish(saving, place));
  } finally {
    sending.delete(key);
  }
}

/** Resolves to true when the person has another wish meanwhile. */
async function sendWish({ session, queries }: Saving, place: EditPlace): Promise<boolean> {
  const edits = editsOf(session);
  const edit = edits.find(place);
  if (edit?.field === undefined || edit.wish === undefined) return false;
  const { field, wish, base, version } = edit;
  if (edit.tab !== OWN_TAB) edits.put(edit);
  const write = (value: unknown, since: unknown) =>
    saveField(session, queries, place, { field, value, base: since, key: makeKey(), version });
  const saving = write(wish.value, base);
  // Noted in the order in which it was done: an undo while it is saved undoes this, not what was before it.
  const forgetAct = noteUndo({
    text: translate()('grid.changed', { field: field.name ?? field.key, name: nameOf(edit) }),
    undo: async () => {
      await saving;
      return write(base, wish.value);
    },
    redo: () => write(wish.value, base),
    isQuiet: true,
    saving,
  });
  try {
    const { version: savedVersion } = await saving;
    return settle({ session, place, wish, savedVersion });
  } catch (error) {
    forgetAct();
    refuse({ session, place, error });
    return false;
  }
}

interface Saved {
  readonly session: Session;
  readonly place: EditPlace;
  readonly wish: Wish;
  readonly savedVersion: string | undefined;
}

function settle({ session, place, wish, savedVersion }: Saved): boolean {
  const edits = editsOf(session);
  const edit = edits.find(place);
  if (edit === undefined) return false;
  const isLast = isSame(edit.wish, wish);
  if (isLast && isSame(edit.draft, wish.draft)) edits.drop(place);
  else {
    const next = isLast ? undefined : edit.wish;
    edits.put({ ...edit, base: wish.value, version: savedVersion, wish: next });
  }
  return !isLast;
}

interface Failed {
  readonly session: Session;
  readonly place: EditPlace;
  readonly error: unknown;
}

function refuse({ session, place, error }: Failed): void {
  const edits = editsOf(session);
  const edit = edits.find(place);
  if (edit === undefined) return;
  const problem = problemOf(error);
  edits.put({ ...edit, problem });
  if (isConflict(error)) conflicts.set([...conflicts.get(), error.conflict]);
  // Open editors show it themselves.
  else if (problem.kind === 'refused' && !isOpenEdit(place))
    showToast({ text: `${nameOf(edit)}: ${problem.text}`, isProblem: true });
}

function problemOf(error: unknown): EditProblem {
  const t = translate();
  if (isConflict(error)) return { kind: 'conflict', text: t('conflict.title') };
  const isWaiting = isRecordsError(error) && mayPass(error.status);
  return { kind: isWaiting ? 'waiting' : 'refused', text: problemText(error, t) };
}

/** No answer, no session, too many requests, or a service that is away. */
function mayPass(status: number): boolean {
  return status === 0 || status === 401 || status === 429 || status >= 500;
}

function nameOf({ name }: UnsavedEdit): string {
  return name ?? translate()('records.unnamed');
}

/** Fields that another person has changed meanwhile, to be asked about one after another. */
const conflicts = createStore<readonly Conflict[]>([]);

export function useConflict(): Conflict | undefined {
  return useStore(conflicts)[0];
}

export function settleConflict(
  saving: Saving,
  conflict: Conflict,
  settlement: 'mine' | 'theirs' | 'later',
): void {
  conflicts.set(conflicts.get().filter((one) => one !== conflict));
  const { theirs, intent } = conflict;
  const edits = editsOf(saving.session);
  const place = fieldPlace(theirs, intent.field);
  const edit = edits.find(place);
  if (edit === undefined || settlement === 'later') return;
  edits.drop(place);
  if (settlement === 'theirs') return;
  const base = fieldValue(theirs, intent.field);
  const { draft } = edit;
  saveEdit(saving, { record: theirs, field: intent.field }, { value: intent.value, draft, base });
}
