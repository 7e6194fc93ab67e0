// The undo stack: the last twenty actions of the person, newest first. An entry is undone once, by the button of its
// note or by Ctrl Z; the host of the notes (app/undo-host.tsx) shows the result.

export interface UndoableAct {
  /** The action, in words. */
  readonly text: string;
  /** True: without a note, because the page shows the action. */
  readonly isQuiet?: boolean;
  /** The inverse writes, each under the version that the act has left. */
  undo(): Promise<unknown>;
}

export type UndoOutcome =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'done'; readonly act: UndoableAct }
  | { readonly kind: 'failed'; readonly act: UndoableAct; readonly error: unknown };

const MOST = 20;

let stack: readonly UndoableAct[] = [];
const listeners = new Set<(act: UndoableAct) => void>();

/**
 * Puts it on the stack, and shows a note with a button unless it is quiet. The returned function takes it off again:
 * an action that is noted while it is under way may fail.
 */
export function noteUndo(act: UndoableAct): () => void {
  stack = [...stack, act].slice(-MOST);
  for (const listener of listeners) listener(act);
  return () => {
    stack = stack.filter((one) => one !== act);
  };
}

/** Called with each action that is noted. */
export function followUndo(listener: (act: UndoableAct) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Undoes this act, the last one by default. */
export async function undoAction(wished?: UndoableAct): Promise<UndoOutcome> {
  const act = wished === undefined ? stack.at(-1) : stack.find((one) => one === wished);
  if (act === undefined) return { kind: 'nothing' };
  // Before the first await: a second press must not take it back again.
  stack = stack.filter((one) => one !== act);
  try {
    await act.undo();
    return { kind: 'done', act };
  } catch (error) {
    return { kind: 'failed', act, error };
  }
}

/** At the end of a session: the next person has done none of it. */
export function forgetUndo(): void {
  stack = [];
}

/** Acts that can be undone now. */
export function undoCount(): number {
  return stack.length;
}

/** The error of an `undo` that has its own message for the failure. */
export function undoRefusal(told: string): Error {
  return Object.assign(new Error(told), { told });
}

export function undoMessageOf(error: unknown): string | undefined {
  return error instanceof Error && 'told' in error ? String(error.told) : undefined;
}
