// The records that were opened last in this tab; they go with the session.

import { readDraft, writeDraft } from './storage.ts';

export interface RecentRecord {
  readonly type: string;
  readonly id: string;
  readonly display: string;
}

const MOST = 8;

export function recentRecords(workspace: string): readonly RecentRecord[] {
  const kept = readDraft(nameOf(workspace));
  return Array.isArray(kept) ? kept : [];
}

export function noteRecord(workspace: string, record: RecentRecord): void {
  const others = recentRecords(workspace).filter(({ id }) => id !== record.id);
  writeDraft(nameOf(workspace), [record, ...others].slice(0, MOST));
}

function nameOf(workspace: string): string {
  return `recent:${workspace}`;
}

export function forgetRecent(workspace: string, id: string): void {
  const others = recentRecords(workspace).filter((record) => record.id !== id);
  writeDraft(nameOf(workspace), others);
}
