// The undo stack: the last twenty actions of the person, newest first, and those that were undone, to be redone. An
// entry is undone by the button of its note or by Ctrl Z; the host of the notes (app/undo-host.tsx) shows the result.

export interface UndoableAct {
  /** The action, in words. */
  readonly text: string;
  /** True: without a note after the first few, because the page shows the action. */
  readonly isQuiet?: boolean;
  /** The save that is under way; it may fail. */
  readonly saving?: Promise<unknown>;
  /** The inverse writes, each under the version that the act has left. */
  undo(): Promise<unknown>;
  /** The writes again, each under the version that the undo has left; it may be undone once more. */
  redo(): Promise<unknown>;
}

export type UndoOutcome =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'done'; readonly act: UndoableAct }
  | { readonly kind: 'failed'; readonly act: UndoableAct; readonly error: unknown };

type Stack = 'done' | 'undone';

const MOST = 20;

const stacks: Record<Stack, readonly UndoableAct[]> = { done: [], undone: [] };
const listeners = new Set<(act: UndoableAct) => void>();

/**
 * Puts it on the stack, and shows a note with a button unless it is quiet and people know the way back. The returned function takes it off again:
 * an action that is noted while it is under way may fail. After a new action nothing can be redone.
 */
export function noteUndo(act: UndoableAct): () => void {
  stacks.undone = [];
  push('done', act);
  for (const listener of listeners) listener(act);
  return () => drop('done', act);
}

/** Called with each action that is noted. */
export function followUndo(listener: (act: UndoableAct) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Undoes this act, the last one by default. */
export function undoAction(wished?: UndoableAct): Promise<UndoOutcome> {
  return turn({ from: 'done', to: 'undone', wished, act: (one) => one.undo() });
}

/** Redoes this act, the one that was undone last by default. */
export function redoAction(wished?: UndoableAct): Promise<UndoOutcome> {
  return turn({ from: 'undone', to: 'done', wished, act: (one) => one.redo() });
}

interface Turn {
  readonly from: Stack;
  readonly to: Stack;
  readonly wished: UndoableAct | undefined;
  act(one: UndoableAct): Promise<unknown>;
}

/** The last turn that was asked for: the next one waits for it, as it may be about the same act. */
let underWay: Promise<unknown> = Promise.resolve();

function turn(asked: Turn): Promise<UndoOutcome> {
  const outcome = underWay.then(() => take(asked));
  underWay = outcome;
  return outcome;
}

async function take({ from, to, wished, act }: Turn): Promise<UndoOutcome> {
  const entry = wished === undefined ? stacks[from].at(-1) : find(from, wished);
  if (entry === undefined) return { kind: 'nothing' };
  drop(from, entry);
  try {
    await act(entry);
    push(to, entry);
    return { kind: 'done', act: entry };
  } catch (error) {
    return { kind: 'failed', act: entry, error };
  }
}

function find(stack: Stack, act: UndoableAct): UndoableAct | undefined {
  return stacks[stack].find((one) => one === act);
}

function push(stack: Stack, act: UndoableAct): void {
  stacks[stack] = [...stacks[stack], act].slice(-MOST);
}

function drop(stack: Stack, act: UndoableAct): void {
  stacks[stack] = stacks[stack].filter((one) => one !== act);
}

/**
 * Forgets the acts, after one that cannot be undone, and at the end of a session: the next person has done none of
 * them.
 */
export function forgetUndo(): void {
  stacks.done = [];
  stacks.undone = [];
}

/** Acts that can be undone now. */
export function undoCount(): number {
  return stacks.done.length;
}

/** The error of an `undo` that has its own message for the failure. */
export function undoRefusal(told: string): Error {
  return Object.assign(new Error(told), { told });
}

export function undoMessageOf(error: unknown): string | undefined {
  return error instanceof Error && 'told' in error ? String(error.told) : undefined;
}
