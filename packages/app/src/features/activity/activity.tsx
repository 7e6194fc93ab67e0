// The audit of a record, newest first, in words: of everybody for administrators, for others of their own actions.
// Values are not part of it.

import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AuditEntry, ObjectDefinition } from '@workspace-records/client';
import { useMemo } from 'react';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { useFormats } from '../../lib/format.ts';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import type { PartProps } from '../../lib/record-part.ts';
import { linkedName, relationshipsOf } from '../../lib/relationships.ts';
import { accessQuery, useObjects } from '../../lib/schema-queries.ts';
import { type Session, useSession } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './activity.module.css';

interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

const AT_ONCE = 30;

function activityQuery({ workspace, client }: Session, { type, id }: RecordPlace) {
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

export function Activity({ object, record }: PartProps) {
  const t = useT();
  const session = useSession();
  const place = { type: record.object_type, id: record.id };
  const { data: access } = useQuery(accessQuery(session));
  const query = useInfiniteQuery(activityQuery(session, place));
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = useIsEmpty(query, entries.length);
  const nameOf = useNames(object);
  return (
    <div className={classes.activity}>
      {query.error !== null && <Problem error={query.error} />}
      {access?.administrator.allowed === false && (
        <p className={classes.note}>{t('activity.own')}</p>
      )}
      {isEmpty && <p className={classes.note}>{t('activity.none')}</p>}
      <ol className={classes.list} aria-label={t('activity.title')} aria-busy={query.isPending}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} nameOf={nameOf} />
        ))}
      </ol>
      <MoreButton query={query}>{t('activity.earlier')}</MoreButton>
    </div>
  );
}

/** Names of fields and relationships; a key that no longer exists is its own name. */
function useNames(object: ObjectDefinition): (key: string) => string {
  const objects = useObjects();
  return useMemo(() => {
    const fields = object.fields.map(({ key, name }) => [key, name ?? key] as const);
    const all = relationshipsOf(object);
    const others = all.map((one) => {
      const other = objects.find(({ object_type }) => object_type === one.object_type);
      return [one.id, linkedName(one, { object, other, all })] as const;
    });
    const names = new Map([...others, ...fields]);
    return (key) => names.get(key) ?? key;
  }, [object, objects]);
}

interface EntryProps {
  readonly entry: AuditEntry;
  readonly nameOf: (key: string) => string;
}

function Entry(props: EntryProps) {
  const t = useT();
  const { user } = props.entry;
  if (user === null) return <Line {...props} person={t('activity.operator')} />;
  return <LineOf {...props} id={user.id} />;
}

function LineOf({ id, ...props }: EntryProps & { readonly id: number }) {
  return <Line {...props} person={usePersonName(id)} />;
}

interface LineProps extends EntryProps {
  readonly person: string;
}

function Line(props: LineProps) {
  const { entry } = props;
  const { ago, moment } = useFormats();
  const text = useSentence(props);
  return (
    <li className={classes.entry}>
      <Avatar name={props.person} size="small" />
      <span className={classes.text}>{text}</span>
      <time className={classes.time} dateTime={entry.at} title={moment(entry.at)}>
        {ago(entry.at)}
      </time>
    </li>
  );
}

/** Names of fields in one sentence; more of them are a number. */
const MOST_NAMES = 5;

function useSentence({ entry, nameOf, person }: LineProps): string {
  const { action, changed_fields, source } = entry;
  const t = useT();
  const language = useLanguage();
  const list = new Intl.ListFormat(localeOf(language), { type: 'conjunction' });
  const names = changed_fields.slice(0, MOST_NAMES).map(nameOf);
  const more = changed_fields.length - MOST_NAMES;
  const fields = list.format(more > 0 ? [...names, t('activity.more', { count: more })] : names);
  const sentences: Readonly<Record<string, string>> = {
    create: t('activity.create', { person }),
    update: t('activity.update', { person, fields }),
    status: t('activity.status', { person }),
    link: t('activity.link', { person, fields }),
    unlink: t('activity.unlink', { person, fields }),
    comment: t('activity.comment', { person }),
    delete: t('activity.delete', { person }),
    status_request: t('activity.requested', { person }),
    status_approval: t('activity.approvedMove', { person }),
    status_decision: t('activity.decidedMove', { person }),
  };
  const sentence = sentences[action] ?? t('activity.other', { person, action });
  const way = source === 'import' ? t('activity.import') : t('activity.bulk');
  return source === 'import' || source === 'bulk' ? `${sentence} ${way}` : sentence;
}
