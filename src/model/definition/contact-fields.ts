// Fields of contact cards (vCard). Pure.

import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import type { Field } from './model.ts';

/** Requires a field of an address or a telephone number. Errors: `validation_failed`. */
export function requireContactFields(fields: readonly Pick<Field, 'type'>[]): void {
  if (fields.some(({ type }) => FIELD_TYPE_TRAITS[type].card?.reaches === true)) return;
  throw new ApiError('validation_failed', {
    param: 'format',
    message: say('export_needs_contacts'),
  });
}
