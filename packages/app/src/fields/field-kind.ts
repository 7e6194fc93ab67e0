// A type of field as people see it: its name and icon, how a value is shown, written as text, filtered and edited. The
// abilities of a type come from the service (lib/field-facts.ts).

import type { Field } from '@workspace-records/client';
import type { ComponentType } from 'react';
import type { PlainKey } from '../lib/messages/index.ts';
import type { FieldDraft } from './field-edit.ts';
import type { Phrase, WordProps } from './field-filter.ts';
import type { FieldText } from './field-text.ts';

export interface ShowProps {
  /** Never null: an empty value is not shown. */
  readonly value: unknown;
  readonly field: Field;
}

/** Places that show a few fields at first. */
export type Place = 'card' | 'head' | 'linked';

export interface FieldKind {
  readonly name: PlainKey;
  /** An example of a value. */
  readonly example: PlainKey;
  /** The strokes of the icon. */
  readonly icon: string;

  readonly Show: ComponentType<ShowProps>;
  /** Pixels of a column. */
  readonly width: number;
  readonly align?: 'end';
  /** False: lists are not sorted by it, or in an order without meaning to people. */
  readonly isSorted?: false;
  /** True: the value itself is a link. */
  readonly isLink?: true;
  /** The rank among the first fields of a place: types that say much in few letters. */
  readonly firstOn?: Readonly<Partial<Record<Place, number>>>;

  readonly text: FieldText;
  /** The form in which texts become values when a field gets this type. */
  readonly misfit?: PlainKey;

  /** In the order in which they are offered; a new condition begins with the first. */
  readonly phrases: readonly Phrase[];
  /** The text of a value in a condition: text only, because it is in a button. */
  readonly Word: ComponentType<WordProps>;

  // biome-ignore lint/suspicious/noExplicitAny: a draft goes only to the edit that it came from.
  readonly edit: FieldDraft<any>;

  readonly numbers?: NumberWords;
}

/** Numbers with their unit. */
export interface NumberWords {
  format(field: Field): Intl.NumberFormatOptions;
  /** The unit after a typed value. */
  unit?(field: Field, locale: string): string | undefined;
}
