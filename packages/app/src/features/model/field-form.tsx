// The settings of a field. Nothing is in the draft of the definition before the form is done.

import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import type { FieldType } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { entryKind } from '../../fields/entry-kind.ts';
import { FIELD_TYPES_TO_CHOOSE, kindOf } from '../../fields/kinds.ts';
import type { FieldEntry, ObjectEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { fieldKeyFor } from '../../lib/definition/rename.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import { AdvancedSettings } from './advanced-settings.tsx';
import { hasSetting, isComputed, isFormula, withType } from './field-kinds.ts';
import { useFormulaProblem } from './field-plan.ts';
import { problemsOf } from './field-problems.ts';
import { FieldSettings } from './field-settings.tsx';
import { FileRules } from './file-rules.tsx';
import { FormButtons } from './form-buttons.tsx';
import { FormulaSettings, type FormulaSettingsProps } from './formula-settings.tsx';
import { Misfits } from './misfits.tsx';
import classes from './model.module.css';
import { presentCurrency } from './new-field.ts';
import { withNewOptions, withoutEmptyLabels } from './options.ts';
import { takeNewOption } from './options-editor.tsx';
import { OptionsOfValues } from './options-of-values.tsx';
import { RollupSettings } from './rollup-settings.tsx';

interface FieldFormProps {
  readonly type: string;
  readonly fieldKey: string | undefined;
  readonly start: FieldEntry;
  /** False: no record has a value yet, so its type is free. */
  readonly isStored: boolean;
  /** Another type for a new field. */
  readonly onBack: () => void;
  /** `key`: where the person gives one. */
  readonly onSave: (field: FieldEntry, key: string | undefined) => void;
  readonly onRemove: () => void;
  readonly onCancel: () => void;
}

export interface FieldPartProps {
  /** The object. */
  readonly type: string;
  readonly field: FieldEntry;
  readonly set: (words: Partial<FieldEntry>) => void;
  readonly problems: ReadonlyMap<string, string>;
}

export function FieldForm(props: FieldFormProps) {
  const { type, fieldKey, start, onSave } = props;
  const t = useT();
  const { document } = useDefinition();
  const { fields } = document.objects[type] as ObjectEntry;
  const [field, setField] = useState(start);
  const [key, setKey] = useState<string>();
  const [isTried, setTried] = useState(false);
  const { [fieldKey ?? '']: _, ...others } = fields;
  const newKey = fieldKey ?? (field.name?.trim() ? fieldKeyFor(field.name, fields) : '');
  const problemsIn = (one: FieldEntry) =>
    problemsOf({ field: one, key: key ?? newKey, taken: others }, t);
  const problems = isTried ? problemsIn(field) : new Map<string, string>();
  const usedKey = fieldKey ?? key ?? newKey;
  const formulaProblem = useFormulaProblem({ type, fieldKey: usedKey, field });
  const set = (words: Partial<FieldEntry>) => setField(withoutEmpty({ ...field, ...words }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = withTypedOption(field, event.currentTarget);
    setField(given);
    flushSync(() => setTried(true));
    if (problemsIn(given).size > 0 || formulaProblem) focusProblem(event.currentTarget);
    else onSave(savedField(given), key);
  };
  const part = { type, field, set, problems, formulaProblem };
  return (
    <Stack gap={14} renderRoot={(props) => <form {...props} onSubmit={submit} noValidate />}>
      <TextInput
        label={t('model.name')}
        data-autofocus
        autoFocus
        maxLength={200}
        value={field.name ?? ''}
        placeholder={fieldKey}
        error={problems.get('name')}
        onChange={({ currentTarget }) => setField({ ...field, name: currentTarget.value })}
      />
      <TypeField
        {...{ ...props, field, set }}
        onChange={(next) => setField(withType(field, next, presentCurrency(document)))}
      />
      <SettingsOfType {...part} fieldKey={usedKey} />
      <Placing {...part} />
      <AdvancedSettings
        {...part}
        fieldKey={key ?? newKey}
        isNew={fieldKey === undefined}
        onKey={setKey}
      />
      <FormButtons
        action={fieldKey === undefined ? t('fields.add') : t('model.done')}
        onCancel={props.onCancel}
        remove={
          fieldKey === undefined ? undefined : { label: t('fields.remove'), run: props.onRemove }
        }
      />
    </Stack>
  );
}

function focusProblem(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

function SettingsOfType(part: FormulaSettingsProps) {
  if (isFormula(part.field)) return <FormulaSettings {...part} />;
  if (isComputed(part.field)) return <RollupSettings {...part} />;
  return (
    <>
      <FieldSettings {...part} />
      {hasSetting(part.field, 'files') && <FileRules {...part} />}
    </>
  );
}

/** The field with an option that is typed and not added yet. */
function withTypedOption(field: FieldEntry, form: HTMLFormElement): FieldEntry {
  const typed = takeNewOption(form);
  if (typed === '') return field;
  return { ...field, options: withNewOptions(field.options ?? [], [typed]) };
}

function savedField(field: FieldEntry): FieldEntry {
  const name = field.name?.trim();
  const options = field.options && { options: withoutEmptyLabels(field.options) };
  return withoutEmpty({ ...field, ...(name === undefined ? {} : { name }), ...options });
}

/** A word without a value is one that the definition does not have. */
function withoutEmpty(field: FieldEntry): FieldEntry {
  const kept = Object.entries(field).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(kept) as unknown as FieldEntry;
}

interface TypeFieldProps extends FieldFormProps {
  readonly field: FieldEntry;
  readonly set: FieldPartProps['set'];
  readonly onChange: (type: FieldType) => void;
}

function TypeField(props: TypeFieldProps) {
  const { type, field, set, start, fieldKey, isStored, onBack, onChange } = props;
  const t = useT();
  if (fieldKey === undefined) {
    return (
      <Group wrap="nowrap" gap="sm">
        <span className={classes.dim}>{t('fields.type')}</span>
        <span>{t(entryKind(field).name)}</span>
        <Button variant="subtle" size="compact-xs" onClick={onBack}>
          {t('fields.otherType')}
        </Button>
      </Group>
    );
  }
  if (isComputed(field)) return null;
  const { becomes } = factsOf(start);
  const offered = FIELD_TYPES_TO_CHOOSE.filter(
    (one) => !isStored || one === start.type || becomes.includes(one),
  );
  return (
    <>
      <NativeSelect
        label={t('fields.type')}
        description={isStored && becomes.length === 0 ? t('fields.typeFixed') : undefined}
        disabled={offered.length === 1}
        data={offered.map((value) => ({ value, label: t(kindOf({ type: value }).name) }))}
        value={field.type}
        onChange={({ currentTarget }) => onChange(currentTarget.value as FieldType)}
      />
      {isStored && field.type !== start.type && (
        <Misfits type={type} fieldKey={fieldKey} field={withoutEmpty(field)} />
      )}
      {isStored && hasSetting(field, 'options') && hasOtherTexts(start) && (
        <OptionsOfValues
          {...{ type, fieldKey }}
          options={field.options ?? []}
          onChange={(options) => set({ options })}
        />
      )}
    </>
  );
}

/** Records can be grouped by its values, which are not options yet. */
function hasOtherTexts(field: FieldEntry): boolean {
  return !hasSetting(field, 'options') && field.storage !== 'jsonb';
}

function Placing({ type, field, set }: FieldPartProps) {
  const t = useT();
  const { document } = useDefinition();
  const { fields } = document.objects[type] as ObjectEntry;
  const sections = [...new Set(Object.values(fields).flatMap(({ section }) => section ?? []))];
  return (
    <>
      <Textarea
        label={t('model.description')}
        description={t('fields.descriptionText')}
        rows={2}
        maxLength={2000}
        value={field.description ?? ''}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <TextInput
        label={t('fields.section')}
        description={t('fields.sectionText')}
        list="field-sections"
        maxLength={200}
        value={field.section ?? ''}
        onChange={({ currentTarget }) => set({ section: currentTarget.value })}
      />
      <datalist id="field-sections">
        {sections.map((section) => (
          <option key={section} value={section} />
        ))}
      </datalist>
    </>
  );
}
