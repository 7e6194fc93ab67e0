// Times as a file writes them, by a format that says so (`DD.MM.YYYY HH:mm`), and local times in their zone. Every part
// has a bounded length, so reading takes time in proportion to the text. Pure.

import { type Message, say } from '../messages/message.ts';
import { type Parsed, problem } from './parsed.ts';
import { parseDateTime } from './times.ts';

export interface TimeFormat {
  readonly text: string;
  readonly hasTime: boolean;
  readonly hasOffset: boolean;
  readonly pattern: RegExp;
  /** Names of the parts in the order of the groups. */
  readonly parts: readonly Part[];
}

type Part = keyof typeof PARTS;

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

/** The text that each part of a format matches; longer names first. */
const PARTS = {
  YYYY: '(\\d{4})',
  YY: '(\\d{2})',
  MMMM: `(${MONTHS.join('|')})`,
  MMM: `(${MONTHS.map((month) => month.slice(0, 3)).join('|')})`,
  MM: '(\\d{2})',
  M: '(\\d{1,2})',
  DD: '(\\d{2})',
  D: '(\\d{1,2})',
  HH: '(\\d{2})',
  H: '(\\d{1,2})',
  hh: '(\\d{2})',
  h: '(\\d{1,2})',
  mm: '(\\d{2})',
  ss: '(\\d{2})',
  SSS: '(\\d{1,9})',
  A: '([AaPp][Mm])',
  Z: '(Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)',
} as const;
const NAMES = Object.keys(PARTS) as readonly Part[];
const PIECE = new RegExp(`${NAMES.join('|')}|[A-Za-z]|[^A-Za-z]`, 'g');

/** Parses a format; returns a sentence when it is not valid. */
export function parseTimeFormat(text: string): TimeFormat | Message {
  const parts: Part[] = [];
  let pattern = '';
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece in PARTS) {
      parts.push(piece as Part);
      pattern += PARTS[piece as Part];
    } else if (/[A-SU-Za-z]/.test(piece)) {
      return say('format_piece_unknown', { piece, names: NAMES.join(', ') });
    } else pattern += piece.replace(/[^\w\s]/, '\\$&');
  }
  const has = (...names: readonly Part[]) => parts.filter((part) => names.includes(part)).length;
  const isDay =
    has('YYYY', 'YY') === 1 && has('MMMM', 'MMM', 'MM', 'M') === 1 && has('D', 'DD') === 1;
  if (!isDay) return say('format_date_parts');
  const [hours, halves] = [has('HH', 'H', 'hh', 'h'), has('A')];
  const isTwelve = has('hh', 'h') === 1;
  if (hours > 1 || new Set(parts).size < parts.length || isTwelve !== (halves === 1)) {
    return say('format_repeated');
  }
  const hasTime = hours === 1 && has('mm') === 1;
  if (!hasTime && hours + has('mm', 'ss', 'SSS', 'Z') > 0) return say('format_time_parts');
  return {
    text,
    hasTime,
    hasOffset: has('Z') === 1,
    parts,
    pattern: new RegExp(`^${pattern}$`, 'i'),
  };
}

/** Longer than any text of a format. */
const LONGEST = 100;

/** The text as RFC 3339 has it, without an offset when it has none; a date when the format has no time. */
export function readFormatted(format: TimeFormat, given: string): Parsed {
  const text = given.trim();
  const match = text.length > LONGEST ? null : format.pattern.exec(text);
  if (match === null) {
    return problem(
      say('must_have_form', { what: format.hasTime ? 'time' : 'date', form: format.text }),
    );
  }
  const at = (...names: readonly Part[]) => {
    const index = format.parts.findIndex((part) => names.includes(part));
    return index < 0 ? undefined : match[index + 1];
  };
  const two = (digits = '0') => digits.padStart(2, '0');
  const date = `${yearOf(at('YYYY'), at('YY'))}-${two(monthOf(at('MMMM', 'MMM'), at('MM', 'M')))}-${two(at('DD', 'D'))}`;
  if (!format.hasTime) return { value: date };
  const hour = two(hourOf(at('HH', 'H', 'hh', 'h'), at('A')));
  const time = `${hour}:${two(at('mm'))}:${two(at('ss'))}.${(at('SSS') ?? '').slice(0, 3).padEnd(3, '0')}`;
  return { value: `${date}T${time}${at('Z') ?? ''}` };
}

/** Two digits are a year from 1970 to 2069. */
function yearOf(year: string | undefined, short = ''): string {
  return year ?? `${Number(short) >= 70 ? '19' : '20'}${short}`;
}

function monthOf(name: string | undefined, digits = ''): string {
  if (name === undefined) return digits;
  return String(MONTHS.findIndex((month) => month.startsWith(name.toLowerCase())) + 1);
}

/** 99, which no time has, for an hour that a clock of twelve hours has not. */
function hourOf(digits: string | undefined, half: string | undefined): string {
  if (half === undefined) return digits ?? '0';
  const hour = Number(digits);
  if (hour < 1 || hour > 12) return '99';
  return String((hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0));
}

const LOCAL = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)?$/;

/**
 * The time without an offset as PostgreSQL reads it; undefined for text that is not such a time, or of a day or an hour
 * that no calendar has: its field refuses that.
 */
export function localTimeIn(text: string): string | undefined {
  if (!LOCAL.test(text)) return undefined;
  const asUtc = parseDateTime(text.length > 10 ? `${text}Z` : text);
  return 'problem' in asUtc ? undefined : String(asUtc.value).replace('Z', '');
}
