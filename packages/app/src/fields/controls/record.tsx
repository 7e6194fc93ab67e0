// A record that is found by typing.

import { Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useOfferedRecords } from '../../lib/offered-records.ts';
import { useRecordName } from '../../lib/record-names.ts';
import { useTypedOffer } from '../../lib/typed-offer.ts';
import { Choices } from '../choices.tsx';
import { clearOnBackspace } from '../clear-key.ts';
import type { EditProps } from '../field-edit.ts';
import type { ChooseProps } from '../field-filter.ts';
import { kindOf } from '../kinds.ts';

export function RecordEdit({
  draft,
  field,
  id,
  isInvalid,
  describedBy,
  onChange,
}: EditProps<string>) {
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

/** Milliseconds without a key before the request. */
const PAUSE = 150;

/** Those that were chosen when the search began come first: they must not go away under the pointer. */
export function ChooseRecord(props: ChooseProps) {
  const { field, values } = props;
  const { Word } = kindOf(field);
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), PAUSE);
  const found = useOfferedRecords(String(field.constraints?.reference_object_type), q);
  const [first, setFirst] = useState<readonly unknown[]>(values);
  const kept = first.map((value) => ({
    value,
    label: String(value),
    content: <Word value={value} field={field} />,
  }));
  const others = found.filter(({ value }) => !first.includes(value));
  const search = (wished: string) => {
    setText(wished);
    setFirst(values);
  };
  return <Choices {...props} offered={q === '' ? [...kept, ...others] : found} onSearch={search} />;
}
