// The syntax of `pattern`: ECMA-262 with the u flag, as JSON Schema says, without look-around and back-references. It
// parses repetition and combination; single characters and classes stay text, which JavaScript's own regular
// expressions evaluate.

import { type Message, say } from '../../messages/message.ts';

export type PatternNode =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'edge'; readonly at: Edge }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: PatternNode;
      readonly minimum: number;
      readonly maximum: number;
    };

/** A place between characters: `^`, `$`, `\b`, `\B`. */
export type Edge = 'start' | 'end' | 'word' | 'inside';

export type ParsedPattern = { readonly tree: PatternNode } | { readonly problem: Message };

const EDGES: Readonly<Record<string, Edge>> = {
  '^': 'start',
  $: 'end',
  '\\b': 'word',
  '\\B': 'inside',
};

/** One of these is next wherever a pattern that the language accepts continues. */
const TOKENS = {
  look: /\(\?<?[=!]/y,
  reference: /\\(?:[1-9]|k<)/y,
  open: /\((?:\?:|\?<[^>]+>)?/y,
  edge: /\^|\$|\\[bB]/y,
  character:
    /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u.{4}|\\x..|\\c.|\\.|[^()|\\]/suy,
  quantifier: /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y,
} as const;

interface Reader {
  readonly pattern: string;
  at: number;
  problem: Message | undefined;
}

/** The tree of a pattern, or why there is none; the problem completes "the pattern …". */
export function parsePattern(pattern: string): ParsedPattern {
  if (!isExpression(pattern)) return { problem: say('must_be_pattern') };
  const reader: Reader = { pattern, at: 0, problem: undefined };
  const tree = readChoice(reader);
  return reader.problem === undefined ? { tree } : { problem: reader.problem };
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}

function take(reader: Reader, token: keyof typeof TOKENS): RegExpExecArray | undefined {
  const expression = TOKENS[token];
  expression.lastIndex = reader.at;
  const match = expression.exec(reader.pattern);
  if (match === null) return undefined;
  reader.at += match[0].length;
  return match;
}

function readChoice(reader: Reader): PatternNode {
  const branches = [readSequence(reader)];
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1;
    branches.push(readSequence(reader));
  }
  return branches.length === 1 ? (branches[0] as PatternNode) : { kind: 'choice', branches };
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = [];
  for (;;) {
    const item = readItem(reader);
    if (item === undefined) return { kind: 'sequence', parts };
    parts.push(readRepetition(reader, item));
  }
}

/** Undefined at the end of the pattern, of a branch or of a group. */
function readItem(reader: Reader): PatternNode | undefined {
  if (take(reader, 'look') !== undefined) return refuse(reader, say('pattern_lookaround'));
  if (take(reader, 'reference') !== undefined) {
    return refuse(reader, say('pattern_reference'));
  }
  if (take(reader, 'open') !== undefined) {
    const inside = readChoice(reader);
    reader.at += 1;
    return reader.problem === undefined ? inside : undefined;
  }
  const edge = take(reader, 'edge');
  if (edge !== undefined) return { kind: 'edge', at: EDGES[edge[0]] as Edge };
  const character = take(reader, 'character');
  return character === undefined ? undefined : { kind: 'character', source: character[0] };
}

/** Stops the reading; the pattern is refused as a whole. */
function refuse(reader: Reader, problem: Message): undefined {
  reader.problem = problem;
  reader.at = reader.pattern.length;
  return undefined;
}

/** Whether a repetition is greedy makes no difference to whether there is a match. */
function readRepetition(reader: Reader, item: PatternNode): PatternNode {
  const match = take(reader, 'quantifier');
  if (match === undefined) return item;
  const [, sign, least, comma, most] = match;
  if (sign !== undefined) {
    const minimum = sign === '+' ? 1 : 0;
    return { kind: 'repeat', item, minimum, maximum: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
  }
  const minimum = Number(least);
  const maximum = most === undefined || most === '' ? Number.POSITIVE_INFINITY : Number(most);
  return { kind: 'repeat', item, minimum, maximum: comma === undefined ? minimum : maximum };
}
