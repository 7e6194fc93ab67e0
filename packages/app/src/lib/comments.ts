// Comments on records: the objects that have them, reading and writing them.

import type { InfiniteData } from '@tanstack/react-query';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ObjectDefinition, Page, RecordComment } from '@workspace-records/client';
import { type Session, useSession } from './session.ts';

/** True for an object whose records have comments; the API refuses comments on others. */
export function hasComments({ comments }: Pick<ObjectDefinition, 'comments'>): boolean {
  return comments === true;
}

export interface CommentPlace {
  readonly type: string;
  readonly id: string;
}

const COMMENTS_AT_ONCE = 30;

/** Newest first, as the pages go; people read them the other way round. */
export function commentsQuery(
  { workspace, client }: Pick<Session, 'workspace' | 'client'>,
  { type, id }: CommentPlace,
) {
  return infiniteQueryOptions({
    queryKey: [workspace, type, 'comments', id],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: COMMENTS_AT_ONCE, ...(cursor === undefined ? {} : { cursor }) };
      return client.records(type).comments(id).list(query, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

export interface NewComment {
  readonly body: string;
  readonly mentions: readonly number[];
  /** The idempotency key, the same for each attempt: the comment is written once. */
  readonly key: string;
}

export function useWriteComment(place: CommentPlace) {
  const session = useSession();
  const queries = useQueryClient();
  const { queryKey } = commentsQuery(session, place);
  return useMutation({
    mutationFn: ({ body, mentions, key }: NewComment) =>
      session.client
        .records(place.type)
        .comments(place.id)
        .create(body, { mention_user_ids: mentions, idempotencyKey: key }),
    onSuccess(comment) {
      queries.setQueryData<InfiniteData<Page<RecordComment>, string | undefined>>(
        queryKey,
        (pages) => (pages === undefined ? undefined : withComment(pages, comment)),
      );
      void queries.invalidateQueries({
        queryKey: [session.workspace, place.type, 'activity', place.id],
      });
    },
  });
}

/** An event may have brought it already. */
function withComment<Pages extends InfiniteData<Page<RecordComment>, string | undefined>>(
  comments: Pages,
  comment: RecordComment,
): Pages {
  const [first, ...others] = comments.pages;
  if (first === undefined || first.data.some(({ id }) => id === comment.id)) return comments;
  return { ...comments, pages: [{ ...first, data: [comment, ...first.data] }, ...others] };
}
