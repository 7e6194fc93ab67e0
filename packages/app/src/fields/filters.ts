// The filter of a field, by its type. A type that is newer than this application is not filtered.

import type { Field } from '@workspace-records/client';
import { boolean } from './boolean/filter.tsx';
import { currency } from './currency/filter.tsx';
import { date } from './date/filter.tsx';
import { datetime } from './datetime/filter.tsx';
import { email } from './email/filter.tsx';
import type { FieldFilter } from './field-filter.ts';
import { file } from './file/filter.tsx';
import { integer } from './integer/filter.tsx';
import { json } from './json/filter.tsx';
import { long_text } from './long_text/filter.tsx';
import { multi_select } from './multi_select/filter.tsx';
import { number } from './number/filter.tsx';
import { percent } from './percent/filter.tsx';
import { phone } from './phone/filter.tsx';
import { reference } from './reference/filter.tsx';
import { select } from './select/filter.tsx';
import { text } from './text/filter.tsx';
import { url } from './url/filter.tsx';
import { user } from './user/filter.tsx';

const FILTERS: Readonly<Record<string, FieldFilter>> = {
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

export function filterOf({ type }: Pick<Field, 'type'>): FieldFilter | undefined {
  return FILTERS[type];
}
