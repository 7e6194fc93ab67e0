import { TextInput } from '@mantine/core';
import { type Language, localeOf } from '../../lib/messages/index.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';
import { printNumber } from './number-text.ts';
import { type NumberProblem, parseTyped } from './parse.ts';

function Edit({ draft, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  return (
    <TextInput
      id={id}
      inputMode="decimal"
      value={draft}
      error={isInvalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** `problem`: what is said of a text that is no such number. */
export function numberEdit(problem: NumberProblem): FieldEdit<string> {
  return {
    Edit,
    start: (value, language: Language) =>
      value === null ? '' : printNumber(Number(value), localeOf(language)),
    parse(draft, language) {
      if (draft.trim() === '') return { value: null };
      return parseTyped(draft, language, problem);
    },
  };
}

export const number = numberEdit('edit.notNumber');
