// The newest records of a relationship before somebody opens the section: name, status, when it is due or starts, owner.
// The dates come after the rows.

import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Field, RecordData } from '@workspace-records/client';
import { shownDate } from '../../lib/due.ts';
import { isDay } from '../../lib/field-facts.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { openObjectsQuery } from '../../lib/open-work.ts';
import { recordName } from '../../lib/record-name.ts';
import { type Linked, linkedDatesQuery } from '../../lib/relationships.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { OwnerMark } from '../../ui/owner-mark.tsx';
import { Tag } from '../../ui/tag.tsx';
import { useSeen } from '../../ui/use-seen.ts';
import classes from './linked-section.module.css';

interface FirstRowsProps {
  readonly linked: Linked;
  readonly rows: readonly RecordData[];
  readonly titleId: string;
  /** Called with id and name of a record; undefined: links cannot be removed here. */
  readonly onUnlink: ((id: string, name: string) => void) | undefined;
}

export function FirstRows({ linked, rows, titleId, onUnlink }: FirstRowsProps) {
  const { ref, isSeen } = useSeen();
  const dateOf = useDates(linked, isSeen);
  return (
    <ul ref={ref} className={classes.first} aria-labelledby={titleId}>
      {rows.map((record) => (
        <First key={record.id} {...{ record, onUnlink }} date={dateOf(record)} />
      ))}
    </ul>
  );
}

interface DateOfRecord {
  readonly field: Field;
  readonly value: string;
}

function useDates(linked: Linked, isWanted: boolean) {
  const session = useSession();
  const { object_type: type } = linked.other;
  const { data: object } = useQuery({ ...objectQuery(session, type), enabled: isWanted });
  const field = object && shownDate(object.fields);
  const { data: dates } = useQuery({
    ...linkedDatesQuery(session, linked, field ?? { key: '' }),
    enabled: field !== undefined,
  });
  return ({ id }: RecordData): DateOfRecord | undefined => {
    const value = dates?.get(id);
    return field !== undefined && typeof value === 'string' ? { field, value } : undefined;
  };
}

interface FirstProps extends Pick<FirstRowsProps, 'onUnlink'> {
  readonly record: RecordData;
  readonly date: DateOfRecord | undefined;
}

function First({ record, date, onUnlink }: FirstProps) {
  const t = useT();
  const { workspace } = useSession();
  const { day, moment } = useFormats();
  const { object_type: type, id, display, owner_user_id: owner } = record;
  const name = recordName({ display });
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
      {date !== undefined && (
        <time className={classes.time} dateTime={date.value} title={date.field.name ?? undefined}>
          {(isDay(date.field) ? day : moment)(date.value)}
        </time>
      )}
      {owner !== null && <OwnerMark id={owner} size="small" />}
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
