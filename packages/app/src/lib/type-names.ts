// Types of fields in words: the same in the data model, in imports and at the first start.

import type { FieldType } from './definition/document.ts';
import type { PlainKey } from './messages/index.ts';

export const TYPE_NAMES: Readonly<Record<FieldType, PlainKey>> = {
  text: 'type.text',
  long_text: 'type.longText',
  number: 'type.number',
  integer: 'type.integer',
  currency: 'type.currency',
  percent: 'type.percent',
  boolean: 'type.boolean',
  date: 'type.date',
  datetime: 'type.datetime',
  select: 'type.select',
  multi_select: 'type.multiSelect',
  email: 'type.email',
  phone: 'type.phone',
  url: 'type.url',
  reference: 'type.reference',
  user: 'type.user',
  json: 'type.json',
  file: 'type.file',
};
