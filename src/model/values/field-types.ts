// The list of field types. A new one is a module in fields/ and a line here; no other code names a type. Pure; knows
// no field keys.

import { booleanField } from '../fields/boolean-field.ts';
import { currencyField } from '../fields/currency-field.ts';
import { dateField } from '../fields/date-field.ts';
import { datetimeField } from '../fields/datetime-field.ts';
import { emailField } from '../fields/email-field.ts';
import { fileField } from '../fields/file-field.ts';
import { integerField } from '../fields/integer-field.ts';
import { jsonField } from '../fields/json-field.ts';
import { longTextField } from '../fields/long-text-field.ts';
import { multiSelectField } from '../fields/multi-select-field.ts';
import { numberField } from '../fields/number-field.ts';
import { percentField } from '../fields/percent-field.ts';
import { phoneField } from '../fields/phone-field.ts';
import { referenceField } from '../fields/reference-field.ts';
import { selectField } from '../fields/select-field.ts';
import { textField } from '../fields/text-field.ts';
import { urlField } from '../fields/url-field.ts';
import { userField } from '../fields/user-field.ts';
import type { FieldTypeTraits } from './field-type.ts';

/** The types in the order in which documents name them. */
const ALL = [
  textField,
  longTextField,
  numberField,
  integerField,
  currencyField,
  percentField,
  booleanField,
  dateField,
  datetimeField,
  selectField,
  multiSelectField,
  emailField,
  phoneField,
  urlField,
  referenceField,
  userField,
  jsonField,
  fileField,
] as const;

export type FieldType = (typeof ALL)[number]['name'];

export const FIELD_TYPES: readonly FieldType[] = Object.freeze(ALL.map(({ name }) => name));

/** Everything the service knows about each field type. */
export const FIELD_TYPE_TRAITS = Object.freeze(
  Object.fromEntries(ALL.map((traits) => [traits.name, traits])),
) as Readonly<Record<FieldType, FieldTypeTraits<FieldType>>>;

interface Compared {
  readonly type: FieldType;
  readonly cast_type: string;
}

/** The key by which a value is compared for equality: the value itself for most types. */
export function equalityKeyOf(field: Compared, value: unknown): unknown {
  const { equalityKey } = comparedTraits(field);
  return equalityKey !== undefined && typeof value === 'string' ? equalityKey.of(value) : value;
}

/** Whether records with these values count as having the same. */
export function isEqual(field: Compared, one: unknown, other: unknown): boolean {
  return one === other || equalityKeyOf(field, one) === equalityKeyOf(field, other);
}

/**
 * The traits by which values of a field are compared, looked up and matched: the id of a record is a
 * text to clients and a uuid inside.
 */
export function comparedTraits({ type, cast_type }: Compared): FieldTypeTraits<FieldType> {
  return cast_type === referenceField.castType ? referenceField : FIELD_TYPE_TRAITS[type];
}
