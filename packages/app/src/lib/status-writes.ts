// Moves of records to another status: shown at once where lists have the record, reverted when the service refuses,
// and repeated on another person's version when that has the same status.

import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { isRecordsError, type Page, type RecordData } from '@workspace-records/client';
import { makeKey } from './idempotency-key.ts';
import { putRecord } from './record-cache.ts';
import { inTurn } from './record-writes.ts';
import type { Session } from './session.ts';

interface Writing {
  readonly session: Session;
  readonly queries: QueryClient;
}

/** `from`: the status that the person saw; a change by somebody else since then is reported. */
export interface StatusChange {
  readonly record: RecordData;
  readonly to: string;
}

/** Errors: one that `movedMeanwhile` recognises, and those of the service. */
export function changeStatus(writing: Writing, { record, to }: StatusChange): Promise<RecordData> {
  const { queries, session } = writing;
  return inTurn({ queries, workspace: session.workspace }, record, async () => {
    const moved = await move(writing, record, to);
    putRecord(queries, session.workspace, moved);
    return moved;
  });
}

async function move(writing: Writing, record: RecordData, to: string): Promise<RecordData> {
  const { session, queries } = writing;
  const { object_type, id, version, status } = record;
  const records = session.client.records(object_type);
  try {
    // Another version is another request: each has a key of its own.
    return (await records.status(id, to, { version, idempotencyKey: makeKey() })) as RecordData;
  } catch (error) {
    if (!isRecordsError(error, 'stale_record')) throw error;
    const theirs = (await records.get(id)) as RecordData;
    if (theirs.status === to) return theirs;
    putRecord(queries, session.workspace, theirs);
    if (theirs.status !== status) throw Object.assign(new Error('moved'), { meanwhile: theirs });
    return move(writing, theirs, to);
  }
}

/** The record as it is now, when somebody else was faster. */
export function movedMeanwhile(error: unknown): RecordData | undefined {
  const isMoved = error instanceof Error && 'meanwhile' in error;
  return isMoved ? (error.meanwhile as RecordData) : undefined;
}

/** Shows the record with other values in its lists before the change is saved. */
export function showAs(
  queries: QueryClient,
  workspace: string,
  { object_type, id }: Pick<RecordData, 'object_type' | 'id'>,
  change: (record: RecordData) => RecordData,
): void {
  queries.setQueriesData<InfiniteData<Page<RecordData>>>(
    { queryKey: [workspace, object_type, 'list'] },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) =>
          page.data.some((one) => one.id === id)
            ? { ...page, data: page.data.map((one) => (one.id === id ? change(one) : one)) }
            : page,
        ),
      },
  );
}
