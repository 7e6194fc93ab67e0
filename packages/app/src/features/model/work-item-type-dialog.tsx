// A type of work items: made, changed or removed in the draft.

import { Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { nameAt } from '../../lib/definition/changes.ts';
import { orderedKeys, type WorkItemTypeEntry, withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { keyFor } from '../../lib/definition/rename.ts';
import { useT } from '../../lib/messages/index.ts';
import { FormButtons } from './form-buttons.tsx';
import classes from './model.module.css';

interface WorkItemTypeDialogProps {
  /** The slug of an existing type; undefined: a new type. */
  readonly slug?: string;
  readonly entry?: WorkItemTypeEntry;
  readonly onClose: () => void;
}

export function WorkItemTypeDialog({ slug, entry, onClose }: WorkItemTypeDialogProps) {
  const t = useT();
  const { document, change } = useDefinition();
  const { workflows = {}, work_item_types: types = {} } = document;
  const [draft, setDraft] = useState<WorkItemTypeEntry>(
    entry ?? { name: '', prefix: '', workflow: Object.keys(workflows)[0] ?? '' },
  );
  const set = (words: Partial<WorkItemTypeEntry>) => setDraft({ ...draft, ...words });
  const isTaken = Object.entries(types).some(
    ([other, { prefix }]) => other !== slug && prefix === draft.prefix,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTaken) return;
    const key = slug ?? keyFor(draft.name.trim(), { ...types, work_items: true }, true);
    change((now) => withValue(now, ['work_item_types', key], draft));
    onClose();
  };
  const remove = () => {
    change((now) => withValue(now, ['work_item_types', slug ?? ''], undefined));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={entry === undefined ? t('types.new') : entry.name}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack onSubmit={submit} component="form" gap={14}>
        <TypeFields draft={draft} isTaken={isTaken} onChange={set} />
        <OwnFields draft={draft} onChange={(fields) => set({ fields })} />
        <label className={classes.check}>
          <input
            type="checkbox"
            checked={draft.active ?? true}
            onChange={({ currentTarget }) => set({ active: currentTarget.checked })}
          />
          {t('types.active')}
        </label>
        <FormButtons
          action={entry === undefined ? t('types.add') : t('model.done')}
          onCancel={onClose}
          remove={entry && { label: t('types.remove'), run: remove }}
        />
      </Stack>
    </Modal>
  );
}

interface TypeFieldsProps {
  readonly draft: WorkItemTypeEntry;
  /** True: another type has the prefix. */
  readonly isTaken: boolean;
  readonly onChange: (words: Partial<WorkItemTypeEntry>) => void;
}

function TypeFields({ draft, isTaken, onChange: set }: TypeFieldsProps) {
  const t = useT();
  const { workflows = {} } = useDefinition().document;
  return (
    <>
      <TextInput
        label={t('model.name')}
        required
        withAsterisk={false}
        maxLength={200}
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <TextInput
        label={t('types.prefix')}
        description={t('types.prefixText')}
        required
        withAsterisk={false}
        pattern="[A-Z][A-Z0-9]{0,9}"
        maxLength={10}
        error={isTaken && t('types.prefixTaken')}
        value={draft.prefix}
        onChange={({ currentTarget }) => set({ prefix: currentTarget.value.toUpperCase() })}
      />
      <NativeSelect
        label={t('model.workflow')}
        data={Object.entries(workflows).map(([value, { name }]) => ({ value, label: name }))}
        value={draft.workflow}
        onChange={({ currentTarget }) => set({ workflow: currentTarget.value })}
      />
    </>
  );
}

interface OwnFieldsProps {
  readonly draft: WorkItemTypeEntry;
  readonly onChange: (fields: readonly string[]) => void;
}

/** The fields that every work item has. */
const OF_ALL: ReadonlySet<string> = new Set([
  ...['title', 'description', 'due_date', 'work_item_type_id', 'parent_work_item_id'],
]);

function OwnFields({ draft: { fields: chosen = [] }, onChange }: OwnFieldsProps) {
  const t = useT();
  const { document } = useDefinition();
  const { fields = {}, field_order } = document.objects.work_items ?? {};
  const offered = orderedKeys(fields, field_order).filter((key) => !OF_ALL.has(key));
  if (offered.length === 0) return null;
  return (
    <fieldset className={classes.choices}>
      <legend>{t('types.fields')}</legend>
      <p className={classes.hint}>{t('types.fieldsText')}</p>
      {offered.map((key) => (
        <label key={key} className={classes.check}>
          <input
            type="checkbox"
            checked={chosen.includes(key)}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((one) => one !== key);
              onChange(currentTarget.checked ? [...others, key] : others);
            }}
          />
          {nameAt([document], ['objects', 'work_items', 'fields', key])}
        </label>
      ))}
    </fieldset>
  );
}
