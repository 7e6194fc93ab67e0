// The kind of a field, by its type. A type that is newer than this application is shown as text, and not edited.

import type { Field, FieldType } from '@workspace-records/client';
import { boolean } from './boolean.tsx';
import { currency } from './currency.tsx';
import { date } from './date.tsx';
import { datetime } from './datetime.tsx';
import { email } from './email.tsx';
import type { FieldKind, Place } from './field-kind.ts';
import { file } from './file.tsx';
import { integer } from './integer.tsx';
import { json } from './json.tsx';
import { long_text } from './long_text.tsx';
import { multi_select } from './multi_select.tsx';
import { number } from './number.tsx';
import { percent } from './percent.tsx';
import { phone } from './phone.tsx';
import { reference } from './reference.tsx';
import { select } from './select.tsx';
import { text } from './text.tsx';
import { url } from './url.tsx';
import { user } from './user.tsx';

type Typed = Pick<Field, 'type'>;

/** In the order in which people choose a type. */
const KINDS: Readonly<Record<FieldType, FieldKind>> = {
  text,
  long_text,
  select,
  multi_select,
  number,
  integer,
  currency,
  percent,
  date,
  datetime,
  boolean,
  reference,
  user,
  email,
  phone,
  url,
  file,
  json,
};

export const FIELD_TYPES_TO_CHOOSE = Object.keys(KINDS) as readonly FieldType[];

export function kindOf({ type }: Typed): FieldKind {
  return isKnownType({ type }) ? KINDS[type as FieldType] : json;
}

/** Whether this application knows the type. */
export function isKnownType({ type }: Typed): boolean {
  return Object.hasOwn(KINDS, type);
}

/** The fields for a place: those of ranked types, one of a type before a second one of any. */
export function firstFields(fields: readonly Field[], place: Place): readonly Field[] {
  const rank = (field: Field) => kindOf(field).firstOn?.[place];
  const ranked = fields.filter((field) => rank(field) !== undefined);
  const firsts = ranked.filter((field) => ranked.find(({ type }) => type === field.type) === field);
  const others = ranked.filter((field) => !firsts.includes(field));
  return [...firsts.toSorted((one, other) => (rank(one) ?? 0) - (rank(other) ?? 0)), ...others];
}
