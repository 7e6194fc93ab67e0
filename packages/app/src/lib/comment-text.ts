// The special parts in the text of a comment, and the name that is being typed. Comments are text.

export interface CommentPart {
  readonly kind: 'text' | 'link' | 'mention';
  readonly text: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/gi;
/** The characters that do not belong to an address at its end. */
const TRAILING: ReadonlySet<string> = new Set(".,;:!?'»”)]");

/** Addresses of the web, and names of people after an `@`; everything else is plain text. */
export function commentParts(body: string, names: readonly string[]): readonly CommentPart[] {
  const mention = mentionOf(names);
  const parts: CommentPart[][] = [];
  let from = 0;
  for (const match of body.matchAll(ADDRESS)) {
    const text = withoutTrailing(match[0]);
    parts.push(mentionParts(body.slice(from, match.index), mention), [{ kind: 'link', text }]);
    from = match.index + text.length;
  }
  parts.push(mentionParts(body.slice(from), mention));
  return parts.flat().filter(({ text }) => text !== '');
}

/** The first `@name` that mentions none of these people, who alone are notified. */
export function unmentionedName(body: string, names: readonly string[]): string | undefined {
  const texts = commentParts(body, names).filter(({ kind }) => kind === 'text');
  return texts.map(({ text }) => NAME.exec(text)?.[0]).find((name) => name !== undefined);
}

const NAME = /(?<![\p{L}\p{N}])@[\p{L}\p{N}][\p{L}\p{N}._-]*/u;

/** An address without trailing characters. An expression would begin again at each character of a long row of them. */
function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && TRAILING.has(address[end - 1] ?? '')) end -= 1;
  return address.slice(0, end);
}

/** Longer names first: `@Ann Lee` is not `@Ann`. Undefined: there are no names. */
function mentionOf(names: readonly string[]): RegExp | undefined {
  const known = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
  if (known.length === 0) return undefined;
  const escaped = known.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(@(?:${escaped.join('|')}))(?![\\p{L}\\p{N}])`, 'u');
}

function mentionParts(text: string, mention: RegExp | undefined): CommentPart[] {
  if (mention === undefined || !text.includes('@')) return [{ kind: 'text', text }];
  return text.split(mention).map((part, index) => ({
    kind: index % 2 === 1 ? 'mention' : 'text',
    text: part,
  }));
}

export interface MentionAt {
  /** The place of the `@`. */
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
