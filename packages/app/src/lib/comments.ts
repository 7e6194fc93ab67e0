// What people say about a record: which objects have comments, reading and writing them, and what in their text means more
// than itself. Comments are text.

import type { InfiniteData } from '@tanstack/react-query';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ObjectDefinition, Page, RecordComment } from '@workspace-records/client';
import { type Session, useSession } from './session.ts';

/** As the interface has it; others answer that they have none. */
const WITH_COMMENTS: ReadonlySet<string> = new Set([
  'companies',
  'contacts',
  'deals',
  'meetings',
  'events',
  'work_items',
]);

export function hasComments({ object_type }: Pick<ObjectDefinition, 'object_type'>): boolean {
  return WITH_COMMENTS.has(object_type);
}

export interface CommentPlace {
  readonly type: string;
  readonly id: string;
}

const COMMENTS_AT_ONCE = 30;

/** Newest first, as the pages go; people read them the other way round. */
export function commentsQuery(
  { workspace, client }: Pick<Session, 'workspace' | 'client'>,
  { type, id }: CommentPlace,
) {
  return infiniteQueryOptions({
    queryKey: [workspace, type, 'comments', id],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: COMMENTS_AT_ONCE, ...(cursor === undefined ? {} : { cursor }) };
      return client.records(type).comments(id).list(query, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

export interface NewComment {
  readonly body: string;
  readonly mentions: readonly number[];
  /** The same for each attempt: it is written once, however often it is sent. */
  readonly key: string;
}

export function useWriteComment(place: CommentPlace) {
  const session = useSession();
  const queries = useQueryClient();
  const { queryKey } = commentsQuery(session, place);
  return useMutation({
    mutationFn: ({ body, mentions, key }: NewComment) =>
      session.client
        .records(place.type)
        .comments(place.id)
        .create(body, { mention_user_ids: mentions, idempotencyKey: key }),
    onSuccess(comment) {
      queries.setQueryData<InfiniteData<Page<RecordComment>, string | undefined>>(
        queryKey,
        (pages) => (pages === undefined ? undefined : withComment(pages, comment)),
      );
      void queries.invalidateQueries({
        queryKey: [session.workspace, place.type, 'activity', place.id],
      });
    },
  });
}

/** An event may have brought it already. */
function withComment<Pages extends InfiniteData<Page<RecordComment>, string | undefined>>(
  comments: Pages,
  comment: RecordComment,
): Pages {
  const [first, ...others] = comments.pages;
  if (first === undefined || first.data.some(({ id }) => id === comment.id)) return comments;
  return { ...comments, pages: [{ ...first, data: [comment, ...first.data] }, ...others] };
}

export interface CommentPart {
  readonly kind: 'text' | 'link' | 'mention';
  readonly text: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/gi;
/** At the end of a sentence they are no part of an address. */
const TRAILING = /[.,;:!?'»”)\]]+$/;

/** Addresses of the web, and names of people after an `@`; everything else is what it is. */
export function commentParts(body: string, names: readonly string[]): readonly CommentPart[] {
  const parts: CommentPart[] = [];
  let from = 0;
  for (const match of body.matchAll(ADDRESS)) {
    const text = match[0].replace(TRAILING, '');
    parts.push(...mentionParts(body.slice(from, match.index), names), { kind: 'link', text });
    from = match.index + text.length;
  }
  return [...parts, ...mentionParts(body.slice(from), names)].filter(({ text }) => text !== '');
}

/** Longer names first: `@Ann Lee` is not `@Ann`. */
function mentionParts(text: string, names: readonly string[]): readonly CommentPart[] {
  const known = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
  if (known.length === 0 || !text.includes('@')) return [{ kind: 'text', text }];
  const escaped = known.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const mention = new RegExp(`(@(?:${escaped.join('|')}))(?![\\p{L}\\p{N}])`, 'u');
  return text.split(mention).map((part, index) => ({
    kind: index % 2 === 1 ? 'mention' : 'text',
    text: part,
  }));
}

export interface MentionAt {
  /** Where the `@` stands. */
  readonly start: number;
  readonly query: string;
}

/** Names have few words; what comes later is a sentence. */
const MOST_WORDS = 3;

/** The name that is being typed before the caret, or undefined. */
export function mentionAt(text: string, caret: number): MentionAt | undefined {
  const start = text.lastIndexOf('@', caret - 1);
  if (start < 0 || caret <= start) return undefined;
  const query = text.slice(start + 1, caret);
  const isInWord = start > 0 && /[\p{L}\p{N}]/u.test(text[start - 1] ?? '');
  const isOver = /[\n@]|^\s|\s{2}/.test(query) || query.split(/\s/).length > MOST_WORDS;
  return isInWord || isOver ? undefined : { start, query };
}
