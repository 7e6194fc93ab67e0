// Values as text, which spreadsheets take and give: how a type prints one, and what it makes of a text. What the text
// names, people and records, is looked up before (needs).

import type { Field } from '@workspace-records/client';
import type { Language } from '../lib/messages/index.ts';
import type { Parsed } from './field-edit.ts';

/** By what a text may say, in lower case; `ambiguous`: it says more than one. */
export type Named = ReadonlyMap<string, string | number | 'ambiguous'>;

export interface TextContext {
  readonly field: Field;
  readonly language: Language;
  /** What the texts of this field name; empty where it needs nothing. */
  readonly named: Named;
  /** The name of a person, or of a record, as it is shown. */
  nameOf(value: unknown, field: Field): string | undefined;
}

export interface FieldText {
  /** Never of null, which is no text. */
  print(value: unknown, context: TextContext): string;
  /** Of a text that is not blank. */
  parse(text: string, context: TextContext): Parsed;
  /** What has to be looked up first. */
  readonly needs?: 'people' | 'records';
}
