import { NativeSelect } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';
import { OptionsSelect } from '../options-select.tsx';

type Draft = 'true' | 'false' | '';

function useOptions() {
  const t = useT();
  return [
    { value: 'true', label: t('field.yes') },
    { value: 'false', label: t('field.no') },
  ];
}

function Edit({ draft, id, isInvalid, describedBy, onChange }: EditProps<Draft>) {
  const data = [{ value: '', label: '–' }, ...useOptions()];
  return (
    <NativeSelect
      id={id}
      size="sm"
      data={data}
      value={draft}
      error={isInvalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Draft)}
    />
  );
}

function Cell(props: EditProps<Draft>) {
  return <OptionsSelect {...props} options={useOptions()} />;
}

export const boolean: FieldEdit<Draft> = {
  Edit,
  Cell,
  isChoice: true,
  start: (value) => (value === null ? '' : value === true ? 'true' : 'false'),
  parse: (draft) => ({ value: draft === '' ? null : draft === 'true' }),
};
