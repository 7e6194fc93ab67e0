// The component that shows a field, by its type. A type that is newer than this application is shown as text.

import type { Field } from '@workspace-records/client';
import { boolean } from './boolean/show.tsx';
import { currency } from './currency/show.tsx';
import { date } from './date/show.tsx';
import { datetime } from './datetime/show.tsx';
import { email } from './email/show.tsx';
import type { FieldShow } from './field-show.ts';
import { file } from './file/show.tsx';
import { integer } from './integer/show.tsx';
import { json } from './json/show.tsx';
import { long_text } from './long_text/show.tsx';
import { multi_select } from './multi_select/show.tsx';
import { number } from './number/show.tsx';
import { percent } from './percent/show.tsx';
import { phone } from './phone/show.tsx';
import { reference } from './reference/show.tsx';
import { select } from './select/show.tsx';
import { text } from './text/show.tsx';
import { url } from './url/show.tsx';
import { user } from './user/show.tsx';

const SHOWS: Readonly<Record<string, FieldShow>> = {
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

export function showOf({ type }: Pick<Field, 'type'>): FieldShow {
  return SHOWS[type] ?? json;
}
