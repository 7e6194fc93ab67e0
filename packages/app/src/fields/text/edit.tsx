import { TextInput } from '@mantine/core';
import type { EditProps, FieldEdit } from '../field-edit.ts';

type Kind = 'text' | 'email' | 'tel' | 'url';

/** A line of text, with the keyboard that telephones have for its kind. */
export function lineEdit(type: Kind): FieldEdit<string> {
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
    parse: (draft) => ({ value: draft.trim() === '' ? null : draft }),
  };
}

export const text = lineEdit('text');
