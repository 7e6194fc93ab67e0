// The settings of a field for files: how many, of which types, how large.

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { FieldPartProps } from './field-form.tsx';
import { Check, NumberInput, orNothing } from './field-settings.tsx';

/** Bytes of a megabyte, as the service counts them. */
const MEGABYTE = 1024 * 1024;

export function FileRules({ field, set }: FieldPartProps) {
  const t = useT();
  const [typed, setTyped] = useState(field.types?.join(', ') ?? '');
  const { max_bytes } = field;
  return (
    <>
      <Check
        label={t('fields.multipleFiles')}
        text={t('fields.multipleFilesText')}
        isChecked={field.multiple}
        onChange={(multiple) => set(orNothing('multiple', multiple))}
      />
      <TextInput
        label={t('fields.fileTypes')}
        description={t('fields.fileTypesText')}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          const types = currentTarget.value
            .toLowerCase()
            .split(/[\s,]+/)
            .filter(Boolean);
          set(orNothing('types', types.length === 0 ? undefined : [...new Set(types)]));
        }}
      />
      <NumberInput
        label={t('fields.fileSize')}
        value={max_bytes === undefined ? undefined : max_bytes / MEGABYTE}
        most={100}
        onChange={(megabytes) =>
          set(orNothing('max_bytes', megabytes && Math.round(megabytes * MEGABYTE)))
        }
      />
    </>
  );
}
