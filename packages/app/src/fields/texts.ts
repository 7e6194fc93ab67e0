// Values of a field as text, by its type; and the value of a text.

import type { Field } from '@workspace-records/client';
import { boolean } from './boolean/parse.ts';
import { currency } from './currency/parse.ts';
import { date } from './date/parse.ts';
import { datetime } from './datetime/parse.ts';
import { email } from './email/parse.ts';
import type { Parsed } from './field-edit.ts';
import type { FieldText, TextContext } from './field-text.ts';
import { file } from './file/parse.ts';
import { integer } from './integer/parse.ts';
import { json } from './json/parse.ts';
import { long_text } from './long_text/parse.ts';
import { multi_select } from './multi_select/parse.ts';
import { number } from './number/parse.ts';
import { percent } from './percent/parse.ts';
import { phone } from './phone/parse.ts';
import { reference } from './reference/parse.ts';
import { select } from './select/parse.ts';
import { text } from './text/parse.ts';
import { url } from './url/parse.ts';
import { user } from './user/parse.ts';

const TEXTS: Readonly<Record<string, FieldText>> = {
  text,
  long_text,
  email,
  phone,
  url,
  number,
  integer,
  currency,
  percent,
  boolean,
  date,
  datetime,
  select,
  multi_select,
  reference,
  user,
  json,
  file,
};

/** The text form of a type; types that this application does not know are text like JSON. */
export function textOf({ type }: Pick<Field, 'type'>): FieldText {
  return TEXTS[type] ?? json;
}

export function printValue(value: unknown, context: TextContext): string {
  return value === null ? '' : textOf(context.field).print(value, context);
}

/** True when this application knows the type. */
export function isKnownType({ type }: Pick<Field, 'type'>): boolean {
  return Object.hasOwn(TEXTS, type);
}

/** A blank text is not a value. */
export function parseValue(written: string, context: TextContext): Parsed {
  if (written.trim() !== '') return textOf(context.field).parse(written, context);
  return context.field.required ? { problem: 'grid.required' } : { value: null };
}
