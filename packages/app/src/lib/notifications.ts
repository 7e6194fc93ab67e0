// The notifications of the person: pages of them, the number of unread ones, and marking them as read. A notification
// that is read here is read in every tab.

import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { UserNotification } from '@workspace-records/client';
import { type Session, useSession, type WorkspaceClient } from './session.ts';

/** Counted up to here; of more it is only said that there are more. */
export const MOST_COUNTED = 99;
const PAGE = MOST_COUNTED + 1;
/** Requests at once, and marked in one go. */
const AT_ONCE = 5;
const MOST_MARKED = 1000;
/** The milliseconds until notifications without an event are seen. */
const UNTOLD_MS = 300_000;

export function notificationsQuery({ workspace, client }: WorkspaceClient, unread: boolean) {
  return infiniteQueryOptions({
    queryKey: [workspace, 'notifications', unread ? 'unread' : 'all'],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.notifications.list({ unread, limit: PAGE, cursor, include: 'excerpt' }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

/** The number of unread ones, of the same pages; more than `MOST_COUNTED` are that and one. */
export function unreadCountQuery(place: WorkspaceClient) {
  return infiniteQueryOptions({
    ...notificationsQuery(place, true),
    select: ({ pages }) => Math.min(pages.flatMap(({ data }) => data).length, PAGE),
    // Events report new ones, but for due dates, and webhooks and jobs that fail.
    staleTime: UNTOLD_MS,
    refetchInterval: UNTOLD_MS,
  });
}

/** Notified afterwards, so that other tabs show it too. */
export function useMarkRead(tell: () => void) {
  const { client, workspace, me } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[] | 'all') => {
      // They stay unread for the person whom an administrator views as.
      if (me.viewing !== undefined) return;
      return ids === 'all' ? markAll(client) : markEach(client, ids);
    },
    async onSettled() {
      tell();
      await queries.invalidateQueries({ queryKey: [workspace, 'notifications'] });
    },
  });
}

async function markAll(client: Session['client']): Promise<void> {
  const unread: UserNotification[] = [];
  for await (const one of client.notifications.all({ unread: true, limit: 100 })) {
    unread.push(one);
    if (unread.length === MOST_MARKED) break;
  }
  await markEach(
    client,
    unread.map(({ id }) => id),
  );
}

/** The interface marks one at a time. */
async function markEach(client: Session['client'], ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const portion = ids.slice(start, start + AT_ONCE);
    await Promise.all(portion.map((id) => client.notifications.read(id)));
  }
}
