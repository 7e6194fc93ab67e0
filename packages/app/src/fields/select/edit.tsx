import { NativeSelect } from '@mantine/core';
import type { EditProps, FieldEdit } from '../field-edit.ts';
import { optionsOf } from '../options.ts';
import { OptionsSelect } from '../options-select.tsx';

function Edit({ draft, field, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  return (
    <NativeSelect
      id={id}
      size="sm"
      data={[{ value: '', label: '–' }, ...optionsOf(field)]}
      value={draft}
      error={isInvalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function Cell(props: EditProps<string>) {
  return <OptionsSelect {...props} options={optionsOf(props.field)} />;
}

export const select: FieldEdit<string> = {
  Edit,
  Cell,
  isChoice: true,
  start: (value) => (value === null ? '' : String(value)),
  parse: (draft) => ({ value: draft === '' ? null : draft }),
};
