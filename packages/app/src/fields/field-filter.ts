// The filters of a type of field: the operators of the service in plain words, and the controls that choose or edit
// their values.

import type { Field } from '@workspace-records/client';
import type { ComponentType } from 'react';
import type { PlainKey } from '../lib/messages/index.ts';
import { periodOf } from '../lib/periods.ts';
import type { Condition, Operator } from '../lib/where.ts';
import type { AnyFieldEdit } from './field-edit.ts';

/** `is_null` is two phrases, and a range of relative times is a span of time. */
export type PhraseId = Exclude<Operator, 'is_null'> | 'empty' | 'filled' | 'within';

/** A phrase about a field, and the values that it takes. */
export interface Phrase {
  readonly id: PhraseId;
  readonly op: Operator;
  readonly takes: 'nothing' | 'one' | 'two' | 'list' | 'period';
  readonly label: PlainKey;
  /** A sign instead of the label where there is little room. */
  readonly sign?: string;
  /** True: only on fields with an index, from three characters on. */
  readonly isPart?: boolean;
}

export interface ChooseProps {
  readonly field: Field;
  readonly values: readonly unknown[];
  readonly isMany: boolean;
  /** The label of the list. */
  readonly label: string;
  readonly onChange: (values: readonly unknown[]) => void;
}

export interface WordProps {
  readonly field: Field;
  readonly value: unknown;
}

export interface FieldFilter {
  readonly phrases: readonly Phrase[];
  /** The editor of a value. */
  readonly edit?: AnyFieldEdit;
  /** The control that chooses existing values, in place of it. */
  readonly Choose?: ComponentType<ChooseProps>;
  readonly Word: ComponentType<WordProps>;
}

/** Undefined: an operator that the type does not know, or a value of another form. */
export function phraseOf(
  { phrases }: FieldFilter,
  { op, value }: Pick<Condition, 'op' | 'value'>,
): Phrase | undefined {
  const isPeriod = op === 'between' && periodOf(value) !== undefined;
  return phrases.find((phrase) => {
    if (phrase.op !== op) return false;
    if (op === 'is_null') return (phrase.id === 'empty') === (value === true);
    if (op === 'between') return (phrase.id === 'within') === isPeriod;
    return true;
  });
}

/** The phrase decides the value of `is_null`. */
export function valueOfPhrase({ id }: Phrase, value: unknown): unknown {
  return id === 'empty' ? true : id === 'filled' ? false : value;
}

/** The values of a condition, one by one; `my_teams` in place of a list is one. */
export function valuesOf({ takes }: Phrase, value: unknown): readonly unknown[] {
  if (takes === 'nothing') return [];
  return Array.isArray(value) ? value : [value];
}
