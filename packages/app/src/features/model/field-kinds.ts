// The field types for the editor of fields: its group in the chooser, the settings it has, and the types that its
// values can become. The service judges the values when the change is planned. Pure.

import type { FieldEntry, FieldType } from '../../lib/definition/document.ts';
import type { PlainKey } from '../../lib/messages/index.ts';

export type FieldSetting =
  | 'length'
  | 'pattern'
  | 'searchable'
  | 'bounds'
  | 'scale'
  | 'currency'
  | 'options'
  | 'reference'
  | 'files'
  | 'default'
  | 'indexed'
  | 'unique'
  | 'storage';

export interface FieldKind {
  readonly example: PlainKey;
  readonly settings: readonly FieldSetting[];
  readonly becomes: readonly FieldType[];
}

const TEXT: readonly FieldSetting[] = ['length', 'pattern', 'searchable', 'default'];
const KEPT: readonly FieldSetting[] = ['unique', 'indexed', 'storage'];
const NUMBER: readonly FieldSetting[] = ['bounds', 'scale', 'default', ...KEPT];
const NUMBERS: readonly FieldType[] = ['number', 'integer', 'currency', 'percent', 'text'];
const TO_TEXT: readonly FieldType[] = ['text', 'long_text'];

export const FIELD_KINDS: Readonly<Record<FieldType, FieldKind>> = {
  text: {
    example: 'type.textExample',
    settings: [...TEXT, ...KEPT],
    becomes: [
      ...(['long_text', 'select', 'email', 'phone', 'url', 'date'] as const),
      ...(['number', 'integer', 'currency', 'percent'] as const),
    ],
  },
  long_text: {
    example: 'type.longTextExample',
    settings: [...TEXT, 'storage'],
    becomes: ['text'],
  },
  number: {
    example: 'type.numberExample',
    settings: NUMBER,
    becomes: NUMBERS,
  },
  integer: {
    example: 'type.integerExample',
    settings: ['bounds', 'default', ...KEPT],
    becomes: NUMBERS,
  },
  currency: {
    example: 'type.currencyExample',
    settings: ['currency', ...NUMBER],
    becomes: NUMBERS,
  },
  percent: {
    example: 'type.percentExample',
    settings: NUMBER,
    becomes: NUMBERS,
  },
  boolean: {
    example: 'type.booleanExample',
    settings: ['default', 'indexed', 'storage'],
    becomes: [],
  },
  date: {
    example: 'type.dateExample',
    settings: ['default', ...KEPT],
    becomes: ['datetime', 'text'],
  },
  datetime: {
    example: 'type.datetimeExample',
    settings: KEPT,
    becomes: ['date'],
  },
  select: {
    example: 'type.selectExample',
    settings: ['options', 'default', 'indexed', 'storage'],
    becomes: TO_TEXT,
  },
  multi_select: {
    example: 'type.multiSelectExample',
    settings: ['options', 'storage'],
    becomes: [],
  },
  email: {
    example: 'type.emailExample',
    settings: [...TEXT, ...KEPT],
    becomes: TO_TEXT,
  },
  phone: {
    example: 'type.phoneExample',
    settings: [...TEXT, ...KEPT],
    becomes: TO_TEXT,
  },
  url: {
    example: 'type.urlExample',
    settings: [...TEXT, ...KEPT],
    becomes: TO_TEXT,
  },
  reference: {
    example: 'type.referenceExample',
    settings: ['reference', 'unique', 'indexed'],
    becomes: [],
  },
  user: {
    example: 'type.userExample',
    settings: ['unique', 'indexed'],
    becomes: [],
  },
  json: { example: 'type.jsonExample', settings: ['storage'], becomes: [] },
  file: { example: 'type.fileExample', settings: ['files'], becomes: [] },
};

/** As the chooser shows them. */
export const FIELD_TYPES: readonly FieldType[] = [
  ...(['text', 'long_text', 'select', 'multi_select', 'number', 'integer'] as const),
  ...(['currency', 'percent', 'date', 'datetime', 'boolean', 'reference'] as const),
  ...(['user', 'email', 'phone', 'url', 'file', 'json'] as const),
];

/** A display field may have them. */
export const DISPLAY_TYPES: ReadonlySet<FieldType> = new Set([
  ...(['text', 'long_text', 'email', 'phone', 'url'] as const),
]);

/** A subtitle field may have them. */
export const SUBTITLE_TYPES: ReadonlySet<FieldType> = new Set([...DISPLAY_TYPES, 'select']);

const WORDS: Readonly<Record<FieldSetting, readonly (keyof FieldEntry)[]>> = {
  length: ['minLength', 'maxLength'],
  pattern: ['pattern'],
  searchable: ['searchable'],
  bounds: ['minimum', 'maximum'],
  scale: ['scale'],
  currency: ['currency'],
  options: ['options'],
  reference: ['reference_object_type', 'on_delete'],
  files: ['multiple', 'types', 'max_bytes'],
  default: ['default'],
  indexed: ['indexed'],
  unique: ['unique'],
  storage: ['storage'],
};

/** The field with this type, without the words that the type does not have; an amount of money has a currency. */
export function withType(field: FieldEntry, type: FieldType, currency: string): FieldEntry {
  const known = new Set(FIELD_KINDS[type].settings.flatMap((setting) => WORDS[setting]));
  const lost = new Set(
    Object.values(WORDS)
      .flat()
      .filter((word) => !known.has(word) || (word === 'default' && type !== field.type)),
  );
  const kept = Object.entries(field).filter(([word]) => !lost.has(word as keyof FieldEntry));
  const next = { ...(Object.fromEntries(kept) as unknown as FieldEntry), type };
  return type === 'currency' ? { ...next, currency: next.currency ?? currency } : next;
}
