import { Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useT } from '../../lib/messages/index.ts';
import { usePeople } from '../../lib/person-names.ts';
import { clearOnBackspace } from '../clear-key.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';

function Edit({ draft, field, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  const t = useT();
  const people = [...usePeople()].map(([value, label]) => ({ value: String(value), label }));
  const isKnown = draft === '' || people.some(({ value }) => value === draft);
  return (
    <Select
      id={id}
      aria-label={field.name ?? field.key}
      data={isKnown ? people : [{ value: draft, label: `#${draft}` }, ...people]}
      value={draft === '' ? null : draft}
      searchable
      selectFirstOptionOnChange
      clearable
      allowDeselect={false}
      clearButtonProps={{ 'aria-label': t('edit.clear') }}
      onKeyDown={clearOnBackspace(onChange)}
      onChange={(chosen) => onChange(chosen ?? '')}
      nothingFoundMessage={t('palette.nothing')}
      error={isInvalid}
      aria-describedby={describedBy}
    />
  );
}

export const user: FieldEdit<string> = {
  Edit,
  isChoice: true,
  start: (value) => (value === null ? '' : String(value)),
  parse: (draft) => ({ value: draft === '' ? null : Number(draft) }),
};
