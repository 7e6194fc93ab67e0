// One notification: its author, its record, the beginning of its text, and its time.

import { ActionIcon, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UserNotification } from '@workspace-records/client';
import { useFormats } from '../lib/format.ts';
import { useT } from '../lib/messages/index.ts';
import { useRecordName } from '../lib/record-names.ts';
import { objectsQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { Avatar } from './avatar.tsx';
import { Hidden } from './hidden.tsx';
import { Icon } from './icon.tsx';
import classes from './notification-item.module.css';
import { iconOf } from './object-icon.ts';

interface NotificationItemProps {
  readonly item: UserNotification;
  readonly onRead: () => void;
}

type TextKey =
  | 'notifications.mentioned'
  | 'notifications.asked'
  | 'notifications.approved'
  | 'notifications.rejected';

/** The act of its author. */
function textOf({ kind, status_request: request }: UserNotification): TextKey {
  if (kind === 'approval_requested') return 'notifications.asked';
  if (request === undefined) return 'notifications.mentioned';
  return request.state === 'rejected' ? 'notifications.rejected' : 'notifications.approved';
}

export function NotificationItem({ item, onRead }: NotificationItemProps) {
  const t = useT();
  const { ago, moment } = useFormats();
  const session = useSession();
  const { object_type: type, record_id: id, author, created_at, read_at } = item;
  const { data: objects = [] } = useQuery(objectsQuery(session));
  const object = objects.find(({ object_type }) => object_type === type);
  const { name: record } = useRecordName(type, id);
  const name = author.name ?? `#${author.id ?? ''}`;
  const isUnread = read_at === null;
  return (
    <li className={classes.item} data-unread={isUnread || undefined}>
      <Link
        to="/$workspace/o/$type/$id"
        params={{ workspace: session.workspace, type, id }}
        {...(item.comment_id === null ? {} : { hash: `comment-${item.comment_id}` })}
        className={classes.link}
        onClick={() => isUnread && onRead()}
      >
        <Avatar name={name} size="large" />
        <span className={classes.texts}>
          <span className={classes.what}>
            {isUnread && <Hidden>{t('notifications.isUnread')}: </Hidden>}
            {t(textOf(item), { name })}
            {created_at !== null && (
              <time className={classes.time} dateTime={created_at} title={moment(created_at)}>
                {ago(created_at)}
              </time>
            )}
          </span>
          <span className={classes.about}>
            <Icon name={object === undefined ? 'box' : iconOf(object)} size={14} />
            <span className={classes.record}>
              {record ?? object?.singular_name ?? t('notifications.unknown')}
            </span>
          </span>
          {item.excerpt !== undefined && <span className={classes.excerpt}>{item.excerpt}</span>}
        </span>
      </Link>
      <span className={classes.mark}>
        {isUnread && (
          <Tooltip label={t('notifications.mark')}>
            <ActionIcon aria-label={t('notifications.mark')} onClick={onRead}>
              <Icon name="check" />
            </ActionIcon>
          </Tooltip>
        )}
      </span>
    </li>
  );
}
