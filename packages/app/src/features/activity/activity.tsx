// The activity of a record and its comments in one list, the newest last, and the field for a comment below.

import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useT } from '../../lib/messages/index.ts';
import type { PartProps } from '../../lib/record-part.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './activity.module.css';
import { ActivityLine } from './activity-line.tsx';
import { Comment } from './comment.tsx';
import { Composer } from './composer.tsx';
import { useKeepEnd } from './use-keep-end.ts';
import { useLinkedComment } from './use-linked-comment.ts';
import { useMoves } from './use-moves.ts';
import { useNames } from './use-names.ts';
import { useStream } from './use-stream.ts';

export function Activity({ object, record }: PartProps) {
  const t = useT();
  const session = useSession();
  const { data: access } = useQuery(accessQuery(session));
  const { items, earlier, ...stream } = useStream(object, record);
  const nameOf = useNames(object);
  const moveOf = useMoves(object, record, items);
  const end = useKeepEnd(items.at(-1), stream.isPending);
  useLinkedComment({
    ids: items.flatMap((item) => (item.kind === 'comment' ? [item.comment.id] : [])),
    pages: stream.pages,
    readEarlier:
      earlier.hasNextPage && !earlier.isFetchingNextPage ? earlier.fetchNextPage : undefined,
  });
  return (
    <Stack align="flex-start" gap="sm" mih="100%">
      {stream.errors.map((error) => (
        <Problem key={String(error)} error={error} />
      ))}
      {access?.administrator.allowed === false && <Text c="dimmed">{t('activity.own')}</Text>}
      <MoreButton query={earlier}>{t('activity.earlier')}</MoreButton>
      {items.length === 0 && !stream.isPending && <Text c="dimmed">{t('activity.none')}</Text>}
      <ol className={classes.list} aria-label={t('activity.title')} aria-busy={stream.isPending}>
        {items.map((item) =>
          item.kind === 'comment' ? (
            <Comment key={item.comment.id} comment={item.comment} />
          ) : (
            <ActivityLine key={item.entry.id} {...{ nameOf, moveOf }} entry={item.entry} />
          ),
        )}
      </ol>
      <div ref={end} />
      {stream.canComment && session.me.viewing === undefined && (
        <Composer place={{ type: record.object_type, id: record.id, name: record.display }} />
      )}
    </Stack>
  );
}
