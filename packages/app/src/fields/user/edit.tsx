import { Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useT } from '../../lib/messages/index.ts';
import { useNamesOfPeople, usePeople } from '../../lib/person-names.ts';
import { clearOnBackspace } from '../clear-key.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';

const NONE: readonly number[] = [];

function Edit({ draft, field, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  const t = useT();
  const people = [...usePeople()].map(([value, label]) => ({ value: String(value), label }));
  const isKnown = draft === '' || people.some(({ value }) => value === draft);
  const others = useNamesOfPeople(isKnown ? NONE : [Number(draft)]);
  const chosen = { value: draft, label: others.get(Number(draft)) ?? t('person.unknown') };
  return (
    <Select
      id={id}
      aria-label={field.name ?? field.key}
      data={isKnown ? people : [chosen, ...people]}
      value={draft === '' ? null : draft}
      searchable
      selectFirstOptionOnChange
      clearable
      allowDeselect={false}
      clearButtonProps={{ 'aria-label': t('edit.clear') }}
      onKeyDown={clearOnBackspace(onChange)}
      onChange={(next) => onChange(next ?? '')}
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
