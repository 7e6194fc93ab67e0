// The earlier values of a record: who changed what, when, and each value back again.

import { Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryEntry } from '@workspace-records/client';
import { LaterConflictDialog } from '../../editing/later-conflict-dialog.tsx';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { useFormats } from '../../lib/format.ts';
import { historyQuery } from '../../lib/history.ts';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import type { PartProps } from '../../lib/record-part.ts';
import { useSession } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ChangedValue } from './changed-value.tsx';
import classes from './history.module.css';
import { useRestore } from './use-restore.ts';

export default function History(props: PartProps) {
  const { record } = props;
  const t = useT();
  const place = { type: record.object_type, id: record.id };
  const query = useInfiniteQuery(historyQuery(useSession(), place));
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = useIsEmpty(query, entries.length);
  const restoring = useRestore(record);
  return (
    <Stack align="flex-start" gap="sm">
      {query.error !== null && <Problem error={query.error} />}
      {isEmpty && <Text c="dimmed">{t('history.none')}</Text>}
      <ol className={classes.list} aria-label={t('history.list')} aria-busy={query.isPending}>
        {entries.map((entry) => (
          <Entry key={entry.revision} {...props} entry={entry} restore={restoring.restore} />
        ))}
      </ol>
      <MoreButton query={query}>{t('history.earlier')}</MoreButton>
      {restoring.conflict !== undefined && (
        <LaterConflictDialog conflict={restoring.conflict} onSettle={restoring.settle} />
      )}
    </Stack>
  );
}

interface EntryProps extends PartProps {
  readonly entry: HistoryEntry;
  readonly restore: ReturnType<typeof useRestore>['restore'];
}

function Entry({ entry, object, ...props }: EntryProps) {
  const { ago, moment } = useFormats();
  const person = usePersonName(entry.user_id);
  return (
    <li className={classes.entry}>
      <Group wrap="nowrap" gap={10}>
        <Avatar name={person} size="small" />
        <span className={classes.person}>{person}</span>
        <time className={classes.time} dateTime={entry.at} title={moment(entry.at)}>
          {ago(entry.at)}
        </time>
      </Group>
      {entry.changes.map((change) => {
        const field = object.fields.find(({ key }) => key === change.field);
        if (field === undefined) return null;
        return <ChangedValue key={change.field} {...props} {...{ object, field, change }} />;
      })}
    </li>
  );
}
