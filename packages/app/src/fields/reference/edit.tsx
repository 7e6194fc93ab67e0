import { Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useT } from '../../lib/messages/index.ts';
import { useRecordName } from '../../lib/record-names.ts';
import { useTypedOffer } from '../../lib/typed-offer.ts';
import { clearOnBackspace } from '../clear-key.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';

function Edit({ draft, field, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  const t = useT();
  const type = String(field.constraints?.reference_object_type);
  const { name } = useRecordName(type, draft);
  const { offered, isTyped, searching } = useTypedOffer(type, name);
  const isKnown = draft === '' || offered.some(({ value }) => value === draft);
  return (
    <Select
      id={id}
      aria-label={field.name ?? field.key}
      data={isKnown ? offered : [{ value: draft, label: name ?? draft }, ...offered]}
      value={draft === '' ? null : draft}
      {...searching}
      clearable
      allowDeselect={false}
      clearButtonProps={{ 'aria-label': t('edit.clear') }}
      onKeyDown={clearOnBackspace(onChange)}
      onChange={(chosen) => onChange(chosen ?? '')}
      nothingFoundMessage={t(isTyped ? 'palette.nothing' : 'linked.none')}
      error={isInvalid}
      aria-describedby={describedBy}
    />
  );
}

export const reference: FieldEdit<string> = {
  Edit,
  isChoice: true,
  start: (value) => (value === null ? '' : String(value)),
  parse: (draft) => ({ value: draft === '' ? null : draft }),
};
