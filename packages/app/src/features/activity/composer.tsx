// The field for a comment. After an `@` it offers people; Ctrl and Enter send it; until then it is an unsaved edit.

import { Button, Group, Text, Textarea } from '@mantine/core';
import { LIMITS } from '@workspace-records/client';
import { type KeyboardEvent, useId, useRef } from 'react';
import { unmentionedName } from '../../lib/comment-text.ts';
import { type CommentPlace, useWriteComment } from '../../lib/comments.ts';
import { isSame } from '../../lib/field-value.ts';
import { makeKey } from '../../lib/idempotency-key.ts';
import { useT } from '../../lib/messages/index.ts';
import { type EditPlace, useEdit, useEdits, useOpenEdit } from '../../lib/unsaved-edits.ts';
import { problemText } from '../../ui/problem.tsx';
import classes from './activity.module.css';
import { MentionList } from './mention-list.tsx';
import { type Candidate, useMention } from './use-mention.ts';

interface Draft {
  readonly text: string;
  /** The people chosen from the list. Only those whose name is still in the text are mentioned. */
  readonly chosen: readonly Candidate[];
  /** The comment that was sent and may have arrived. */
  readonly sent?: { readonly content: unknown; readonly key: string };
}

const EMPTY: Draft = { text: '', chosen: [] };

interface ComposerPlace extends CommentPlace {
  /** The name of the record. */
  readonly name: string | null;
}

export function Composer({ place }: { readonly place: ComposerPlace }) {
  const t = useT();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { draft, keep, type, canSend, send, isPending, problem } = useComment(place);
  const mention = useMention(place, field, ({ text, candidate }) =>
    keep({ ...draft, text, chosen: [...draft.chosen, candidate] }),
  );
  const names = draft.chosen.map(({ name }) => name);
  const unmentioned = mention.isOpen ? undefined : unmentionedName(draft.text, names);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || mention.onKeyDown(event)) return;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={classes.composer}>
      <MentionList id={id} mention={mention} />
      <Textarea
        ref={field}
        rows={2}
        value={draft.text}
        aria-label={t('comments.write')}
        placeholder={t('comments.placeholder')}
        error={problem}
        aria-autocomplete="list"
        aria-controls={mention.isOpen ? `${id}-list` : undefined}
        aria-activedescendant={mention.isOpen ? `${id}-${mention.marked}` : undefined}
        onChange={({ currentTarget }) => {
          type(currentTarget.value);
          mention.follow();
        }}
        onSelect={mention.follow}
        onBlur={mention.close}
        onKeyDown={onKeyDown}
      />
      <Group wrap="nowrap" justify="space-between" gap="sm" mt={6}>
        <Text span c="dimmed" fz="xs" role="status">
          {unmentioned === undefined
            ? t(mentionsIn(draft).length > 0 ? 'comments.mentionHint' : 'comments.hint')
            : t('comments.unmentioned', { name: unmentioned })}
        </Text>
        <Button loading={isPending} disabled={!canSend} onClick={send}>
          {t('comments.send')}
        </Button>
      </Group>
    </div>
  );
}

function useComment(place: ComposerPlace) {
  const t = useT();
  const { draft, present, keep } = useDraft(place);
  const { mutateAsync, isPending, error, reset } = useWriteComment(place);
  const { text, sent } = draft;
  const isTooLong = [...text].length > LIMITS.commentLength;
  const canSend = text.trim() !== '' && !isTooLong;
  const send = () => {
    if (isPending || !canSend) return;
    const content = { body: text, mentions: mentionsIn(draft) };
    const isAgain = sent !== undefined && isSame(sent.content, content);
    const key = isAgain ? sent.key : makeKey();
    keep({ ...draft, sent: { content, key } });
    // Also when the person has left the record: callbacks of the component would not be called. The text that was
    // typed while it was sent stays.
    mutateAsync({ ...content, key }).then(
      () => keep({ ...EMPTY, text: restOf(present().text, text) }),
      () => undefined,
    );
  };
  const failed = error === null ? undefined : problemText(error, t);
  return {
    ...{ draft, keep, canSend, send, isPending },
    problem: isTooLong ? t('rule.long', { bound: LIMITS.commentLength }) : failed,
    type(next: string) {
      reset();
      keep({ ...draft, text: next });
    },
  };
}

function useDraft({ type, id, name }: ComposerPlace) {
  const edits = useEdits();
  const subject: EditPlace = { kind: 'comment', type, id, part: '' };
  const draft = (useEdit(subject)?.draft as Draft | undefined) ?? EMPTY;
  useOpenEdit(subject);
  const keep = (next: Draft) => {
    if (next.text === '') edits.drop(subject);
    else edits.put({ ...subject, name, draft: next });
  };
  const present = () => (edits.find(subject)?.draft as Draft | undefined) ?? EMPTY;
  return { draft, present, keep };
}

function restOf(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length) : text;
}

function mentionsIn({ text, chosen }: Draft): readonly number[] {
  const named = chosen.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id);
  return [...new Set(named)].slice(0, LIMITS.mentions);
}
