import { NativeSelect } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';

type Draft = 'true' | 'false' | '';

function Edit({ draft, id, isInvalid, describedBy, onChange }: EditProps<Draft>) {
  const t = useT();
  const data = [
    { value: '', label: '–' },
    { value: 'true', label: t('field.yes') },
    { value: 'false', label: t('field.no') },
  ];
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

export const boolean: FieldEdit<Draft> = {
  Edit,
  isChoice: true,
  start: (value) => (value === null ? '' : value === true ? 'true' : 'false'),
  parse: (draft) => ({ value: draft === '' ? null : draft === 'true' }),
};
