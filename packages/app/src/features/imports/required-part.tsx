// Required fields that no column gives: a person chooses a column, or a value for all rows here.

import { Alert, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { type ImportDraft, missingFields } from './import-draft.ts';
import { importFields, nameOf } from './import-fields.ts';
import classes from './imports.module.css';

interface RequiredPartProps {
  readonly object: ObjectDefinition;
  readonly draft: ImportDraft;
  readonly onChange: (draft: ImportDraft) => void;
}

export function RequiredPart({ object, draft, onChange }: RequiredPartProps) {
  const t = useT();
  const missing = missingFields(object, draft);
  const fields = importFields(object);
  const given = fields.filter(({ key }) => Object.hasOwn(draft.constants, key));
  const made = Object.entries(draft.templates);
  const put = (key: string, value: string) => {
    const { [key]: _, ...others } = draft.constants;
    onChange({ ...draft, constants: value === '' ? others : { ...others, [key]: value } });
  };
  const shown = fields.filter((field) => missing.includes(field) || given.includes(field));
  return (
    <>
      {made.map(([key, template]) => (
        <Group key={key} component="p" wrap="nowrap" gap="sm" c="dimmed" m={0}>
          <Icon name="check" size={14} />
          {t('import.madeOf', {
            field: nameOf(fields.find((field) => field.key === key) ?? { key, name: null }),
            columns: [...template.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name).join(' + '),
          })}
        </Group>
      ))}
      {shown.length > 0 && (
        <Alert
          variant="light"
          color={missing.length > 0 ? 'yellow' : 'gray'}
          icon={<Icon name={missing.length > 0 ? 'warning' : 'check'} />}
        >
          <Text>
            {missing.length > 0
              ? t('import.needed', { names: missing.map(nameOf).join(', ') })
              : t('import.constants')}
          </Text>
          {shown.map((field) => (
            <Constant
              key={field.key}
              field={field}
              value={draft.constants[field.key] ?? ''}
              onChange={(value) => put(field.key, value)}
            />
          ))}
        </Alert>
      )}
    </>
  );
}

interface ConstantProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Constant({ field, value, onChange }: ConstantProps) {
  const t = useT();
  const label = t('import.valueOfAll', { field: nameOf(field) });
  if (field.options === undefined) {
    return (
      <TextInput
        className={classes.constant}
        label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <NativeSelect
      className={classes.constant}
      label={label}
      value={value}
      data={[
        { value: '', label: '–' },
        ...field.options.map((option) => ({
          value: String(option.value),
          label: option.label ?? String(option.value),
        })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
