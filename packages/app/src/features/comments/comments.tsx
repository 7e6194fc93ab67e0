// The comments of a record, newest last, and the field for another one.

import { useInfiniteQuery } from '@tanstack/react-query';
import type { RecordComment } from '@workspace-records/client';
import { useMemo } from 'react';
import { commentParts } from '../../lib/comment-text.ts';
import { commentsQuery } from '../../lib/comments.ts';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { usePeople } from '../../lib/person-names.ts';
import type { PartProps } from '../../lib/record-part.ts';
import { useSession } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './comments.module.css';
import { Composer } from './composer.tsx';
import { useKeepEnd } from './use-keep-end.ts';
import { commentAnchor, useLinkedComment } from './use-linked-comment.ts';

export function Comments({ record }: PartProps) {
  const t = useT();
  const session = useSession();
  const recordPlace = { type: record.object_type, id: record.id };
  const { me } = session;
  const query = useInfiniteQuery(commentsQuery(session, recordPlace));
  const comments = useMemo(
    () => query.data?.pages.flatMap(({ data }) => data).toReversed() ?? [],
    [query.data],
  );
  const isEmpty = useIsEmpty(query, comments.length);
  const end = useKeepEnd(comments.at(-1)?.id);
  useLinkedComment({
    ids: comments.map(({ id }) => id),
    pages: query.data?.pages.length ?? 0,
    readEarlier:
      query.hasNextPage && !query.isFetchingNextPage ? () => query.fetchNextPage() : undefined,
  });
  return (
    <div className={classes.comments}>
      {query.error !== null && <Problem error={query.error} />}
      <MoreButton query={query}>{t('comments.earlier')}</MoreButton>
      {isEmpty && <p className={classes.none}>{t('comments.none')}</p>}
      <ol className={classes.list} aria-label={t('comments.title')} aria-busy={query.isPending}>
        {comments.map((comment) => (
          <Comment key={comment.id} comment={comment} />
        ))}
      </ol>
      <div ref={end} />
      {me.viewing === undefined && <Composer place={{ ...recordPlace, name: record.display }} />}
    </div>
  );
}

function Comment({ comment }: { readonly comment: RecordComment }) {
  const t = useT();
  const { ago, moment } = useFormats();
  const { author, body, created_at } = comment;
  const name = author.name ?? t('person.unknown');
  return (
    <li id={commentAnchor(comment.id)} tabIndex={-1} className={classes.comment}>
      <Avatar name={name} />
      <div className={classes.said}>
        <p className={classes.head}>
          <span className={classes.author}>{name}</span>
          {author.kind === 'agent' && <span className={classes.kind}>{t('comments.agent')}</span>}
          {created_at !== null && (
            <time dateTime={created_at} title={moment(created_at)}>
              {ago(created_at)}
            </time>
          )}
        </p>
        <Body text={body} />
      </div>
    </li>
  );
}

/** Text, with addresses as links and mentions marked. */
function Body({ text }: { readonly text: string }) {
  const people = usePeople(text.includes('@'));
  const parts = useMemo(() => commentParts(text, [...people.values()]), [text, people]);
  return (
    <div className={classes.body}>
      {parts.map((part, index) => {
        const key = `${index} ${part.kind}`;
        if (part.kind === 'text') return part.text;
        if (part.kind === 'mention') {
          return (
            <span key={key} className={classes.mention}>
              {part.text}
            </span>
          );
        }
        return (
          <a key={key} href={part.text} target="_blank" rel="noreferrer noopener">
            {part.text}
          </a>
        );
      })}
    </div>
  );
}
