// The comments and the activity of a record as one list, with the way to earlier ones.

import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useMemo } from 'react';
import { commentsQuery, hasComments } from '../../lib/comments.ts';
import { useSession } from '../../lib/session.ts';
import { activityQuery } from './activity-query.ts';
import { itemsOfComments, itemsOfEntries, streamOf } from './stream.ts';

export function useStream(object: ObjectDefinition, record: RecordData) {
  const session = useSession();
  const place = { type: record.object_type, id: record.id };
  const canComment = hasComments(object);
  const comments = useInfiniteQuery({ ...commentsQuery(session, place), enabled: canComment });
  const entries = useInfiniteQuery(activityQuery(session, place));
  const [said, done] = [comments.data, entries.data];
  const [hasMoreSaid, hasMoreDone] = [comments.hasNextPage, entries.hasNextPage];
  const items = useMemo(() => {
    const all = said?.pages.flatMap(({ data }) => data) ?? [];
    const audit = done?.pages.flatMap(({ data }) => data) ?? [];
    const startSaid = hasMoreSaid ? (all.at(-1)?.created_at ?? undefined) : undefined;
    return streamOf([
      { items: itemsOfComments(all), start: startSaid },
      { items: itemsOfEntries(audit), start: hasMoreDone ? audit.at(-1)?.at : undefined },
    ]);
  }, [said, done, hasMoreSaid, hasMoreDone]);
  const sources = canComment ? [comments, entries] : [entries];
  return {
    items,
    canComment,
    errors: sources.flatMap(({ error }) => error ?? []),
    isPending: sources.some(({ isPending, isError }) => isPending && !isError),
    earlier: earlierOf(sources),
    pages: said?.pages.length ?? 0,
  };
}

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

/** The next page of each source that has one, as one query. */
function earlierOf(sources: readonly Pages[]) {
  const others = sources.filter(({ hasNextPage }) => hasNextPage);
  return {
    hasNextPage: others.length > 0,
    isFetchingNextPage: others.some(({ isFetchingNextPage }) => isFetchingNextPage),
    fetchNextPage: () => Promise.all(others.map((source) => source.fetchNextPage())),
  };
}
