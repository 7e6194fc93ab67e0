// Times as a file writes them, by a format that says so (`DD.MM.YYYY HH:mm`). Every part has a bounded length, so reading
// takes time in proportion to the text. Pure.

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
export function parseTimeFormat(text: string): TimeFormat | string {
  const parts: Part[] = [];
  let pattern = '';
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece in PARTS) {
      parts.push(piece as Part);
      pattern += PARTS[piece as Part];
    } else if (/[A-SU-Za-z]/.test(piece)) {
      return `has "${piece}", which is none of ${NAMES.join(', ')}`;
    } else pattern += piece.replace(/[^\w\s]/, '\\$&');
  }
  const has = (...names: readonly Part[]) => parts.filter((part) => names.includes(part)).length;
  const isDay =
    has('YYYY', 'YY') === 1 && has('MMMM', 'MMM', 'MM', 'M') === 1 && has('D', 'DD') === 1;
  if (!isDay) return 'must have one year (YYYY), one month (MM) and one day (DD)';
  const [hours, halves] = [has('HH', 'H', 'hh', 'h'), has('A')];
  const isTwelve = has('hh', 'h') === 1;
  if (hours > 1 || new Set(parts).size < parts.length || isTwelve !== (halves === 1)) {
    return 'must have each part once, and A with hh only';
  }
  const hasTime = hours === 1 && has('mm') === 1;
  if (!hasTime && hours + has('mm', 'ss', 'SSS', 'Z') > 0)
    return 'must have hours (HH) and minutes (mm) or neither';
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

/** The first year of the hundred that two digits mean, where a mapping says no other. */
export const FIRST_YEAR = 1970;

/**
 * The text as RFC 3339 has it, without an offset when it has none; a date when the format has no time; undefined for
 * other text. `firstYear`: of the hundred years that two digits mean.
 */
export function readFormatted(
  format: TimeFormat,
  given: string,
  firstYear = FIRST_YEAR,
): string | undefined {
  const text = given.trim();
  const match = text.length > LONGEST ? null : format.pattern.exec(text);
  if (match === null) return undefined;
  const at = (...names: readonly Part[]) => {
    const index = format.parts.findIndex((part) => names.includes(part));
    return index < 0 ? undefined : match[index + 1];
  };
  const two = (digits = '0') => digits.padStart(2, '0');
  const year = at('YYYY') ?? yearOf(Number(at('YY')), firstYear);
  const date = `${year}-${two(monthOf(at('MMMM', 'MMM'), at('MM', 'M')))}-${two(at('DD', 'D'))}`;
  const value = format.hasTime ? `${date}T${timeOf(at)}` : date;
  return isInCalendar(value) ? value : undefined;
}

function timeOf(at: (...names: readonly Part[]) => string | undefined): string {
  const two = (digits = '0') => digits.padStart(2, '0');
  const hour = two(hourOf(at('HH', 'H', 'hh', 'h'), at('A')));
  const milliseconds = (at('SSS') ?? '').slice(0, 3).padEnd(3, '0');
  return `${hour}:${two(at('mm'))}:${two(at('ss'))}.${milliseconds}${at('Z') ?? ''}`;
}

/** A day and a time that exist. */
export function isInCalendar(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const [, ...clock] = /^.{10}[Tt ](\d{2}):(\d{2})(?::(\d{2}))?/.exec(text) ?? [];
  const [hour = 0, minute = 0, second = 0] = clock.map((part) => Number(part ?? 0));
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isDay = year > 0 && month > 0 && month <= 12 && day > 0 && day <= days;
  return isDay && hour < 24 && minute < 60 && second < 60;
}

/** The year from the first one on that ends with these digits. */
export function yearOf(digits: number, firstYear: number): string {
  return String(firstYear + ((digits - (firstYear % 100) + 100) % 100)).padStart(4, '0');
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
