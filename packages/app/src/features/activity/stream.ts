// Comments and audit entries in one order, the oldest first. Pure.

import type { AuditEntry, RecordComment } from '@workspace-records/client';

export type StreamItem =
  | { readonly kind: 'comment'; readonly at: string; readonly comment: RecordComment }
  | { readonly kind: 'entry'; readonly at: string; readonly entry: AuditEntry };

/** The loaded pages of one source, newest first. */
export interface Source {
  readonly items: readonly StreamItem[];
  /** The time of the oldest loaded one, where the service has earlier ones. */
  readonly start: string | undefined;
}

/** The items that no earlier page can precede: none is older than the oldest one of a source that has more. */
export function streamOf(sources: readonly Source[]): readonly StreamItem[] {
  const start =
    sources
      .flatMap((source) => source.start ?? [])
      .toSorted()
      .at(-1) ?? '';
  return sources
    .flatMap(({ items }) => items)
    .filter(({ at }) => at >= start)
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

export function itemsOfComments(comments: readonly RecordComment[]): readonly StreamItem[] {
  return comments.map((comment) => ({
    ...{ kind: 'comment', comment },
    at: comment.created_at ?? '',
  }));
}

/** A comment is there itself. */
export function itemsOfEntries(entries: readonly AuditEntry[]): readonly StreamItem[] {
  return entries
    .filter(({ action }) => action !== 'comment')
    .map((entry) => ({ ...{ kind: 'entry', entry }, at: entry.at }));
}
