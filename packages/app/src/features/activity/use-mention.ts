// The people who are offered while a name is typed after an `@`. The focus stays in the field.

import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { folded } from '../../../../tables/src/folded.ts';
import { type MentionAt, mentionAt } from '../../lib/comment-text.ts';
import type { CommentPlace } from '../../lib/comments.ts';
import { useSession } from '../../lib/session.ts';

export interface Candidate {
  readonly id: number;
  readonly name: string;
}

/** The content of the field when a person was chosen. */
interface Chosen {
  readonly text: string;
  readonly candidate: Candidate;
}

export interface Mention {
  readonly isOpen: boolean;
  readonly candidates: readonly Candidate[];
  readonly marked: number;
  /** Called when the text or the caret has changed. */
  follow(): void;
  close(): void;
  choose(candidate: Candidate): void;
  /** True: the key was about the list. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** Milliseconds without a key before the request. */
const PAUSE = 100;
const OFFERED = 6;
const NOBODY: readonly Candidate[] = [];

export function useMention(
  place: CommentPlace,
  field: RefObject<HTMLTextAreaElement | null>,
  onChoose: (chosen: Chosen) => void,
): Mention {
  const [at, setAt] = useState<MentionAt>();
  const [marked, setMarked] = useState(0);
  const candidates = useCandidates(place, at?.query);
  const isOpen = at !== undefined && candidates.length > 0;
  const choose = (candidate: Candidate) => {
    const { current } = field;
    if (at === undefined || current === null) return;
    const before = `${current.value.slice(0, at.start)}@${candidate.name} `;
    const text = before + current.value.slice(current.selectionEnd).replace(/^ /, '');
    // The caret can only be put into a text that is there.
    flushSync(() => onChoose({ text, candidate }));
    setAt(undefined);
    current.focus();
    current.setSelectionRange(before.length, before.length);
  };
  return {
    isOpen,
    candidates,
    marked: Math.min(marked, candidates.length - 1),
    choose,
    close: () => setAt(undefined),
    follow() {
      const { current } = field;
      if (current === null) return;
      const next = mentionAt(current.value, current.selectionEnd);
      if (next?.query !== at?.query) setMarked(0);
      setAt(next);
    },
    onKeyDown(event) {
      if (!isOpen) return false;
      const acts = new Map([
        ['ArrowDown', () => setMarked((marked + 1) % candidates.length)],
        ['ArrowUp', () => setMarked((marked + candidates.length - 1) % candidates.length)],
        ['Enter', () => choose(candidates[marked] as Candidate)],
        ['Tab', () => choose(candidates[marked] as Candidate)],
        ['Escape', () => setAt(undefined)],
      ]);
      const act = event.ctrlKey || event.metaKey ? undefined : acts.get(event.key);
      if (act === undefined) return false;
      event.preventDefault();
      event.stopPropagation();
      act();
      return true;
    },
  };
}

function useCandidates(place: CommentPlace, query: string | undefined): readonly Candidate[] {
  const { workspace, client, me } = useSession();
  const [q] = useDebouncedValue(query, PAUSE);
  const { data = NOBODY } = useQuery({
    queryKey: [workspace, place.type, 'mentioned', place.id, q],
    queryFn: async ({ signal }) => {
      const comments = client.records(place.type).comments(place.id);
      const people = await comments.mentionable(q === '' ? undefined : q, { signal });
      return people.filter(({ id }) => id !== me.user.id);
    },
    enabled: q !== undefined && query !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  // While the answer is on its way, those of the last one that can still be meant.
  const wanted = folded(query ?? '');
  return data.filter(({ name }) => folded(name).includes(wanted)).slice(0, OFFERED);
}
