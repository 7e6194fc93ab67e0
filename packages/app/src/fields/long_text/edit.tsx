import { Textarea } from '@mantine/core';
import type { EditProps, FieldEdit } from '../field-edit.ts';
import { text } from '../text/edit.tsx';

function Edit({ draft, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  return (
    <Textarea
      id={id}
      rows={5}
      value={draft}
      error={isInvalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

export const long_text: FieldEdit<string> = { ...text, Edit, isMultiline: true };
