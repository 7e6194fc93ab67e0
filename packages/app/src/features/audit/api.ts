// The audit, newest first; a page may have no entries and not be the last.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditEntry } from '@workspace-records/client';
import type { WorkspaceClient } from '../../lib/session.ts';
import type { AuditFilter } from './audit-search.ts';

const AT_ONCE = 50;

export function auditQuery({ workspace, client }: WorkspaceClient, filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: [workspace, 'audit', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.audit.list({ ...filter, limit: AT_ONCE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    staleTime: 0,
  });
}

/** The newest keys of the workspace, revoked ones too. */
export function allKeysQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'keys', 'all', 'revoked too'],
    queryFn: async ({ signal }) =>
      (await client.keys.list({ limit: 100, include_revoked: true }, { signal })).data,
  });
}

/** Entries of one file: the address narrows what is more. */
export const MOST_EXPORTED = 10_000;
const EXPORTED_AT_ONCE = 100;

interface Reading {
  readonly signal: AbortSignal;
  onProgress(count: number): void;
}

/** All entries of the filter, newest first, at most `MOST_EXPORTED`. */
export async function readEntries(
  { client }: WorkspaceClient,
  filter: AuditFilter,
  { signal, onProgress }: Reading,
): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const asked = { ...filter, limit: EXPORTED_AT_ONCE, cursor };
    const page = await client.audit.list(asked, { signal });
    entries.push(...page.data);
    onProgress(entries.length);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined && entries.length < MOST_EXPORTED);
  return entries.slice(0, MOST_EXPORTED);
}
