import { TextInput } from '@mantine/core';
import { type Language, localeOf, type PlainKey } from '../../lib/messages/index.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';
import { parseNumber, printNumber } from './number-text.ts';

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
export function numberEdit(problem: PlainKey, isWhole = false): FieldEdit<string> {
  return {
    Edit,
    start: (value, language: Language) =>
      value === null ? '' : printNumber(Number(value), localeOf(language)),
    parse(draft, language) {
      if (draft.trim() === '') return { value: null };
      const value = parseNumber(draft, localeOf(language));
      if (value === undefined || (isWhole && !Number.isInteger(value))) return { problem };
      return { value };
    },
  };
}

export const number = numberEdit('edit.notNumber');
