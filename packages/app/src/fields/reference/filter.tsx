import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useOfferedRecords } from '../../lib/offered-records.ts';
import { useRecordName } from '../../lib/record-names.ts';
import { Choices } from '../choices.tsx';
import type { ChooseProps, FieldFilter, WordProps } from '../field-filter.ts';
import { CHOICE_PHRASES } from '../phrases.ts';

/** Milliseconds without a key before the request. */
const PAUSE = 150;

function NameWord({ value, field }: WordProps) {
  const id = String(value);
  const { name } = useRecordName(String(field.constraints?.reference_object_type), id);
  return name ?? id.slice(0, 8);
}

/** A list to choose records from. The records chosen at the start of the search stay first, under the pointer. */
function Choose(props: ChooseProps) {
  const { field, values } = props;
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), PAUSE);
  const offeredRecords = useOfferedRecords(String(field.constraints?.reference_object_type), q);
  const [first, setFirst] = useState<readonly unknown[]>(values);
  const chosenChoices = first.map((value) => ({
    value,
    label: String(value),
    content: <NameWord value={value} field={field} />,
  }));
  const newChoices = offeredRecords.filter(({ value }) => !first.includes(value));
  const search = (wished: string) => {
    setText(wished);
    setFirst(values);
  };
  return (
    <Choices
      {...props}
      offered={q === '' ? [...chosenChoices, ...newChoices] : offeredRecords}
      onSearch={search}
    />
  );
}

export const reference: FieldFilter = { phrases: CHOICE_PHRASES, Choose, Word: NameWord };
