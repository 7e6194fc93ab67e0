// The difference between entries of two documents that have no table of their own: added, removed, changed. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../../../model/steps.ts';
import { ownValue } from '../../../model/text/own-value.ts';
import type { Change } from '../change.ts';
import { change, type Notice } from '../change-notice.ts';
import { changedKeys, type Entries } from '../changed-keys.ts';

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
