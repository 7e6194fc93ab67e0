// The editor of a type of field. The typed text is a draft, which is kept as it is until it is saved: text that is
// not a number yet, say.

import type { Field } from '@workspace-records/client';
import type { ComponentType } from 'react';
import { isSame } from '../lib/field-value.ts';
import type { Language, PlainKey } from '../lib/messages/index.ts';
import type { ChooseProps } from './field-filter.ts';

export interface EditProps<Draft> {
  readonly draft: Draft;
  readonly field: Field;
  readonly isInvalid: boolean;
  readonly onChange: (draft: Draft) => void;
  /** The id of the element that takes the focus. */
  readonly id: string;
  readonly describedBy: string | undefined;
}

export type Parsed = { readonly value: unknown } | { readonly problem: PlainKey };

/** Names of the controls that edit values (controls/). */
export type ControlName = 'line' | 'lines' | 'choice' | 'options' | 'record' | 'person' | 'files';

/** The draft of a value, and the control that edits it. */
export interface FieldDraft<Draft> {
  readonly control: ControlName;
  /** Of a value, or null. */
  start(value: unknown, language: Language): Draft;
  parse(draft: Draft, language: Language): Parsed;
  /** True: to choose is to save. */
  readonly isChoice?: boolean;
  /** True: Enter is a new line. */
  readonly isMultiline?: boolean;
  /** True: it is several controls, each with a label of its own. */
  readonly isGroup?: boolean;
  /** Of a line: the control of the browser, or the keyboard of a telephone; none: any text. */
  readonly input?: {
    readonly type?: 'tel' | 'date' | 'datetime-local';
    readonly inputMode?: 'email' | 'tel' | 'url' | 'decimal';
  };
  /** The choices of a choice; without them, the options of the field. */
  readonly choices?: readonly { readonly value: unknown; readonly label: PlainKey }[];
}

/** The component of a control. */
export interface Control<Draft> {
  readonly Edit: ComponentType<EditProps<Draft>>;
  /** In a cell of a list, where it differs. */
  readonly Cell?: ComponentType<EditProps<Draft>>;
  /** In the row of a new record, where it differs. */
  readonly Line?: ComponentType<EditProps<Draft>>;
  /** Chooses existing values of a condition. */
  readonly Choose?: ComponentType<ChooseProps>;
}

export interface FieldEdit<Draft> extends Control<Draft>, Omit<FieldDraft<Draft>, 'control'> {}

/** Of a type that is only known when it runs. */
// biome-ignore lint/suspicious/noExplicitAny: a draft goes only to the edit that it came from.
export type AnyFieldEdit = FieldEdit<any>;

/** The edited draft, and the value at the start of editing. */
export interface Editing {
  readonly draft: unknown;
  readonly began: unknown;
}

/**
 * The value of a draft. An unchanged draft keeps the initial value, although it may show less of it: no control shows
 * seconds, which of two equal hours it is, or the sixteenth digit of a number.
 */
export function parseEdited(
  edit: AnyFieldEdit,
  { draft, began }: Editing,
  language: Language,
): Parsed {
  return isSame(draft, edit.start(began, language))
    ? { value: began }
    : edit.parse(draft, language);
}
