// Parses the expression of a formula into a tree without types. Its length and nesting are bounded. Pure.

import { type Message, say } from '../../messages/message.ts';

/** Characters of the longest expression. */
export const MOST_OF_EXPRESSION = 1000;
/** Parentheses and calls within each other. */
const DEEPEST = 20;

/** A part of an expression, and the number of its first character, from 1. */
export type Syntax = { readonly at: number } & (
  | { readonly is: 'number' | 'text' | 'boolean' | 'field'; readonly text: string }
  | { readonly is: 'call'; readonly name: string; readonly parts: readonly Syntax[] }
);

const PROBLEM = Symbol('problem of a formula');

/** A problem of an expression, which is thrown. */
interface FormulaProblem {
  readonly [PROBLEM]: Message;
}

/** The problem of the part that begins at this character. */
export function problemAt(at: number, problem: Message): FormulaProblem {
  return { [PROBLEM]: say('formula_problem', { at, problem }) };
}

/** The message of a problem that was thrown. Throws any other error again. */
export function messageOfProblem(error: unknown): Message {
  if (typeof error === 'object' && error !== null && PROBLEM in error) {
    return (error as FormulaProblem)[PROBLEM];
  }
  throw error;
}

interface Token {
  readonly at: number;
  readonly is: 'number' | 'text' | 'name' | 'sign' | 'end';
  readonly text: string;
}

const TOKEN =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|"(?<text>(?:[^"]|"")*)"|(?<name>[a-z][a-z0-9_]*)|(?<sign><=|>=|!=|[-+*/&=<>(),]))/uy;

/** The tokens of an expression, the end among them. Throws its problem. */
function* tokensOf(expression: string): Generator<Token> {
  TOKEN.lastIndex = 0;
  let end = 0;
  for (let match = TOKEN.exec(expression); match !== null; match = TOKEN.exec(expression)) {
    const [[is, text = ''] = ['sign', '']] = Object.entries(match.groups ?? {}).filter(
      ([, part]) => part !== undefined,
    );
    const at = end + (match[0].length - match[0].trimStart().length) + 1;
    end = TOKEN.lastIndex;
    yield { at, is: is as Token['is'], text: is === 'text' ? text.replaceAll('""', '"') : text };
  }
  const rest = expression.slice(end);
  const at = end + (rest.length - rest.trimStart().length) + 1;
  if (rest.trim() === '') yield { at, is: 'end', text: '' };
  else throw problemAt(at, say('formula_character', { text: firstWord(rest.trim()) }));
}

function firstWord(text: string): string {
  const [word = ''] = text.split(/\s/, 1);
  return word.slice(0, 40);
}

/** The expression with other keys of fields; one that cannot be parsed stays. */
export function renameInExpression(expression: string, keyOf: (key: string) => string): string {
  try {
    const keys: { readonly at: number; readonly text: string }[] = [];
    visitFields(parseExpression(expression), (field) => keys.push(field));
    return keys
      .sort((one, other) => other.at - one.at)
      .reduce(
        (text, { at, text: key }) =>
          `${text.slice(0, at - 1)}${keyOf(key)}${text.slice(at - 1 + key.length)}`,
        expression,
      );
  } catch (error) {
    messageOfProblem(error);
    return expression;
  }
}

/** Calls with each field that the expression names, as often as it does. */
function visitFields(
  syntax: Syntax,
  visit: (field: { readonly at: number; readonly text: string }) => void,
): void {
  if (syntax.is === 'field') visit(syntax);
  if (syntax.is === 'call') for (const part of syntax.parts) visitFields(part, visit);
}

/** How strongly binary operators bind. */
const STRENGTHS: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  ...{ '=': 4, '!=': 4, '<': 4, '<=': 4, '>': 4, '>=': 4 },
  '&': 5,
  ...{ '+': 6, '-': 6 },
  ...{ '*': 7, '/': 7 },
};
const NOT_STRENGTH = 3;
const COMPARISON = 4;
const MINUS_STRENGTH = 8;

interface Reader {
  /** The next token, which stays the next one. */
  peek(): Token;
  next(): Token;
}

/** Throws its problem. */
export function parseExpression(expression: string): Syntax {
  const tokens = [...tokensOf(expression)];
  let place = 0;
  const peek = () => tokens[place] as Token;
  const next = () => {
    const token = peek();
    if (token.is !== 'end') place += 1;
    return token;
  };
  const syntax = parseOperation({ peek, next }, 0, 0);
  if (peek().is !== 'end') throw unexpected(peek());
  return syntax;
}

function parseOperation(reader: Reader, least: number, depth: number): Syntax {
  let left = parseOperand(reader, depth);
  for (;;) {
    const { text: name, at, is } = reader.peek();
    const strength = is === 'sign' || is === 'name' ? (STRENGTHS[name] ?? 0) : 0;
    if (strength <= least) return left;
    reader.next();
    const right = parseOperation(reader, strength, depth);
    left = { at, is: 'call', name, parts: [left, right] };
    const after = reader.peek();
    if (strength === COMPARISON && STRENGTHS[after.text] === COMPARISON) throw unexpected(after);
  }
}

function parseOperand(reader: Reader, depth: number): Syntax {
  const token = reader.next();
  const { at, is, text } = token;
  if (depth > DEEPEST) throw problemAt(at, say('formula_too_deep', { most: DEEPEST }));
  if (is === 'number' || is === 'text') return { at, is, text };
  if (is === 'sign' && text === '-') {
    return {
      at,
      is: 'call',
      name: '-',
      parts: [parseOperation(reader, MINUS_STRENGTH, depth + 1)],
    };
  }
  if (is === 'sign' && text === '(') {
    const inner = parseOperation(reader, 0, depth + 1);
    expectSign(reader, ')');
    return inner;
  }
  if (is !== 'name' || text === 'and' || text === 'or') throw unexpected(token);
  if (text === 'true' || text === 'false') return { at, is: 'boolean', text };
  if (text === 'not') {
    return { at, is: 'call', name: text, parts: [parseOperation(reader, NOT_STRENGTH, depth + 1)] };
  }
  if (reader.peek().text !== '(' || reader.peek().is !== 'sign') return { at, is: 'field', text };
  reader.next();
  return { at, is: 'call', name: text, parts: parseParts(reader, depth + 1) };
}

/** The operands of a function, up to the parenthesis behind them. */
function parseParts(reader: Reader, depth: number): readonly Syntax[] {
  const parts = [parseOperation(reader, 0, depth)];
  while (reader.peek().is === 'sign' && reader.peek().text === ',') {
    reader.next();
    parts.push(parseOperation(reader, 0, depth));
  }
  expectSign(reader, ')');
  return parts;
}

function expectSign(reader: Reader, text: string): void {
  const token = reader.next();
  if (token.is !== 'sign' || token.text !== text) throw unexpected(token);
}

function unexpected({ at, is, text }: Token): FormulaProblem {
  return problemAt(at, is === 'end' ? say('formula_ends') : say('formula_word', { text }));
}
