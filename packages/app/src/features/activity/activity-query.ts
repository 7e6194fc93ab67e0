// The audit of a record, newest first: of everybody for administrators, for others of their own actions.

import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CommentPlace } from '../../lib/comments.ts';
import type { Session } from '../../lib/session.ts';

const AT_ONCE = 30;

export function activityQuery({ workspace, client }: Session, { type, id }: CommentPlace) {
  return infiniteQueryOptions({
    queryKey: [workspace, type, 'activity', id],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { object_type: type, record_id: id, limit: AT_ONCE };
      return client.audit.list(cursor === undefined ? query : { ...query, cursor }, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}
