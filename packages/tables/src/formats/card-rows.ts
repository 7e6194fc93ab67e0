// Contact cards (vCard 2.1, 3.0 and 4.0) as rows, a card each. Photos, sounds, keys and rare properties are left
// out and counted.

import { tableFault } from '../table-fault.ts';
import { ADDRESS, addValue, NAME_PARTS } from './contact-columns.ts';

interface Property {
  readonly name: string;
  /** Upper-case names of the parameters, with values; words without a name are types. */
  readonly params: ReadonlyMap<string, readonly string[]>;
  readonly value: string;
}

interface Card {
  readonly properties: Property[];
  version: string;
}

const SINGLE: Readonly<Record<string, string>> = {
  ...{ FN: 'Name', NICKNAME: 'Nickname', TITLE: 'Title', ROLE: 'Role', EMAIL: 'E-mail' },
  ...{ URL: 'URL', NOTE: 'Note', BDAY: 'Birthday', CATEGORIES: 'Categories', UID: 'UID' },
};
const PARTS: Readonly<Record<string, readonly string[]>> = {
  ...{ N: NAME_PARTS, ADR: ADDRESS, ORG: ['Organization', 'Department'] },
};

/** Properties that tell nothing of a person. */
const OF_CARDS: ReadonlySet<string> = new Set([
  ...['PRODID', 'REV', 'SOURCE', 'KIND', 'CLASS', 'MAILER', 'CLIENTPIDMAP', 'XML', 'SORT-STRING'],
]);

/** Errors: a fault, with the line of the card. */
export function cardRecords(text: string) {
  const counts = new Map<string, number>();
  const records: Map<string, string>[] = [];
  const cards: Card[] = [];
  let isIgnored = false;
  for (const [line, content] of contentLines(text)) {
    const property = propertyOf(content);
    if (property === undefined) continue;
    const { name, value } = property;
    const ends = value.trim().toUpperCase() === 'VCARD';
    if (name === 'BEGIN') {
      isIgnored = !ends;
      if (ends) cards.push({ properties: [], version: '3.0' });
    } else if (name === 'END') {
      // A card within a card is an agent of it.
      const card = ends ? cards.pop() : undefined;
      if (card !== undefined && cards.length === 0) records.push(recordOf(card, counts));
      isIgnored = false;
    } else if (!isIgnored) {
      const card = cards.at(-1);
      if (card === undefined) throw tableFault('cards', line);
      if (name === 'VERSION') card.version = value.trim();
      else card.properties.push(property);
    }
    if (cards.length > 10) throw tableFault('cards', line);
  }
  if (cards.length > 0) throw tableFault('cards', text.split('\n').length);
  const leftOut = [...counts].map(([name, count]) => ({ name, count }));
  return { records, leftOut };
}

/** Lines with those that continue them, and their numbers. */
function* contentLines(text: string): Generator<readonly [line: number, content: string]> {
  const lines = text.split(/\r\n|\r|\n/);
  let version = '';
  for (let at = 0; at < lines.length; at += 1) {
    const start = at + 1;
    const parts = [lines[at] ?? ''];
    const isQuoted = /^[^:]*quoted-printable[^:]*:/i.test(parts[0] ?? '');
    for (; at + 1 < lines.length; at += 1) {
      const [last = '', next = ''] = [parts.at(-1), lines[at + 1]];
      // A line that ends with "=" is continued by the next one, whatever that begins with.
      const isContinued = isQuoted ? last.endsWith('=') : /^[ \t]/.test(next);
      if (!isContinued) break;
      if (isQuoted) parts.splice(-1, 1, last.slice(0, -1), next);
      // 2.1 breaks a line before a space of the text.
      else parts.push(next.slice(version === '2.1' ? 0 : 1));
    }
    const content = parts.join('');
    version = /^VERSION:\s*([\d.]+)/i.exec(content)?.[1] ?? version;
    if (content.trim() !== '') yield [start, content];
  }
}

function propertyOf(content: string): Property | undefined {
  const colon = outside(content, ':')[0];
  if (colon === undefined) return undefined;
  const head = content.slice(0, colon);
  const [name = '', ...words] = split(head, outside(head, ';'));
  const params = new Map<string, string[]>();
  for (const word of words) {
    const equals = word.indexOf('=');
    const key = equals < 0 ? 'TYPE' : word.slice(0, equals).trim().toUpperCase();
    const values = word
      .slice(equals + 1)
      .replaceAll('"', '')
      .split(',');
    params.set(key, [...(params.get(key) ?? []), ...values.map((one) => one.trim().toUpperCase())]);
  }
  // Apple and Google group properties: "item1.EMAIL".
  const plain = name
    .slice(name.lastIndexOf('.') + 1)
    .trim()
    .toUpperCase();
  return { name: plain, params, value: content.slice(colon + 1) };
}

