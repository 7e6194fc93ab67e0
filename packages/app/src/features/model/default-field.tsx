// The value that a new record has when nobody gives one.

import { NativeSelect, TextInput } from '@mantine/core';
import { factsOf, isBoolean, isDay, isNumeric } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import type { FieldPartProps } from './field-form.tsx';

export function DefaultField({ field, set }: FieldPartProps) {
  const t = useT();
  const { default: value } = field;
  const { words, value: json } = factsOf(field);
  const texts = { label: t('fields.default'), description: t('fields.defaultText') };
  const onChange = (next: unknown) => set({ default: next });
  if (isBoolean(field) || words.includes('options')) {
    const choices = isBoolean(field)
      ? [
          { value: 'true', label: t('fields.yes') },
          { value: 'false', label: t('fields.no') },
        ]
      : (field.options ?? []).map(({ value: option, label = option }) => ({
          value: option,
          label,
        }));
    return (
      <NativeSelect
        {...texts}
        data={[{ value: '', label: t('fields.noDefault') }, ...choices]}
        value={String(value ?? '')}
        onChange={({ currentTarget: { value: text } }) =>
          onChange(text === '' ? undefined : isBoolean(field) ? text === 'true' : text)
        }
      />
    );
  }
  const isNumber = isNumeric(field);
  return (
    <TextInput
      {...texts}
      type={isNumber ? 'number' : isDay(field) ? 'date' : 'text'}
      {...(isNumber ? { step: json === 'integer' ? 1 : 'any' } : {})}
      // As a number: a text would replace “1.0”, which is not typed to its end.
      value={typeof value === 'number' ? value : String(value ?? '')}
      onChange={({ currentTarget: { value: text } }) =>
        onChange(text === '' ? undefined : isNumber ? Number(text) : text)
      }
    />
  );
}
