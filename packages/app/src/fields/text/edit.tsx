import { TextInput } from '@mantine/core';
import type { EditProps, FieldEdit, Parsed } from '../field-edit.ts';

type Kind = 'text' | 'email' | 'tel' | 'url';

/** A line of text, with the keyboard that telephones have for its kind. `parse`: of a text that is not blank. */
export function lineEdit(
  type: Kind,
  parse: (typed: string) => Parsed = (value) => ({ value }),
): FieldEdit<string> {
  function Edit({ draft, id, isInvalid, describedBy, onChange }: EditProps<string>) {
    return (
      <TextInput
        id={id}
        type={type === 'email' || type === 'url' ? 'text' : type}
        inputMode={type}
        value={draft}
        error={isInvalid}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return {
    Edit,
    start: (value) => (value === null ? '' : String(value)),
    parse: (draft) => (draft.trim() === '' ? { value: null } : parse(draft)),
  };
}

export const text = lineEdit('text');
