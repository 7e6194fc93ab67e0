// Unsaved edits as text, to be read and copied.

import type { Field } from '@workspace-records/client';
import { editOf } from '../../fields/edits.ts';
import { parseEdited } from '../../fields/field-edit.ts';
import type { TextContext } from '../../fields/field-text.ts';
import { printValue } from '../../fields/texts.ts';
import type { UnsavedEdit } from '../../lib/unsaved-edits.ts';
import type { StoredForm } from '../creation-state.ts';

type ContextOf = (field: Field) => TextContext;

export interface TypedText {
  readonly field: Field;
  readonly text: string;
}

/** Text as it was typed; other drafts as the value that they stand for. */
export function draftText(draft: unknown, context: TextContext): string {
  const { field, language } = context;
  const edit = editOf(field);
  const isTyped = edit !== undefined && edit.isChoice !== true && typeof draft === 'string';
  if (isTyped) return draft;
  const parsed = edit && parseEdited(edit, { draft, began: null }, language);
  const isValue = parsed !== undefined && 'value' in parsed;
  return isValue ? printValue(parsed.value, context) : JSON.stringify(draft);
}

export function formTexts(
  { drafts, fields }: Pick<StoredForm, 'drafts' | 'fields'>,
  contextOf: ContextOf,
): readonly TypedText[] {
  return Object.values(fields)
    .map((field) => ({ field, text: draftText(drafts[field.key], contextOf(field)) }))
    .filter(({ text }) => text !== '');
}

export function editText({ kind, field, draft }: UnsavedEdit, contextOf: ContextOf): string {
  if (kind === 'comment') return String(Object(draft).text);
  if (kind === 'form') return linesOf(formTexts(draft as StoredForm, contextOf));
  return field === undefined ? '' : draftText(draft, contextOf(field));
}

export function linesOf(texts: readonly TypedText[]): string {
  return texts.map(({ field: { name, key }, text }) => `${name ?? key}: ${text}`).join('\n');
}
