// The editor of a field, by its type. A type that is newer than this application is not edited.

import type { Field } from '@workspace-records/client';
import { boolean } from './boolean/edit.tsx';
import { currency } from './currency/edit.tsx';
import { date } from './date/edit.tsx';
import { datetime } from './datetime/edit.tsx';
import { email } from './email/edit.tsx';
import type { AnyFieldEdit } from './field-edit.ts';
import { file } from './file/edit.tsx';
import { integer } from './integer/edit.tsx';
import { json } from './json/edit.tsx';
import { long_text } from './long_text/edit.tsx';
import { multi_select } from './multi_select/edit.tsx';
import { number } from './number/edit.tsx';
import { percent } from './percent/edit.tsx';
import { phone } from './phone/edit.tsx';
import { reference } from './reference/edit.tsx';
import { select } from './select/edit.tsx';
import { text } from './text/edit.tsx';
import { url } from './url/edit.tsx';
import { user } from './user/edit.tsx';

const EDITS: Readonly<Record<string, AnyFieldEdit>> = {
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

export function editOf({ type }: Pick<Field, 'type'>): AnyFieldEdit | undefined {
  return EDITS[type];
}
