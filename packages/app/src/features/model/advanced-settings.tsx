// The settings of a field that few need: its key, how long and in which form values are, how they are stored and found.

import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { FieldPartProps } from './field-form.tsx';
import { type FieldSetting, hasSetting, isComputed } from './field-kinds.ts';
import { Check, NumberInput, orNothing } from './field-settings.tsx';
import classes from './model.module.css';

interface AdvancedSettingsProps extends FieldPartProps {
  readonly fieldKey: string;
  readonly isNew: boolean;
  readonly onKey: (key: string) => void;
}

export function AdvancedSettings(props: AdvancedSettingsProps) {
  const { field, set, problems, fieldKey, isNew, onKey } = props;
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const has = (setting: FieldSetting) => hasSetting(field, setting);
  const isPhysical = field.storage !== 'jsonb';
  return (
    <details
      className={classes.more}
      open={isOpen || problems.has('key')}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('fields.advanced')}</summary>
      <Stack gap={14}>
        <TextInput
          label={t('model.key')}
          description={isNew ? t('model.keyText') : t('fields.keyChange')}
          maxLength={50}
          value={fieldKey}
          error={problems.get('key')}
          onChange={({ currentTarget }) => onKey(currentTarget.value)}
        />
        <TextRules {...props} />
        <Switches {...props} isPhysical={isPhysical} />
        {has('storage') && (
          <NativeSelect
            label={t('fields.storage')}
            description={t('fields.storageText')}
            data={[
              { value: 'physical', label: t('fields.storageColumn') },
              { value: 'jsonb', label: t('fields.storageJson') },
            ]}
            value={field.storage ?? 'physical'}
            onChange={({ currentTarget: { value } }) =>
              set({
                ...orNothing('storage', value === 'jsonb' ? value : undefined),
                ...(value === 'jsonb' ? orNothing('indexed', undefined) : {}),
              })
            }
          />
        )}
      </Stack>
    </details>
  );
}

function TextRules({ field, set }: FieldPartProps) {
  const t = useT();
  const has = (setting: FieldSetting) => hasSetting(field, setting);
  return (
    <>
      {has('length') && (
        <div className={classes.pair}>
          <NumberInput
            label={t('fields.minLength')}
            value={field.minLength}
            most={100_000}
            onChange={(minLength) => set(orNothing('minLength', minLength))}
          />
          <NumberInput
            label={t('fields.maxLength')}
            value={field.maxLength}
            most={100_000}
            onChange={(maxLength) => set(orNothing('maxLength', maxLength))}
          />
        </div>
      )}
      {has('pattern') && (
        <TextInput
          label={t('fields.pattern')}
          description={t('fields.patternText')}
          maxLength={500}
          value={field.pattern ?? ''}
          onChange={({ currentTarget }) => set(orNothing('pattern', currentTarget.value))}
        />
      )}
    </>
  );
}

function Switches({
  field,
  set,
  isPhysical,
}: AdvancedSettingsProps & { readonly isPhysical: boolean }) {
  const t = useT();
  const has = (setting: FieldSetting) => hasSetting(field, setting);
  return (
    <fieldset className={classes.choices}>
      {has('indexed') && isPhysical && (
        <Check
          label={t('fields.indexed')}
          text={t('fields.indexedText')}
          isChecked={field.indexed}
          onChange={(indexed) => set(orNothing('indexed', indexed))}
        />
      )}
      {has('searchable') && (
        <Check
          label={t('fields.searchable')}
          text={t('fields.searchableText')}
          isChecked={field.searchable}
          onChange={(searchable) => set(orNothing('searchable', searchable))}
        />
      )}
      {!isComputed(field) && (
        <Check
          label={t('fields.locked')}
          text={t('fields.lockedText')}
          isChecked={field.editable === false}
          onChange={(isLocked) => set(orNothing('editable', isLocked === true ? false : undefined))}
        />
      )}
    </fieldset>
  );
}
