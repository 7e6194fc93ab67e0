// The value that a new record has when nobody gives one.

import { NativeSelect, TextInput } from '@mantine/core';
import { isNumeric } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import type { FieldPartProps } from './field-form.tsx';

export function DefaultField({ field, set }: FieldPartProps) {
  const t = useT();
  const { type, default: value } = field;
  const texts = { label: t('fields.default'), description: t('fields.defaultText') };
  const onChange = (next: unknown) => set({ default: next });
  if (type === 'boolean') {
    return (
      <NativeSelect
        {...texts}
        data={[
          { value: '', label: t('fields.noDefault') },
          { value: 'true', label: t('fields.yes') },
          { value: 'false', label: t('fields.no') },
        ]}
        value={value === undefined ? '' : String(value)}
        onChange={({ currentTarget: { value: text } }) =>
          onChange(text === '' ? undefined : text === 'true')
        }
      />
    );
  }
  if (type === 'select') {
    return (
      <NativeSelect
        {...texts}
        data={[
          { value: '', label: t('fields.noDefault') },
          ...(field.options ?? []).map((option) => ({
            value: option.value,
            label: option.label ?? option.value,
          })),
        ]}
        value={String(value ?? '')}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    );
  }
  const isNumber = isNumeric(field);
  return (
    <TextInput
      {...texts}
      type={isNumber ? 'number' : type === 'date' ? 'date' : 'text'}
      {...(isNumber ? { step: type === 'integer' ? 1 : 'any' } : {})}
      value={String(value ?? '')}
      onChange={({ currentTarget: { value: text } }) =>
        onChange(text === '' ? undefined : isNumber ? Number(text) : text)
      }
    />
  );
}
