// Values of the database as the wire shows them: numbers, dates and times in one form, whatever the
// settings of the session are. Parsers for the pool of postgres/db.ts, never global ones; and how
// parameters are printed.

import pg from 'pg';
import { survivesDouble } from '../model/values/decimals.ts';

const INT8 = 20;
const NUMERIC = 1700;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const BIGINT_ARRAY = 1016;

/** Values as the wire shows them: numbers, `YYYY-MM-DD`, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary') {
    if (oid === INT8 || oid === NUMERIC) return parseNumber;
    if (oid === DATE) return (value) => value;
    if (oid === TIMESTAMPTZ) return printTimestamp;
  }
  return pg.types.getTypeParser(oid === BIGINT_ARRAY ? 1007 : oid, format as 'text');
}

/** So many characters have at most 15 digits, all of which a double keeps. */
const SHORT = 15;

/** A JSON number while its readers see the same decimal, else the decimal as text (D35). */
function parseNumber(text: string): number | string {
  const value = Number(text);
  if (text.length <= SHORT) return value;
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && survivesDouble(text) ? value : text;
}

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?([+-])([\d:]+)$/;

/** The time in UTC whatever the time zone of the session is; historic zones have offsets with seconds. */
function printTimestamp(text: string): string {
  if (text.endsWith('+00')) {
    const milliseconds = text.slice(20, -3).padEnd(3, '0');
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
  }
  const parts = TIMESTAMP.exec(text);
  if (parts === null) throw new Error('PostgreSQL printed a time that is not in the ISO style');
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as number[];
  const [, , , , , , , fraction = '', sign, offset = ''] = parts;
  const [hours = 0, minutes = 0, seconds = 0] = offset.split(':').map(Number);
  const ahead = (sign === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
  const date = new Date(0);
  date.setUTCFullYear(year as number, (month as number) - 1, day);
  date.setUTCHours(
    hour as number,
    minute,
    (second as number) - ahead,
    Number(fraction.padEnd(3, '0')),
  );
  return date.toISOString();
}

/**
 * Parameters with their lists printed as PostgreSQL reads arrays. JSON prints strings in the same way
 * unless it has to escape something, and takes a quarter of the time of the driver, which gets such
 * lists and those of other values: a batch of 100 creates has 2,000 elements (D145).
 */
export function printParameters(values: readonly unknown[]): unknown[] {
  return values.map((value) => (Array.isArray(value) ? printList(value) : value));
}

function printList(list: readonly unknown[]): unknown {
  if (!list.every(isPlain)) return list;
  const text = JSON.stringify(list);
  return text.includes('\\') ? list : `{${text.slice(1, -1)}}`;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || value === null || Number.isInteger(value);
}
