import { localeOf } from '../../lib/messages/index.ts';
import type { FieldText } from '../field-text.ts';
import { parseDay } from './date-text.ts';

/** `2027-01-31`, which spreadsheets of every language take for a day. */
export const date: FieldText = {
  print: String,
  parse(typed, { language }) {
    const value = parseDay(typed, localeOf(language));
    return value === undefined ? { problem: 'grid.notDate' } : { value };
  },
};
