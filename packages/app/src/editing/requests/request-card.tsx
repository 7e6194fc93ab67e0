// A move that was asked for: who asked, from where to where, what has changed since, and what the person may do about it.

import { Group, Text } from '@mantine/core';
import type { StatusRequest } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.ts';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import { useNameOf } from '../../lib/person-names.ts';
import { recordName } from '../../lib/record-name.ts';
import { Icon } from '../../ui/icon.tsx';
import { RequestedMove, useFieldsOf, useStatuses } from '../../ui/requested-move.tsx';
import { RequestButtons } from './request-buttons.tsx';
import classes from './request-card.module.css';

interface RequestCardProps {
  readonly request: StatusRequest;
  /** A link to the record, where the request is shown elsewhere. */
  readonly record?: ReactNode;
  /** The people who may decide, in words. */
  readonly approvers?: string | undefined;
}

export function RequestCard({ request, record, approvers }: RequestCardProps) {
  const t = useT();
  const { ago, moment } = useFormats();
  const { given: approvals, required } = request.approvals;
  const { requested_by: by, requested_at: at, comment } = request;
  return (
    <article className={classes.request} aria-label={useTitle(request)}>
      {record}
      <Group gap={6}>
        <Icon name="clock" size={14} />
        <RequestedMove objectType={request.object_type} move={request} />
        <Text span c="dimmed" fz="xs">
          {t('approval.by', { name: useNameOf(by) })}{' '}
          <time dateTime={at} title={moment(at)}>
            {ago(at)}
          </time>
        </Text>
      </Group>
      {comment !== null && <p className={classes.comment}>{comment}</p>}
      {required > 1 && (
        <Text c="dimmed" fz="xs">
          {t('approval.count', { given: approvals, required })}
        </Text>
      )}
      <Changed request={request} />
      {approvers !== undefined && !request.can_decide && (
        <Text c="dimmed" fz="xs">
          {approvers}
        </Text>
      )}
      <RequestButtons request={request} />
    </article>
  );
}

function useTitle({ object_type, to_status, display }: StatusRequest): string {
  const t = useT();
  const status = useStatuses(object_type)(to_status).name;
  return t('approval.title', { name: recordName({ display }), status });
}

/** An approver sees that the record is no longer the one that was asked for. */
function Changed({ request: { object_type, changed_fields } }: Pick<RequestCardProps, 'request'>) {
  const t = useT();
  const language = useLanguage();
  const fields = useFieldsOf(object_type);
  if (changed_fields.length === 0) return null;
  const list = new Intl.ListFormat(localeOf(language), { type: 'conjunction' });
  const names = changed_fields.map((key) => fields.find((field) => field.key === key)?.name ?? key);
  return (
    <Group component="p" wrap="nowrap" gap={6} fz="sm" m={0}>
      <Icon name="warning" size={14} />
      {t('approval.changed', { fields: list.format(names) })}
    </Group>
  );
}
