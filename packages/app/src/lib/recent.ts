// The records, lists and the object that were opened last in this tab; they go with the session.

import type { SearchParams } from './search-params.ts';
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
  noteObject(workspace, record.type);
}

function nameOf(workspace: string): string {
  return `recent:${workspace}`;
}

export function forgetRecent(workspace: string, id: string): void {
  const others = recentRecords(workspace).filter((record) => record.id !== id);
  writeDraft(nameOf(workspace), others);
}

/** A saved view, or a list with conditions of its own. */
export interface RecentView {
  readonly type: string;
  /** Undefined: it is not saved. */
  readonly name: string | undefined;
  readonly search: SearchParams;
}

const MOST_VIEWS = 5;

export function recentViews(workspace: string): readonly RecentView[] {
  const kept = readDraft(viewsOf(workspace));
  return Array.isArray(kept) ? kept : [];
}

export function noteView(workspace: string, view: RecentView): void {
  const keyOf = ({ type, search }: RecentView) =>
    `${type} ${search.view ?? JSON.stringify(search)}`;
  const others = recentViews(workspace).filter((one) => keyOf(one) !== keyOf(view));
  writeDraft(viewsOf(workspace), [view, ...others].slice(0, MOST_VIEWS));
}

function viewsOf(workspace: string): string {
  return `recent views:${workspace}`;
}

/** The object of the last list or record. */
export function recentObject(workspace: string): string | undefined {
  const kept = readDraft(objectOf(workspace));
  return typeof kept === 'string' ? kept : undefined;
}

export function noteObject(workspace: string, type: string): void {
  writeDraft(objectOf(workspace), type);
}

function objectOf(workspace: string): string {
  return `recent object:${workspace}`;
}
