// JSON as rows: a list of objects, an object with lists, of which one is read, lines with an object each, or a board of
// Trello. Properties of objects become columns such as `address.city`; lists of plain values are joined; other lists are
// their JSON. What the text may cost is checked before anything is made of it.

import { tableFault } from '../table-fault.ts';
import type { FormatBatch, FormatChoices, LeftOut } from './format-rows.ts';
import { recordRows, type TextRecord } from './record-rows.ts';
import { trelloBoard } from './trello-cards.ts';

const MOST_DEPTH = 32;
/** Values and keys. */
const MOST_NODES = 5_000_000;
/** A double keeps numbers of this many characters. */
const SAFE_LENGTH = 15;

type Item = Readonly<Record<string, unknown>>;

/** Errors: a fault. */
export function* jsonRows(text: string, choices: FormatChoices): Generator<FormatBatch> {
  const lists = listsOf(parseText(text));
  const sheets = lists.length > 1 ? lists.map(([name]) => name) : [];
  const { sheet } = choices;
  if (sheet !== undefined && !sheets.includes(sheet)) throw tableFault('sheet');
  const chosen = lists.find(([name, items]) =>
    sheet === undefined ? items.length > 0 : name === sheet,
  );
  if (chosen === undefined) throw tableFault(lists.length === 0 ? 'json' : 'empty');
  const [name, items, leftOut] = chosen;
  const about = sheets.length === 0 ? { sheets, leftOut } : { sheets, sheet: name, leftOut };
  for (const rows of recordRows(items.map(textRecord), choices)) yield { ...about, rows };
}

function parseText(text: string): unknown {
  const checked = checkedText(text);
  try {
    return JSON.parse(checked);
  } catch {
    // Lines with an object each.
    const lines = checked.split('\n').filter((line) => line.trim() !== '');
    try {
      return JSON.parse(`[${lines.join(',')}]`);
    } catch {
      throw tableFault('json');
    }
  }
}

/** The text with long numbers in quotation marks, so that they keep their digits. Errors: a fault. */
function checkedText(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let nodes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' || character === ':') nodes += 1;
    else if (/[\d-]/.test(character)) {
      const end = endOfNumber(text, at);
      if (end - at > SAFE_LENGTH) {
        parts.push(text.slice(from, at), '"', text.slice(at, end), '"');
        from = end;
      }
      at = end - 1;
    }
    if (depth > MOST_DEPTH || nodes > MOST_NODES) throw tableFault('large');
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (/[\d.eE+-]/.test(text[at] ?? '')) at += 1;
  return at;
}

type List = readonly [name: string, items: readonly Item[], leftOut?: readonly LeftOut[]];

/** The lists of objects in a document, by their names. */
function listsOf(document: unknown): readonly List[] {
  const isList = (value: unknown): value is readonly Item[] =>
    Array.isArray(value) && value.every(isItem);
  if (isList(document)) return [['', document]];
  if (!isItem(document)) return [];
  const board = trelloBoard(document);
  const lists = Object.entries(document).flatMap(([name, value]) =>
    isList(value) && (value.length > 0 || name === 'cards') ? [[name, value] as const] : [],
  );
  if (board === undefined) return lists;
  const others = lists.filter(([name]) => name !== 'cards');
  return [['cards', board.cards, board.leftOut], ...others];
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textRecord(item: Item): TextRecord {
  const record = new Map<string, string>();
  addTexts(record, '', item);
  return record;
}

function addTexts(record: Map<string, string>, before: string, item: Item): void {
  for (const [key, value] of Object.entries(item)) {
    const name = `${before}${key}`;
    if (isItem(value)) addTexts(record, `${name}.`, value);
    else record.set(name, textOf(value));
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return String(value);
  const isPlain = value.every((one) => one === null || typeof one !== 'object');
  return isPlain ? value.map(textOf).join('; ') : JSON.stringify(value);
}
