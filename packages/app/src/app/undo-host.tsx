// Notes of what was done, with a button that takes it back, and Ctrl Z for the last of them. In a field that text is typed
// into, Ctrl Z is the browser's.

import { useEffect } from 'react';
import { translate } from '../lib/messages/index.ts';
import {
  followUndo,
  forgetUndo,
  type UndoableAct,
  undoAction,
  undoMessageOf,
} from '../lib/undo.ts';
import { problemText } from '../ui/problem.tsx';
import { showToast } from '../ui/toast.ts';

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

function tell(act: UndoableAct): void {
  if (act.isQuiet !== true) showToast({ text: act.text, undo: () => void reportUndo(act) });
}

function onKey(event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  if (!isUndo || event.key.toLowerCase() !== 'z' || event.defaultPrevented) return;
  if (event.target instanceof Element && isTypedInto(event.target)) return;
  event.preventDefault();
  void reportUndo();
}

/** An open dialog is about something else; the page behind it does not change meanwhile. */
function isTypedInto(element: Element): boolean {
  const isText = element.matches(
    'textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button])',
  );
  return isText || element.closest('[role=dialog]') !== null;
}

async function reportUndo(act?: UndoableAct): Promise<void> {
  const t = translate();
  const outcome = await undoAction(act);
  if (outcome.kind === 'nothing') {
    if (act === undefined) showToast({ text: t('undo.nothing') });
  } else if (outcome.kind === 'done') {
    showToast({ text: t('undo.done', { text: outcome.act.text }) });
  } else {
    const reason = undoMessageOf(outcome.error) ?? problemText(outcome.error, t);
    showToast({ text: t('undo.failed', { text: outcome.act.text, reason }), isProblem: true });
  }
}
