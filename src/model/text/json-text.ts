// Checks of JSON text before it is parsed: its depth, its number of keys and values, and numbers that a double
// does not represent exactly. One pass over the text; JSON.parse checks the syntax.

import { survivesDouble } from '../values/decimals.ts';

/** Bounds on a JSON text. */
export interface JsonBounds {
  readonly depth: number;
  /** Keys and objects. Each may cost JSON.parse a microsecond. */
  readonly nodes: number;
  /** Commas and lists, which are at least as many as all values but the first. */
  readonly values: number;
  /** Keys of the outermost object. */
  readonly outerKeys?: number;
}

/** `depth`, `size`: the text exceeds a bound and was not parsed. Throws SyntaxError when it is not JSON. */
export type JsonOutcome = { readonly value: unknown } | { readonly beyond: 'depth' | 'size' };

/**
 * Parse JSON within bounds. A number that a double does not keep (`123456789012345.001`, `1e400`) becomes
 * Infinity, which JSON cannot express otherwise: every field of numbers refuses it with its own `param`.
 */
export function parseJsonText(text: string, bounds: JsonBounds): JsonOutcome {
  const found = scan(text, bounds);
  if (typeof found === 'string') return { beyond: found };
  return { value: JSON.parse(found.length === 0 ? text : withInexactMarked(text, found)) };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const SPACE = 0x20;
const ZERO = 0x30;

/** Start and end of each number that may be too exact, in turn. */
type Spans = readonly number[];

function scan(
  text: string,
  { depth, nodes, values, outerKeys }: JsonBounds,
): Spans | 'depth' | 'size' {
  const spans: number[] = [];
  let levels = 0;
  let nodesLeft = nodes;
  let valuesLeft = values;
  let outerKeysLeft = outerKeys ?? nodes;
  for (let index = 0; index < text.length; index += 1) {
    if (nodesLeft < 0 || valuesLeft < 0 || outerKeysLeft < 0) return 'size';
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index + 1);
    } else if (code === COMMA) {
      valuesLeft -= 1;
    } else if (code === COLON) {
      nodesLeft -= 1;
      if (levels === 1) outerKeysLeft -= 1;
    } else if (code === 0x5b || code === 0x7b) {
      levels += 1;
      if (levels > depth) return 'depth';
      if (code === 0x7b) nodesLeft -= 1;
      else valuesLeft -= 1;
    } else if (code === 0x5d || code === 0x7d) {
      levels -= 1;
    } else if (code <= SPACE) {
      while (text.charCodeAt(index + 1) <= SPACE) index += 1;
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, index);
      if (end < 0) spans.push(index, -end);
      index = Math.abs(end) - 1;
    }
  }
  return spans;
}

/** Characters of a string looked at one by one before the native search is worth its call. */
const STEP = 64;

function endOfString(text: string, start: number): number {
  let index = start;
  for (;;) {
    const stop = index + STEP;
    while (index < stop) {
      const code = text.charCodeAt(index);
      // NaN behind the end of the text.
      if (code === QUOTE || !(code >= 0)) return index;
      index += code === BACKSLASH ? 2 : 1;
    }
    const quote = text.indexOf('"', index);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (quote - slashes > index && text.charCodeAt(quote - slashes - 1) === BACKSLASH) {
      slashes += 1;
    }
    if (slashes % 2 === 0) return quote;
    index = quote + 1;
  }
}

/** Digits that a double keeps whatever they are. */
const EXACT_DIGITS = 15;

/** Negative when a double may not keep the number: 16 digits that count, or a large exponent. */
function endOfNumber(text: string, start: number): number {
  let index = start;
  let first = -1;
  let last = -1;
  let exponent = 0;
  for (; ; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      if (exponent > 0) continue;
      if (code !== ZERO) {
        last = index;
        if (first < 0) first = index;
      }
    } else if ((code | 0x20) === 0x65) {
      exponent = index;
    } else if (code !== POINT && code !== MINUS && code !== PLUS) {
      break;
    }
  }
  const isLarge = exponent > 0 && index - exponent > LARGE_EXPONENT;
  return isLarge || last - first >= EXACT_DIGITS ? -index : index;
}

/** Characters of `e-99`; a longer exponent may be beyond the doubles. */
const LARGE_EXPONENT = 4;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Becomes Infinity; JSON has no other way to write it. */
const INEXACT = '1e999';

/** A longer number is refused without comparing it. */
const LONGEST = 1000;
/** After so many inexact numbers the request fails anyway, so the others are not compared. */
const ENOUGH = 100;

/** The text with another number in place of each that a double does not keep. */
function withInexactMarked(text: string, spans: Spans): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < spans.length; at += 2) {
    const [start = 0, end = 0] = [spans[at], spans[at + 1]];
    const number = text.slice(start, end);
    // A text that is not a number stays, and JSON.parse refuses it.
    if (!NUMBER.test(number)) continue;
    const isUnread = number.length > LONGEST || parts.length > ENOUGH * 2;
    if (!isUnread && (String(Number(number)) === number || survivesDouble(number))) continue;
    parts.push(text.slice(done, start), INEXACT);
    done = end;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}
