// Why a field of a record that the person may change is not edited.

import type { Field } from '@workspace-records/client';
import { editOf } from '../fields/edits.ts';
import type { PlainKey } from '../lib/messages/index.ts';
import { TYPE_KEY } from '../lib/schema-queries.ts';

/** Undefined: it is edited. */
export function lockOf(field: Field, mayAssign: boolean): PlainKey | undefined {
  if (field.key === TYPE_KEY) return 'lock.type';
  if (field.key === 'owner_user_id' && !mayAssign) return 'lock.owner';
  if (field.formula !== undefined || field.rollup !== undefined) return 'lock.computed';
  if (!field.editable) return 'lock.field';
  // The type of the field is newer than this application.
  return editOf(field) === undefined ? 'lock.unknown' : undefined;
}
