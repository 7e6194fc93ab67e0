// A comment of a record: its author, when it was written, and its text.

import { Text } from '@mantine/core';
import type { RecordComment } from '@workspace-records/client';
import { useMemo } from 'react';
import { commentParts, unmentionedName } from '../../lib/comment-text.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useFoundPeople, useNameOf, usePeople } from '../../lib/person-names.ts';
import { Avatar } from '../../ui/avatar.tsx';
import classes from './activity.module.css';
import { commentAnchor } from './use-linked-comment.ts';

export function Comment({ comment }: { readonly comment: RecordComment }) {
  const t = useT();
  const { ago, moment } = useFormats();
  const { author, body, created_at } = comment;
  const name = useNameOf(author);
  return (
    <li id={commentAnchor(comment.id)} tabIndex={-1} className={classes.entry} data-comment>
      <Avatar name={name} />
      <div className={classes.text}>
        <p className={classes.head}>
          <Text span c="var(--ink)" fz="sm" fw={600}>
            {name}
          </Text>
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
  const hasNames = text.includes('@');
  const offered = usePeople(hasNames);
  const unknown = useMemo(() => unmentionedName(text, [...offered.values()]), [text, offered]);
  const people = useFoundPeople(unknown?.slice(1) ?? '', hasNames);
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
