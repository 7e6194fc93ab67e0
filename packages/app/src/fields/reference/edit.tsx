import { Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useOffer } from '../../lib/offered-records.ts';
import { useRecordName } from '../../lib/record-names.ts';
import { clearOnBackspace } from '../clear-key.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';

/** Milliseconds without a key before the service is asked. */
const PAUSE = 150;

function Edit({ draft, field, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  const t = useT();
  const type = String(field.constraints?.reference_object_type);
  const { name } = useRecordName(type, draft);
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), PAUSE);
  const { offered, isSearched } = useOffer(type, q === name ? '' : q);
  const isKnown = draft === '' || offered.some(({ value }) => value === draft);
  return (
    <Select
      id={id}
      aria-label={field.name ?? field.key}
      data={isKnown ? offered : [{ value: draft, label: name ?? draft }, ...offered]}
      value={draft === '' ? null : draft}
      searchable
      clearable
      allowDeselect={false}
      clearButtonProps={{ 'aria-label': t('edit.clear') }}
      // The service has searched already.
      {...(isSearched ? { filter: ({ options }) => options } : {})}
      onSearchChange={setText}
      onKeyDown={clearOnBackspace(onChange)}
      onChange={(chosen) => onChange(chosen ?? '')}
      nothingFoundMessage={t('palette.nothing')}
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
