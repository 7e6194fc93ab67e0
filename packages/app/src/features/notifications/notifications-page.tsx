// Notifications for the person. Each leads to its comment, and is marked as read by that.

import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { useT } from '../../lib/messages/index.ts';
import { notificationsQuery, useMarkRead } from '../../lib/notifications.ts';
import { useSession } from '../../lib/session.ts';
import { tellTabs } from '../../live/live.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Filters } from '../../ui/filters.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { NotificationItem } from '../../ui/notification-item.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem, problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './notifications-page.module.css';

export default function NotificationsPage() {
  const t = useT();
  const session = useSession();
  const isUnread = useSearch({ from: '/$workspace/shell/notifications' }).unread === 'true';
  const query = useInfiniteQuery(notificationsQuery(session, isUnread));
  const mark = useMarkRead(() => tellTabs('notifications'));
  const markThese = (ids: readonly string[] | 'all') =>
    mark.mutate(ids, {
      onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
    });
  const items = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = useIsEmpty(query, items.length);
  const hasUnread = items.some(({ read_at }) => read_at === null);
  return (
    <Page
      title={t('notifications.title')}
      actions={
        hasUnread && (
          <Button variant="default" loading={mark.isPending} onClick={() => markThese('all')}>
            {t('notifications.markAll')}
          </Button>
        )
      }
    >
      <Filters label={t('notifications.which')}>
        <Which isUnread={false} />
        <Which isUnread />
      </Filters>
      {query.error !== null && <Problem error={query.error} />}
      {isEmpty && <Nothing isUnread={isUnread} />}
      <ul
        className={classes.items}
        aria-busy={query.isPending}
        aria-label={t('notifications.title')}
      >
        {items.map((item) => (
          <NotificationItem key={item.id} item={item} onRead={() => markThese([item.id])} />
        ))}
      </ul>
      <MoreButton query={query} variant="default">
        {t('notifications.more')}
      </MoreButton>
    </Page>
  );
}

function Which({ isUnread }: { readonly isUnread: boolean }) {
  const t = useT();
  const { workspace } = useSession();
  return (
    <Link
      to="/$workspace/notifications"
      params={{ workspace }}
      search={isUnread ? { unread: 'true' } : {}}
      activeOptions={{ exact: true, includeSearch: true }}
    >
      {isUnread ? t('notifications.unread') : t('notifications.all')}
    </Link>
  );
}

function Nothing({ isUnread }: { readonly isUnread: boolean }) {
  const t = useT();
  if (isUnread) return <EmptyState title={t('notifications.noneUnread')} />;
  return <EmptyState title={t('notifications.none')} text={t('notifications.noneText')} />;
}
