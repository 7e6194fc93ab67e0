// A name that is taken over at each key. An empty one is not: the last one stays until there is another.

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../lib/messages/index.ts';

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function NameField({ label, value, onChange }: NameFieldProps) {
  const t = useT();
  const [text, setText] = useState(value);
  const isEmpty = text.trim() === '';
  return (
    <TextInput
      label={label}
      maxLength={200}
      error={isEmpty && t('model.needsName')}
      // Another value comes from outside, such as a change that is undone.
      value={isEmpty || text.trim() === value ? text : value}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        if (currentTarget.value.trim() !== '') onChange(currentTarget.value.trim());
      }}
    />
  );
}