/** The places of a mark that are not within quotation marks. */
function outside(text: string, mark: string): readonly number[] {
  const places: number[] = [];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] === mark && !isQuoted) places.push(at);
  }
  // A quotation mark that is never closed is a character.
  return places.length > 0 || !isQuoted ? places : [text.indexOf(mark)].filter((at) => at >= 0);
}

function split(text: string, places: readonly number[]): readonly string[] {
  return [...places, text.length].map((end, index) =>
    text.slice(index === 0 ? 0 : (places[index - 1] ?? 0) + 1, end),
  );
}

/** Adds to `counts` the properties without a column. */
function recordOf({ properties, version }: Card, counts: Map<string, number>) {
  const record = new Map<string, string>();
  const plain = (text: string) => unescaped(text, version);
  for (const property of properties) {
    const { name } = property;
    const columns = PARTS[name] ?? [name === 'TEL' ? phoneColumn(property) : SINGLE[name]];
    if (columns[0] === undefined) {
      const isKnown = OF_CARDS.has(name) || name.startsWith('X-');
      if (!isKnown) counts.set(name, (counts.get(name) ?? 0) + 1);
      continue;
    }
    const values = columns.length === 1 ? [property.value] : partsOf(property.value);
    for (const [index, column] of columns.entries()) {
      const text = plain(decoded(property, values[index] ?? ''));
      if (column !== undefined) addValue(record, column, formatted(property, text));
    }
  }
  return record;
}

/** Between semicolons without a backslash. */
function partsOf(value: string): readonly string[] {
  return split(
    value,
    [...value.matchAll(/\\.|;/gs)].filter(([mark]) => mark === ';').map(({ index }) => index),
  );
}

function phoneColumn({ params }: Property): string {
  const types = params.get('TYPE') ?? [];
  return types.includes('CELL') ? 'Mobile' : types.includes('FAX') ? 'Fax' : 'Telephone';
}

function formatted({ name, params }: Property, text: string): string {
  if (name === 'TEL') return text.replace(/^tel:([^;]*).*$/is, '$1');
  if (name !== 'BDAY') return text;
  const [, year = '', month = '', day = ''] =
    /^(\d{4}|--)-?(\d\d)-?(\d\d)(?:T.*)?$/i.exec(text.trim()) ?? [];
  if (month === '') return text;
  // Apple writes this year for birthdays without one.
  const isWithoutYear = year === '--' || params.get('X-APPLE-OMIT-YEAR')?.[0] === year;
  return isWithoutYear ? `--${month}-${day}` : `${year}-${month}-${day}`;
}

function decoded({ params }: Property, value: string): string {
  const encodings = [...(params.get('ENCODING') ?? []), ...(params.get('TYPE') ?? [])];
  if (encodings.includes('QUOTED-PRINTABLE')) return bytesText(quotedBytes(value), params);
  if (!encodings.some((one) => one === 'B' || one === 'BASE64')) return value;
  try {
    return bytesText(
      Uint8Array.from(atob(value), (one) => one.charCodeAt(0)),
      params,
    );
  } catch {
    return '';
  }
}

function quotedBytes(value: string): Uint8Array {
  const text = value.replaceAll(/=([\da-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  // Other characters than ASCII beside the codes were in the encoding of the file.
  const isBytes = /^[\0-\xff]*$/.test(text) && /^[\0-\x7f]*$/.test(value);
  return isBytes
    ? Uint8Array.from(text, (one) => one.charCodeAt(0))
    : new TextEncoder().encode(text);
}

function bytesText(bytes: Uint8Array, params: Property['params']): string {
  for (const charset of [params.get('CHARSET')?.[0] ?? 'utf-8', 'windows-1252']) {
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      // Another one, or one that has no name.
    }
  }
  return '';
}

/** 2.1 writes only separators with a backslash, so that "C:\\new" is a path there. */
function unescaped(text: string, version: string): string {
  if (version === '2.1') return text.replaceAll(/\\([;,:])/g, '$1');
  return text.replaceAll(/\\(.)/gs, (_, one) => (one === 'n' || one === 'N' ? '\n' : one));
}
