// The settings that most fields need: options, the object referred to, the currency, bounds, whether a value is required.

import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import { DefaultField } from './default-field.tsx';
import type { FieldPartProps } from './field-form.tsx';
import { type FieldSetting, hasSetting } from './field-kinds.ts';
import classes from './model.module.css';
import { OptionsEditor } from './options-editor.tsx';

export function FieldSettings(props: FieldPartProps) {
  const { field, set } = props;
  const t = useT();
  const has = (setting: FieldSetting) => hasSetting(field, setting);
  return (
    <>
      {has('options') && <OptionsEditor {...props} />}
      {has('target') && <ReferenceField {...props} />}
      {has('money') && <CurrencyField {...props} />}
      {has('bounds') && <Bounds {...props} />}
      {has('default') && <DefaultField {...props} />}
      <fieldset className={classes.choices}>
        <legend>{t('fields.rules')}</legend>
        <Check
          label={t('fields.required')}
          text={t('fields.requiredText')}
          isChecked={field.required}
          onChange={(required) => set(orNothing('required', required))}
        />
        {has('unique') && (
          <Check
            label={t('fields.unique')}
            text={t('fields.uniqueText')}
            isChecked={field.unique}
            onChange={(unique) => set(orNothing('unique', unique))}
          />
        )}
      </fieldset>
    </>
  );
}

interface CheckProps {
  readonly label: string;
  readonly text?: ReactNode;
  readonly isChecked: boolean | undefined;
  /** Undefined: the word is left out. */
  readonly onChange: (value: true | undefined) => void;
}

export function Check({ label, text, isChecked = false, onChange }: CheckProps) {
  return (
    <label className={classes.check}>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
      />
      <span>
        {label}
        {text !== undefined && <span className={classes.hint}>{text}</span>}
      </span>
    </label>
  );
}

function ReferenceField({ type, field, set, problems }: FieldPartProps) {
  const t = useT();
  const { document } = useDefinition();
  const singularName = document.objects[type]?.singular_name ?? type;
  const objects = Object.entries(document.objects);
  return (
    <>
      <NativeSelect
        label={t('fields.object')}
        description={t('fields.objectText', { one: singularName })}
        error={problems.get('reference')}
        data={[
          { value: '', label: t('fields.chooseObject') },
          ...objects.map(([value, { name }]) => ({ value, label: name })),
        ]}
        value={field.reference_object_type ?? ''}
        onChange={({ currentTarget }) =>
          set(orNothing('reference_object_type', currentTarget.value))
        }
      />
      <NativeSelect
        label={t('fields.onDelete')}
        disabled={field.required === true}
        data={[
          { value: 'clear', label: t('fields.onDeleteClear') },
          { value: 'restrict', label: t('fields.onDeleteRestrict') },
        ]}
        value={field.required === true ? 'restrict' : (field.on_delete ?? 'clear')}
        onChange={({ currentTarget }) => set(orNothing('on_delete', currentTarget.value))}
      />
    </>
  );
}

export function CurrencyField({ field, set, problems }: FieldPartProps) {
  const t = useT();
  return (
    <TextInput
      label={t('fields.currency')}
      description={t('fields.currencyText')}
      error={problems.get('currency')}
      maxLength={3}
      value={field.currency ?? ''}
      onChange={({ currentTarget }) =>
        set(orNothing('currency', currentTarget.value.toUpperCase()))
      }
    />
  );
}

function Bounds({ field, set }: FieldPartProps) {
  const t = useT();
  const hasScale = hasSetting(field, 'scale');
  return (
    <div className={classes.pair}>
      <NumberInput
        label={t('fields.minimum')}
        value={field.minimum}
        onChange={(minimum) => set(orNothing('minimum', minimum))}
      />
      <NumberInput
        label={t('fields.maximum')}
        value={field.maximum}
        onChange={(maximum) => set(orNothing('maximum', maximum))}
      />
      {hasScale && (
        <NumberInput
          label={t('fields.scale')}
          value={field.scale}
          most={15}
          onChange={(scale) => set(orNothing('scale', scale))}
        />
      )}
    </div>
  );
}

interface NumberInputProps {
  readonly label: string;
  readonly value: number | undefined;
  /** A count with this maximum. */
  readonly most?: number;
  readonly onChange: (value: number | undefined) => void;
}

export function NumberInput({ label, value, most, onChange }: NumberInputProps) {
  return (
    <TextInput
      type="number"
      label={label}
      {...(most === undefined ? { step: 'any' } : { min: 0, max: most, step: 1 })}
      value={value ?? ''}
      onChange={({ currentTarget: { value: text } }) =>
        onChange(text === '' ? undefined : Number(text))
      }
    />
  );
}

/** `set` drops words that are undefined. */
export function orNothing<Word extends keyof FieldEntry>(
  word: Word,
  value: unknown,
): Partial<FieldEntry> {
  return { [word]: value } as Partial<FieldEntry>;
}
