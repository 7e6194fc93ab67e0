// Data that stays in the browser: settings of the person in `localStorage`, drafts in `sessionStorage`. Either may be
// forbidden or full; then data is lost without an error.

import { forgetKept } from './kept-files.ts';

const DRAFT = 'wrs.draft:';

export function readSetting(name: string): string | undefined {
  return guarded(() => localStorage.getItem(`wrs.${name}`) ?? undefined);
}

export function writeSetting(name: string, value: string): void {
  guarded(() => localStorage.setItem(`wrs.${name}`, value));
}

/** The unsaved draft under this name, which identifies its subject. */
export function readDraft(name: string): unknown {
  return guarded(() => JSON.parse(sessionStorage.getItem(DRAFT + name) ?? 'null') ?? undefined);
}

/** Undefined forgets it. */
export function writeDraft(name: string, draft: unknown): void {
  guarded(() => {
    if (draft === undefined) sessionStorage.removeItem(DRAFT + name);
    else sessionStorage.setItem(DRAFT + name, JSON.stringify(draft));
  });
}

/** Deletes the drafts at the end of a session, so that the next person does not find them. */
export function forgetSession(): void {
  guarded(() => sessionStorage.clear());
  guarded(forgetKept);
}

/** Deletes the drafts of another person who used this tab, such as with a session that ended or was replaced. */
export function keepDraftsOf(workspace: string, person: number): void {
  const name = `person:${workspace}`;
  const before = readDraft(name);
  if (before === person) return;
  if (before !== undefined) forgetSession();
  writeDraft(name, person);
}

export function guarded<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
