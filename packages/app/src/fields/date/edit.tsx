import { TextInput } from '@mantine/core';
import type { EditProps, FieldEdit } from '../field-edit.ts';

/** The control of the browser has the calendar, the language and the keyboard of its person. */
export function dateInput(type: 'date' | 'datetime-local') {
  return function Edit({ draft, id, isInvalid, describedBy, onChange }: EditProps<string>) {
    return (
      <TextInput
        id={id}
        type={type}
        value={draft}
        error={isInvalid}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  };
}

export const date: FieldEdit<string> = {
  Edit: dateInput('date'),
  start: (value) => (value === null ? '' : String(value)),
  parse: (draft) => ({ value: draft === '' ? null : draft }),
};
