// Conversions of stored values when a field changes its type (D243). Most accept any value; the others accept a value
// only in the form that converts back to the same value, so that no value is lost unseen.

import type { Conversion } from '../values/field-type.ts';
import { sqlText } from '../values/sql-text.ts';

/** Any value, shown as before. */
export const TO_TEXT = Object.freeze({ text: {}, long_text: {} });

/** The labels of options, which people saw. */
export const FROM_OPTION: Readonly<Record<string, Conversion>> = Object.freeze({
  text: { isLabelled: true },
  long_text: { isLabelled: true },
});

/** A number as JSON writes it, without an exponent; `007` would lose its zeros. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function readNumber(value: unknown): unknown {
  return PLAIN_NUMBER.test(String(value)) ? Number(value) : value;
}

const AS_IS: Conversion = Object.freeze({ isPartial: true });

const TEXT_TO_DECIMAL: Conversion = Object.freeze({
  isPartial: true,
  read: readNumber,
  column: sqlText`trim_scale({column}::numeric)`,
  json: sqlText`trim_scale({text}::numeric)`,
});

export const FROM_TEXT: Readonly<Record<string, Conversion>> = Object.freeze({
  long_text: {},
  number: TEXT_TO_DECIMAL,
  currency: TEXT_TO_DECIMAL,
  percent: TEXT_TO_DECIMAL,
  integer: {
    isPartial: true,
    read: readNumber,
    column: sqlText`{column}::numeric::integer`,
    json: sqlText`{text}::numeric::integer`,
  },
  date: { isPartial: true, column: sqlText`{column}::date` },
  select: { isPartial: true, isLabelled: true },
  email: AS_IS,
  phone: AS_IS,
  url: AS_IS,
});

export const FROM_LONG_TEXT: Readonly<Record<string, Conversion>> = Object.freeze({ text: AS_IS });

/** Prints numbers like PostgreSQL: without an exponent. */
const PLAIN = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 });

const DECIMAL_TO_TEXT: Conversion = Object.freeze({
  read: (value: unknown) => PLAIN.format(value as number),
  column: sqlText`trim_scale({column})::text`,
  json: sqlText`trim_scale({text}::numeric)::text`,
});

export const FROM_DECIMAL: Readonly<Record<string, Conversion>> = Object.freeze({
  number: {},
  currency: {},
  percent: {},
  integer: { isPartial: true, json: sqlText`{text}::numeric::integer` },
  text: DECIMAL_TO_TEXT,
});

export const FROM_INTEGER: Readonly<Record<string, Conversion>> = Object.freeze({
  number: {},
  currency: {},
  percent: {},
  text: { read: String, column: sqlText`{column}::text`, json: sqlText`{text}` },
});

const MIDNIGHT = 'T00:00:00.000Z';

export const FROM_DATE: Readonly<Record<string, Conversion>> = Object.freeze({
  datetime: {
    read: (value) => `${value}${MIDNIGHT}`,
    column: sqlText`{column}::timestamp at time zone 'UTC'`,
    json: sqlText`{text} || 'T00:00:00.000Z'`,
  },
  text: { column: sqlText`to_char({column}, 'YYYY-MM-DD')` },
});

export const FROM_DATETIME: Readonly<Record<string, Conversion>> = Object.freeze({
  date: {
    loses: true,
    read: (value) => {
      const text = String(value);
      return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : value;
    },
    column: sqlText`({column} at time zone 'UTC')::date`,
    json: sqlText`left({text}, 10)`,
  },
});
