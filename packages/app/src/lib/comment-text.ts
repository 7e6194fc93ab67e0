// What in the text of a comment means more than itself, and the name that is being typed. Comments are text.

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
