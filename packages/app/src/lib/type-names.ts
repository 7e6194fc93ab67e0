// Types of fields in words.

import type { GuessedType } from './guess-types.ts';
import type { PlainKey } from './messages/index.ts';

export const TYPE_NAMES: Readonly<Record<GuessedType, PlainKey>> = {
  text: 'import.typeText',
  long_text: 'import.typeLongText',
  integer: 'import.typeInteger',
  number: 'import.typeNumber',
  currency: 'import.typeCurrency',
  percent: 'import.typePercent',
  boolean: 'import.typeBoolean',
  date: 'import.typeDate',
  datetime: 'import.typeDatetime',
  select: 'import.typeSelect',
  multi_select: 'import.typeMultiSelect',
  email: 'import.typeEmail',
  phone: 'import.typePhone',
  url: 'import.typeUrl',
};
