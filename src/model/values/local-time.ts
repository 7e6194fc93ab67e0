// Local times of a file, as PostgreSQL reads them in their zone, and moments whose day in a zone counts. Pure.

import { parseDateTime } from './times.ts';

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

/** The moment of a time with an offset, in UTC; undefined for other text. */
export function momentIn(text: string): string | undefined {
  const moment = /(?:Z|[+-]\d{2}:\d{2})$/i.test(text) ? parseDateTime(text) : undefined;
  if (moment === undefined || 'problem' in moment) return undefined;
  return new Date(String(moment.value)).toISOString();
}
