// The filter of a field, by its type. A type that is newer than this application is not filtered.

import type { Field } from '@workspace-records/client';
import { editOf } from './edits.ts';
import type { AnyFieldEdit } from './field-edit.ts';
import type { FieldFilter, Phrase } from './field-filter.ts';
import { kindOf } from './kinds.ts';
import { momentEdit } from './moment-edit.tsx';

const filters = new Map<string, FieldFilter>();

export function filterOf(field: Pick<Field, 'type'>): FieldFilter | undefined {
  const edit = editOf(field);
  if (edit === undefined) return undefined;
  const { phrases, Word } = kindOf(field);
  const filter = filters.get(field.type) ?? {
    ...{ phrases, Word, edit: operandEdit(edit, phrases) },
    ...(edit.Choose === undefined ? {} : { Choose: edit.Choose }),
  };
  filters.set(field.type, filter);
  return filter;
}

/** Part of a value is any text: `two@` is not an e-mail address. */
function operandEdit(edit: AnyFieldEdit, phrases: readonly Phrase[]): AnyFieldEdit {
  if (phrases.some(({ isPart }) => isPart)) return editOf({ type: 'text' }) ?? edit;
  return phrases.some(({ takes }) => takes === 'period') ? momentEdit(edit) : edit;
}
