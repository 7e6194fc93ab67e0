// The question before a request: which move, and a comment for the approvers. One dialog for all pages, loaded on first use.

import type { RecordData } from '@workspace-records/client';
import { focusBefore } from '../../lib/focus-before.ts';
import { createStore, useStore } from '../../lib/store.ts';

export interface AskedMove {
  readonly record: Pick<RecordData, 'object_type' | 'id' | 'display'>;
  readonly to: string;
  /** The status in words. */
  readonly status: string;
}

interface OpenMove extends AskedMove {
  readonly close: () => void;
}

const open = createStore<OpenMove | undefined>(undefined);

/** Milliseconds: the menu that the move was chosen in first gives the focus back to where the dialog leaves it. */
const AFTER_MENU = 50;

export function askForApproval(asked: AskedMove): void {
  setTimeout(() => {
    const giveBack = focusBefore();
    open.set({
      ...asked,
      close() {
        open.set(undefined);
        giveBack();
      },
    });
  }, AFTER_MENU);
}

export function useAskedMove(): OpenMove | undefined {
  return useStore(open);
}
