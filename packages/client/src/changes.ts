// The change feed, page after page, for as long as it is read: the caller stores the cursor of each page after its
// events, and continues there after a restart.

import type { Connection } from './connection.ts';
import { isRecordsError, type RecordsError } from './errors.ts';
import type { Send } from './request.ts';
import { isLasting, sleep, waitBefore } from './retry.ts';
import type { ChangeEvent, Endpoints } from './schema.ts';
import { openSeenIds } from './seen-ids.ts';

type Query = Endpoints['listChanges']['query'];
type ChangeType = ChangeEvent['type'];
type Family<Type extends string> = Type extends `${infer Name}.${string}` ? `${Name}.*` : never;

export interface ChangesOptions {
  /**
   * The cursor of the last page that was stored. Without it and `since` changes from now on; `start`: from the oldest
   * change kept.
   */
  readonly cursor?: string | undefined;
  /** The time to begin at, or a little earlier, where there is no cursor yet. */
  readonly since?: Date | string | undefined;
  /**
   * Seconds that the service waits for changes when there are none: 30 by default. With 0 the pages end when
   * there are no more changes.
   */
  readonly wait?: number | undefined;
  /** One object type, or several; all that the key may read when left out. */
  readonly objectType?: string | readonly string[] | undefined;
  readonly type?: ChangeType | Family<ChangeType> | readonly (ChangeType | Family<ChangeType>)[];
  /** `record`: with the record as it is now. */
  readonly include?: 'record' | undefined;
  /** The fields of the records; only with one object type. */
  readonly fields?: readonly string[] | undefined;
  /** Most events of a page; 1,000 by default, 100 with records. */
  readonly limit?: number | undefined;
  /** Ends the pages; the iterator rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface ChangePage {
  /** The events without those of earlier pages. May be empty: then only the cursor is new. */
  readonly events: readonly ChangeEvent[];
  /** The cursor of the next page. Store it with the events, or after them. */
  readonly cursor: string;
  /** False: these were the last changes for now. */
  readonly hasMore: boolean;
}

/** The cursor is no longer valid: read everything again, then follow from a new cursor. */
export type CursorExpired = RecordsError<'cursor_expired'> & {
  readonly details: { readonly reason: 'too_old' | 'restored' | 'rights_lost' };
};

export function isCursorExpired(error: unknown): error is CursorExpired {
  return isRecordsError(error, 'cursor_expired');
}

interface FeedConnection extends Pick<Connection, 'onWait'> {
  readonly send: Send;
}

/** Most events of a page. */
const PAGE = { thin: 1000, withRecords: 100 } as const;
const LONGEST_WAIT = 30;

/** Errors: `RecordsError`, of which `isCursorExpired` says that the cursor is no longer valid. */
export async function* followChanges(
  { send, onWait }: FeedConnection,
  options: ChangesOptions = {},
): AsyncGenerator<ChangePage, void, undefined> {
  const { wait = LONGEST_WAIT, signal } = options;
  const query = queryOf(options);
  const seen = openSeenIds();
  for (let { cursor } = options; ; ) {
    // The first cursor comes at once: a wait that broke off would have to begin later than it did.
    const isFirst = cursor === undefined || cursor === 'start';
    const place = isFirst ? { cursor, wait: 0 } : { cursor, wait, since: undefined };
    const { data, pagination } = await nextPage({ send, onWait }, { ...query, ...place }, signal);
    cursor = pagination.next_cursor;
    const events = data.filter((event) => seen.isNew(event));
    yield { events, cursor, hasMore: pagination.has_more };
    if (wait === 0 && !pagination.has_more) return;
  }
}

function queryOf({ since, objectType, type, include, fields, limit }: ChangesOptions): Query {
  return {
    since: since instanceof Date ? since.toISOString() : since,
    object_type: joined(objectType),
    type: joined(type),
    include,
    fields: joined(fields),
    limit: limit ?? (include === undefined ? PAGE.thin : PAGE.withRecords),
  };
}

function joined(names: string | readonly string[] | undefined): string | undefined {
  if (names === undefined || typeof names === 'string') return names;
  return names.length === 0 ? undefined : names.join(',');
}

/** Asked for again until there is an answer. */
async function nextPage(
  { send, onWait }: FeedConnection,
  query: Query,
  signal: AbortSignal | undefined,
) {
  const held = (query.wait ?? 0) * 1000;
  for (let failures = 0; ; failures += 1) {
    try {
      return await send('listChanges', { query, held }, { signal });
    } catch (error) {
      if (!isRecordsError(error) || isLasting(error)) throw error;
      const milliseconds = waitBefore(failures, error.retryAfter);
      onWait({ milliseconds, error });
      await sleep(milliseconds, signal);
    }
  }
}
