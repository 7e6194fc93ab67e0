// The unsaved edits of the person: the bar below every page, the question about a change of two people, and sending again
// when the service is back.

import { useEffect, useSyncExternalStore } from 'react';
import { LaterConflictDialog } from '../editing/later-conflict-dialog.tsx';
import {
  retryEdits,
  type Saving,
  settleConflict,
  useConflict,
  useSaving,
} from '../editing/save-edits.ts';
import { UnsavedBar, useListCode } from '../editing/unsaved/unsaved-bar.tsx';
import { followTabs } from '../lib/live-tabs.ts';
import { useT } from '../lib/messages/index.ts';
import { followReturn } from '../lib/return.ts';
import { useOnline, useWaiting } from '../lib/service-status.ts';
import { nextSignIn } from '../lib/sign-in-again.ts';
import { useEdits, useLeftEdits } from '../lib/unsaved-edits.ts';
import { Hidden } from '../ui/hidden.tsx';

/** Milliseconds until what waits is sent again, where nothing reports that the service is back. */
const AGAIN = 15_000;

export function UnsavedHost() {
  const t = useT();
  const saving = useSaving();
  const isOnline = useOnline();
  const isDelayed = useWaiting() !== undefined || !isOnline;
  const left = useLeftEdits(isDelayed);
  const conflict = useConflict();
  const edits = useEdits();
  // With the first key: later there may be no network.
  useListCode(useSyncExternalStore(edits.subscribe, () => edits.get().size > 0));
  const count = left.length;
  useEffect(followTabs, []);
  useRetries(
    saving,
    left.some(({ problem }) => problem?.kind === 'waiting'),
  );
  return (
    <>
      <Hidden>
        <span role="status">{count === 0 ? '' : t('edits.count', { count })}</span>
      </Hidden>
      {count > 0 && <UnsavedBar left={left} />}
      {conflict !== undefined && (
        <LaterConflictDialog
          key={conflict.intent.key}
          conflict={conflict}
          onSettle={(settlement) => settleConflict(saving, conflict, settlement)}
        />
      )}
    </>
  );
}

function useRetries(saving: Saving, isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return;
    let isOver = false;
    const retry = () => {
      if (!isOver && navigator.onLine) void retryEdits(saving, false);
    };
    const unfollow = followReturn(retry);
    void nextSignIn().then(retry);
    const timer = setInterval(retry, AGAIN);
    return () => {
      isOver = true;
      unfollow();
      clearInterval(timer);
    };
  }, [saving, isWaiting]);
}
