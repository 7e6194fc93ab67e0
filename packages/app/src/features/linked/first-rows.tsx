// The newest records of a relationship, each with its status where that is known, before somebody opens the section.

import { ActionIcon } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecordData } from '@workspace-records/client';
import { labelOf, tintOfOption } from '../../fields/options.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
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
          {ago(updated_at)}
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

/** The definition of the other object has its name and tint; the section does not request it. */
function Status({ record }: { readonly record: RecordData }) {
  const session = useSession();
  const queries = useQueryClient();
  const object = queries.getQueryData(objectQuery(session, record.object_type).queryKey);
  const field = object?.fields.find(({ key }) => key === 'status');
  if (field === undefined || record.status === null) return null;
  return (
    <Tag tint={tintOfOption(field, record.status)} isStatus>
      {labelOf(field, record.status)}
    </Tag>
  );
}
