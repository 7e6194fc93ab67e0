// Types of fields in words: the same in the data model, in imports and at the first start.

import type { FieldType } from '@workspace-records/client';
import type { PlainKey } from './messages/index.ts';

/** The names of types in the order in which people choose a type. */
export const TYPE_NAMES = {
  text: 'type.text',
  long_text: 'type.longText',
  select: 'type.select',
  multi_select: 'type.multiSelect',
  number: 'type.number',
  integer: 'type.integer',
  currency: 'type.currency',
  percent: 'type.percent',
  date: 'type.date',
  datetime: 'type.datetime',
  boolean: 'type.boolean',
  reference: 'type.reference',
  user: 'type.user',
  email: 'type.email',
  phone: 'type.phone',
  url: 'type.url',
  file: 'type.file',
  json: 'type.json',
} as const satisfies Readonly<Record<FieldType, PlainKey>>;

export const CHOSEN_TYPES = Object.keys(TYPE_NAMES) as readonly FieldType[];

/** Examples of values. */
export const TYPE_EXAMPLES = {
  text: 'type.textExample',
  long_text: 'type.longTextExample',
  select: 'type.selectExample',
  multi_select: 'type.multiSelectExample',
  number: 'type.numberExample',
  integer: 'type.integerExample',
  currency: 'type.currencyExample',
  percent: 'type.percentExample',
  date: 'type.dateExample',
  datetime: 'type.datetimeExample',
  boolean: 'type.booleanExample',
  reference: 'type.referenceExample',
  user: 'type.userExample',
  email: 'type.emailExample',
  phone: 'type.phoneExample',
  url: 'type.urlExample',
  file: 'type.fileExample',
  json: 'type.jsonExample',
} as const satisfies Readonly<Record<FieldType, PlainKey>>;
