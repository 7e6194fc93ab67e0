// One notification: its author, its record, the move that it is about, the beginning of its text, and its time. One of a
// webhook or a job leads to its page.

import { ActionIcon, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UserNotification } from '@workspace-records/client';
import { useFormats } from '../lib/format.ts';
import { useT } from '../lib/messages/index.ts';
import { useNameOf } from '../lib/person-names.ts';
import { useRecordName } from '../lib/record-names.ts';
import { objectsQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { Avatar } from './avatar.tsx';
import { Hidden } from './hidden.tsx';
import { Icon, type IconName } from './icon.tsx';
import classes from './notification-item.module.css';
import { iconOf } from './object-icon.ts';
import { RequestedMove } from './requested-move.tsx';

interface NotificationItemProps {
  readonly item: UserNotification;
  readonly onRead: () => void;
}

const TEXTS = {
  mention: 'notifications.mentioned',
  comment: 'notifications.commented',
  assignment: 'notifications.assigned',
  due: 'notifications.due',
  approval_requested: 'notifications.asked',
  webhook_failed: 'notifications.webhookFailed',
  job_failed: 'notifications.jobFailed',
} as const;

/** The act of its author, or what has happened. */
function textOf({ kind, status_request: request }: UserNotification) {
  if (request !== undefined && kind !== 'approval_requested') {
    return request.state === 'rejected' ? 'notifications.rejected' : 'notifications.approved';
  }
  return TEXTS[kind as keyof typeof TEXTS] ?? 'notifications.other';
}

const ICONS: Readonly<Record<string, IconName>> = {
  due: 'calendar',
  webhook_failed: 'webhook',
  job_failed: 'warning',
};

export function NotificationItem({ item, onRead }: NotificationItemProps) {
  const t = useT();
  const { ago, moment } = useFormats();
  const { author, created_at, read_at } = item;
  const name = useNameOf(author);
  const isUnread = read_at === null;
  const icon = ICONS[item.kind];
  return (
    <li className={classes.item} data-unread={isUnread || undefined}>
      <Link {...useTarget(item)} className={classes.link} onClick={() => isUnread && onRead()}>
        {icon === undefined ? (
          <Avatar name={name} size="large" />
        ) : (
          <span className={classes.icon}>
            <Icon name={icon} size={16} />
          </span>
        )}
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
          {item.object_type !== null && item.record_id !== null && (
            <About type={item.object_type} id={item.record_id} />
          )}
          {item.status_request !== undefined && item.object_type !== null && (
            <RequestedMove objectType={item.object_type} move={item.status_request} />
          )}
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

/** The page that it leads to. */
function useTarget({ kind, object_type, record_id, comment_id, ...of }: UserNotification) {
  const { workspace } = useSession();
  if (kind === 'webhook_failed') {
    const params = { workspace, id: of.webhook_id ?? '' };
    return { to: '/$workspace/settings/webhooks/$id', params } as const;
  }
  if (kind === 'job_failed') {
    return { to: '/$workspace/jobs/$id', params: { workspace, id: of.job_id ?? '' } } as const;
  }
  const params = { workspace, type: object_type ?? '', id: record_id ?? '' };
  const hash = comment_id === null ? {} : { hash: `comment-${comment_id}` };
  return { to: '/$workspace/o/$type/$id', params, ...hash } as const;
}

interface AboutProps {
  readonly type: string;
  readonly id: string;
}

function About({ type, id }: AboutProps) {
  const t = useT();
  const session = useSession();
  const { data: objects = [] } = useQuery(objectsQuery(session));
  const object = objects.find(({ object_type }) => object_type === type);
  const { name: record } = useRecordName(type, id);
  return (
    <span className={classes.about}>
      <Icon name={object === undefined ? 'box' : iconOf(object)} size={14} />
      <span className={classes.record}>
        {record ?? object?.singular_name ?? t('notifications.unknown')}
      </span>
    </span>
  );
}
