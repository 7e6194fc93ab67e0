// The XML of workbooks, read by expressions that need the time of its length: elements as they are unpacked, cells, texts
// and attributes. A table of half a million texts as a tree of elements would take hundreds of megabytes.

import { tableFault } from '../table-fault.ts';

/** Characters of a row or of a text with its runs. */
const MOST_LENGTH = 8 * 1024 * 1024;

/** The text up to each end of an element of this name, which begins with the start of the element or before it. */
export async function* elementsIn(
  pieces: AsyncIterable<string>,
  name: string,
): AsyncGenerator<readonly string[]> {
  const end = new RegExp(`</(?:\\w+:)?${name}>`);
  let rest = '';
  for await (const piece of pieces) {
    // An end may be cut by the end of a piece.
    const elements = (rest + piece).split(end);
    rest = elements.pop() ?? '';
    if (rest.length > MOST_LENGTH) throw tableFault('length');
    yield elements;
  }
}

export interface XmlCell {
  /** A reference such as `B7`; undefined: the next column. */
  readonly place: string | undefined;
  readonly type: string | undefined;
  readonly style: number;
  readonly value: string;
  /** A text that is in the cell. */
  readonly text: string;
}

/** The cells of a row that have something in them. */
export function* cellsIn(row: string): Generator<XmlCell> {
  for (const part of row.split(/<\/(?:\w+:)?c>/)) {
    for (const { 0: tag, 1: attributes = '', index } of part.matchAll(CELL)) {
      const isEmpty = attributes.endsWith('/');
      const content = isEmpty ? '' : part.slice(index + tag.length);
      yield {
        place: attributeOf(attributes, 'r'),
        type: attributeOf(attributes, 't'),
        style: Number(attributeOf(attributes, 's') ?? -1),
        value: plainText(VALUE.exec(content)?.[1] ?? ''),
        text: isEmpty ? '' : textIn(content),
      };
    }
  }
}

const CELL = /<(?:\w+:)?c(?=[\s/>])([^<>]*)>/g;
const VALUE = /<(?:\w+:)?v(?:\s[^<>]*)?>([^<]*)</;
const TEXT = /<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)</g;

/** The texts of an element, those of all runs together; how a text is pronounced is none of it. */
export function textIn(element: string): string {
  if (!element.includes('t>') && !element.includes('t ')) return '';
  const parts = element.includes('rPh')
    ? element.split(/<\/(?:\w+:)?rPh>/).map((part) => part.split(/<(?:\w+:)?rPh[\s>]/)[0] ?? '')
    : [element];
  const texts = parts.flatMap((part) => [...part.matchAll(TEXT)].map(([, text = '']) => text));
  // Workbooks write characters that XML cannot hold as `_x000D_`.
  return plainText(texts.join('')).replaceAll(/_x([\da-f]{4})_/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const PATTERNS = new Map<string, RegExp>();

/** Attributes are written as ` name="value"`; a name with a prefix is also found without it. */
export function attributeOf(attributes: string, name: string): string | undefined {
  let pattern = PATTERNS.get(name);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|\\s)(?:\\w+:)?${name}=(?:"([^"]*)"|'([^']*)')`);
    PATTERNS.set(name, pattern);
  }
  const value = pattern.exec(attributes);
  return value === null ? undefined : plainText(value[1] ?? value[2] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};

function plainText(xml: string): string {
  if (!xml.includes('&')) return xml;
  return xml.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
