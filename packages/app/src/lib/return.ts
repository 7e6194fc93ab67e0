// Repeats the queries that failed while the service was unreachable.

import type { QueryClient } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';

const CODES: ReadonlySet<string> = new Set([
  'connection_failed',
  'timed_out',
  'service_unavailable',
]);
const listeners = new Set<() => void>();

export function isUnreachable(error: unknown): boolean {
  return isRecordsError(error) && CODES.has(error.code);
}

/** The network is back, or the stream of events has been opened again. */
export function noteReturn(): void {
  for (const listener of listeners) listener();
}

export function followReturn(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('online', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('online', listener);
  };
}

/** Fetches failed queries again; of a list only the page that failed, not the pages before it. */
export function retryFailed(queries: QueryClient): void {
  const failed = queries.getQueryCache().findAll({
    type: 'active',
    fetchStatus: 'idle',
    predicate: ({ state }) => state.status === 'error' && isUnreachable(state.error),
  });
  for (const query of failed) {
    const { fetchMeta } = query.state;
    // A repeated failure is in its state.
    query
      .fetch(query.options, fetchMeta === null ? {} : { meta: fetchMeta })
      .catch(() => undefined);
  }
}
