// The newest records of a relationship, each with its status, before somebody opens the section.

import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecordData } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { openObjectsQuery } from '../../lib/open-work.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/tag.tsx';
import classes from './linked-section.module.css';

interface FirstRowsProps {
  readonly rows: readonly RecordData[];
  readonly titleId: string;
  /** Called with id and name of a record; undefined: links cannot be removed here. */
  readonly onUnlink: ((id: string, name: string) => void) | undefined;
}

export function FirstRows({ rows, titleId, onUnlink }: FirstRowsProps) {
  return (
    <ul className={classes.first} aria-labelledby={titleId}>
      {rows.map((record) => (
        <First key={record.id} record={record} onUnlink={onUnlink} />
      ))}
    </ul>
  );
}

interface FirstProps extends Pick<FirstRowsProps, 'onUnlink'> {
  readonly record: RecordData;
}

function First({ record, onUnlink }: FirstProps) {
  const t = useT();
  const { workspace } = useSession();
  const { ago, moment } = useFormats();
  const { object_type: type, id, display, updated_at } = record;
  const name = display ?? t('records.unnamed');
  return (
    <li className={classes.firstRow}>
      <Link
        to="/$workspace/o/$type/$id"
        params={{ workspace, type, id }}
        className={classes.firstName}
        preload={false}
      >
        {name}
      </Link>
      <Status record={record} />
      {updated_at !== null && (
        <time className={classes.time} dateTime={updated_at} title={moment(updated_at)}>
          {t('record.updated', { ago: ago(updated_at) })}
        </time>
      )}
      {onUnlink !== undefined && (
        <ActionIcon aria-label={t('linked.unlink', { name })} onClick={() => onUnlink(id, name)}>
          <Icon name="close" size={12} />
        </ActionIcon>
      )}
    </li>
  );
}

/** Names and tints come with the definition, which is loaded a while after the first page (app/code-ahead.ts). */
function Status({ record: { object_type, status } }: { readonly record: RecordData }) {
  const definition = openObjectsQuery(useSession());
  const { data: objects = [] } = useQuery({ ...definition, enabled: false });
  const shown = objects.find(({ type }) => type === object_type)?.shown[status ?? ''];
  if (shown === undefined) return null;
  return (
    <Tag tint={shown.tint} isStatus>
      {shown.name}
    </Tag>
  );
}
