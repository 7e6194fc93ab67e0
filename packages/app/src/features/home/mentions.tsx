// Unread notifications, with the beginning of their text; empty where there are none, and the reason when they cannot be
// read.

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { notificationsQuery, useMarkRead } from '../../lib/notifications.ts';
import { useSession } from '../../lib/session.ts';
import { tellTabs } from '../../live/live.ts';
import { NotificationItem } from '../../ui/notification-item.tsx';
import { FailedPart } from './failed-part.tsx';
import classes from './home-page.module.css';

const MOST = 5;

export function Mentions() {
  const t = useT();
  const id = useId();
  const session = useSession();
  const unread = useInfiniteQuery(notificationsQuery(session, true));
  const mark = useMarkRead(() => tellTabs('notifications'));
  const found = unread.data?.pages.flatMap((page) => page.data) ?? [];
  const items = found.slice(0, MOST);
  if (items.length === 0) return <FailedPart title={t('home.mentions')} queries={[unread]} />;
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.heading}>
          {t('home.mentions')}
        </h2>
        <Link to="/$workspace/notifications" params={{ workspace: session.workspace }}>
          {t('home.allMentions')}
        </Link>
      </div>
      <ul className={classes.mentions}>
        {items.map((item) => (
          <NotificationItem key={item.id} item={item} onRead={() => mark.mutate([item.id])} />
        ))}
      </ul>
    </section>
  );
}
