// Changes as data, and the difference between entries of two documents that have no table of their own:
// added, removed, changed.

import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '../../model/own-value.ts';
import type { Steps } from '../../model/steps.ts';
import type { Change } from './change.ts';
import type { Step } from './kinds/index.ts';
import type { Requirement } from './requirement.ts';

/** Why a change cannot be made, or what must hold for it. */
export interface Notice {
  readonly loss?: string | null;
  readonly refusal?: string;
  /** True: existing data blocks it, and the document is valid. */
  readonly conflicts?: boolean;
  readonly requirements?: readonly Requirement[];
  readonly expectations?: readonly Requirement[];
}

/** A step with its line of the plan, which starts with `+`, `-` or `~`. */
export function change(step: Step, summary: string, notice: Notice = {}): Change {
  const { loss = null, refusal = null, requirements = [], ...about } = notice;
  return { ...step, summary, loss, refusal, requirements, ...about };
}

/** Names that a line of the plan tells. */
const MOST_NAMED = 50;

/** In one line; of many names the first ones. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

export type Entries = Readonly<Record<string, unknown>>;

const SECTIONS = Object.freeze({
  workflow: 'workflows',
  'work item type': 'work_item_types',
  role: 'roles',
});

/** Entries of the document that have no table: added, removed, changed. */
export function* diffEntries(
  noun: keyof typeof SECTIONS,
  before: Entries = {},
  after: Entries = {},
  noticeOf: (key: string) => Notice = () => ({}),
): Steps<Change[]> {
  const changes: Change[] = [];
  for (const key of new Set([...Object.keys(after), ...Object.keys(before)])) {
    yield;
    const [old, now] = [ownValue(before, key), ownValue(after, key)];
    const path = `${SECTIONS[noun]}.${key}`;
    const note = (summary: string, notice: Notice = {}) =>
      change({ kind: 'note', path }, summary, notice);
    if (old === undefined) changes.push(note(`+ ${noun} ${key}`));
    else if (now === undefined) changes.push(note(`- ${noun} ${key}`, noticeOf(key)));
    else if (!isDeepStrictEqual(old, now)) {
      const parts = changedKeys(old as Entries, now as Entries);
      changes.push(note(`~ ${noun} ${key} (${parts.join(', ')})`, noticeOf(key)));
    }
  }
  return changes;
}

/** Keys whose values differ. */
export function changedKeys(before: Entries, after: Entries): readonly string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].filter((key) => !isDeepStrictEqual(ownValue(before, key), ownValue(after, key)));
}
