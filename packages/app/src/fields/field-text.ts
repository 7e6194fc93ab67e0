// Values as text, for the exchange with spreadsheets: how a type prints one, and how it parses a text. Names in the
// text, of people and records, are looked up before (needs).

import type { Field } from '@workspace-records/client';
import type { Language } from '../lib/messages/index.ts';
import type { Parsed } from './field-edit.ts';

/** The values by the names in a text, in lower case; `ambiguous`: several have the name. */
export type Named = ReadonlyMap<string, string | number | 'ambiguous'>;

export interface TextContext {
  readonly field: Field;
  readonly language: Language;
  /** The names in the texts of this field; empty where it needs none. */
  readonly named: Named;
  /** The name of a person, or of a record, as it is shown. */
  nameOf(value: unknown, field: Field): string | undefined;
}

export interface FieldText {
  /** Never of null, which has no text. */
  print(value: unknown, context: TextContext): string;
  /** Parses a text that is not blank. */
  parse(text: string, context: TextContext): Parsed;
  /** The kind of names that have to be looked up first. */
  readonly needs?: 'people' | 'records';
}
