// Notes of what was done, with a button that undoes it, and the keys to undo and redo the last of them. In a field that
// text is typed into, these keys are the browser's.

import { useEffect } from 'react';
import { translate } from '../lib/messages/index.ts';
import { readSetting, writeSetting } from '../lib/storage.ts';
import {
  followUndo,
  forgetUndo,
  redoAction,
  type UndoableAct,
  undoAction,
  undoMessageOf,
} from '../lib/undo.ts';
import { problemText } from '../ui/problem.tsx';
import { hideToast, showToast } from '../ui/toast.ts';

export function UndoHost({ workspace }: { readonly workspace: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has nothing of this one to undo.
  useEffect(() => forgetUndo, [workspace]);
  useEffect(() => followUndo(tell), []);
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return null;
}

/** The act that was undone last: its note offers to redo it, until something else is done. */
let undoneLast: UndoableAct | undefined;

function tell(act: UndoableAct): void {
  if (undoneLast !== undefined) hideToast(undoneLast);
  undoneLast = undefined;
  if (act.isQuiet === true && !takeHint()) return;
  const show = () => showToast({ text: act.text, undo: () => void reportUndo(act), about: act });
  if (act.saving === undefined) show();
  else act.saving.then(show, () => undefined);
}

/** Notes of quiet acts in this browser, until the keys are used. */
const MOST_HINTS = 3;
const HINTS = 'undoHints';

function takeHint(): boolean {
  const shown = Number(readSetting(HINTS) ?? 0);
  if (shown >= MOST_HINTS) return false;
  writeSetting(HINTS, String(shown + 1));
  return true;
}

function onKey(event: KeyboardEvent): void {
  const act = actOf(event);
  if (act === undefined || event.defaultPrevented) return;
  if (event.target instanceof Element && isTypedInto(event.target)) return;
  event.preventDefault();
  writeSetting(HINTS, String(MOST_HINTS));
  act();
}

/** The act of a key press: undo by Ctrl Z, redo by Ctrl Shift Z or Ctrl Y, as in the operating systems. */
function actOf(event: KeyboardEvent): (() => void) | undefined {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  const key = event.key.toLowerCase();
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  if (key === 'z') return shiftKey ? () => void reportRedo() : () => void reportUndo();
  return key === 'y' && !shiftKey ? () => void reportRedo() : undefined;
}

/** An open dialog is about something else; the page behind it does not change meanwhile. */
function isTypedInto(element: Element): boolean {
  const isText = element.matches(
    'textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button])',
  );
  return isText || element.closest('[role=dialog]') !== null;
}

async function reportUndo(act?: UndoableAct): Promise<void> {
  const outcome = await undoAction(act);
  const t = translate();
  if (outcome.kind === 'nothing') {
    if (act === undefined) showToast({ text: t('undo.nothing') });
  } else if (outcome.kind === 'done') {
    const { act: undone } = outcome;
    undoneLast = undone;
    const text = t('undo.done', { text: undone.text });
    showToast({ text, redo: () => void reportRedo(undone), about: undone });
  } else {
    const values = { text: outcome.act.text, reason: reasonOf(outcome.error) };
    showToast({ text: t('undo.failed', values), isProblem: true });
  }
}

async function reportRedo(act?: UndoableAct): Promise<void> {
  const outcome = await redoAction(act);
  const t = translate();
  if (outcome.kind === 'nothing') {
    if (act === undefined) showToast({ text: t('redo.nothing') });
  } else if (outcome.kind === 'done') {
    const { act: redone } = outcome;
    const text = t('redo.done', { text: redone.text });
    showToast({ text, undo: () => void reportUndo(redone), about: redone });
  } else {
    const values = { text: outcome.act.text, reason: reasonOf(outcome.error) };
    showToast({ text: t('redo.failed', values), isProblem: true });
  }
}

function reasonOf(error: unknown): string {
  return undoMessageOf(error) ?? problemText(error, translate());
}
