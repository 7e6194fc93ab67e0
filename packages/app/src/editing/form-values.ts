// Converts the draft of a form to the values that are sent.

import type { Field } from '@workspace-records/client';
import { type AnyFieldEdit, parseEdited } from '../fields/field-edit.ts';
import { ruleProblem } from '../lib/field-rules.ts';
import { changeOf } from '../lib/field-value.ts';
import type { Language, Translate } from '../lib/messages/index.ts';

export type Drafts = Readonly<Record<string, unknown>>;
export type Values = Readonly<Record<string, unknown>>;

export interface FormWords {
  readonly t: Translate;
  readonly language: Language;
  editOf(field: Field): AnyFieldEdit | undefined;
}

/** The initial value of a field: the requested one, else the default of the definition. */
export function firstValue({ key, constraints }: Field, preset: Values): unknown {
  return preset[key] ?? constraints?.default ?? null;
}

export function draftOf(field: Field, { drafts, preset }: FormState, words: FormWords): unknown {
  const { language, editOf } = words;
  return drafts[field.key] ?? editOf(field)?.start(firstValue(field, preset), language);
}

export interface FormState {
  /** The typed drafts by the key of the field. */
  readonly drafts: Drafts;
  /** Values that it begins with. */
  readonly preset: Values;
}

export interface ParsedForm {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Sentences by key of the field; empty when it can be sent. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Empty fields are left out, unless that would give them a value of the definition's. */
export function parseForm(
  fields: readonly Field[],
  state: FormState,
  words: FormWords,
): ParsedForm {
  const { t, language, editOf } = words;
  const problems = new Map<string, string>();
  let sent: Record<string, unknown> = {};
  for (const field of fields) {
    const edit = editOf(field);
    if (edit === undefined) continue;
    const began = firstValue(field, state.preset);
    const parsed = parseEdited(edit, { draft: draftOf(field, state, words), began }, language);
    const problem = 'problem' in parsed ? t(parsed.problem) : ruleProblem(field, parsed.value, t);
    if (problem !== undefined) problems.set(field.key, problem);
    else if ('value' in parsed && (parsed.value !== null || firstValue(field, {}) !== null))
      sent = merged(sent, changeOf(field, parsed.value));
  }
  return { fields: sent, problems };
}

function merged(one: Record<string, unknown>, other: Record<string, unknown>) {
  if (!('custom_fields' in one && 'custom_fields' in other)) return { ...one, ...other };
  const custom_fields = { ...(one.custom_fields as object), ...(other.custom_fields as object) };
  return { ...one, custom_fields };
}
