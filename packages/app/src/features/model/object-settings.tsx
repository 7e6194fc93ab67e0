// The settings of an object: its names, the fields that stand for a record, owners, workflow; and removing it.

import { Button, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import {
  CATEGORIES,
  isBuiltIn,
  type ObjectEntry,
  orderedKeys,
  withValue,
} from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { later } from '../../lib/later.tsx';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { EntryKey } from '../../ui/entry-key.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import { Section } from '../../ui/section.tsx';
import { IconPicker } from './icon-picker.tsx';
import classes from './model.module.css';
import { ObjectAbilities } from './object-abilities.tsx';
import { ObjectHistory } from './object-history.tsx';
import { TrashChoice } from './trash-choice.tsx';

const RemoveObjectDialog = later(() => import('./remove-object-dialog.tsx'));

export interface ObjectSettingsProps {
  readonly type: string;
  readonly object: ObjectEntry;
}

export function ObjectSettings({ type, object }: ObjectSettingsProps) {
  const t = useT();
  const set = useSetWord(type);
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Section title={t('object.settings')}>
      <Stack gap={14}>
        <div className={classes.pair}>
          <NameField label={t('model.plural')} value={object.name} onChange={set('name')} />
          <NameField
            label={t('model.singular')}
            value={object.singular_name}
            onChange={set('singular_name')}
          />
        </div>
        <Textarea
          label={t('model.description')}
          rows={2}
          maxLength={2000}
          value={object.description ?? ''}
          onChange={({ currentTarget }) => set('description')(currentTarget.value || undefined)}
        />
        <Look type={type} object={object} />
        <Fields type={type} object={object} />
        <Kinds type={type} object={object} />
        <ObjectHistory type={type} object={object} />
        <ObjectAbilities type={type} object={object} />
        <TrashChoice
          keep={object.trash?.keep}
          onChange={(keep) => set('trash')(keep === undefined ? undefined : { keep })}
        />
        {!isBuiltIn(type) && <EntryKey path={['objects', type]} />}
        <div>
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            {t('object.remove')}
          </Button>
        </div>
      </Stack>
      {isRemoving && <RemoveObjectDialog type={type} onClose={() => setRemoving(false)} />}
    </Section>
  );
}

/** Changes a word of the object in the draft; undefined removes it. */
export function useSetWord(type: string) {
  const { change } = useDefinition();
  return (word: keyof ObjectEntry) => (value: unknown) =>
    change((now) => withValue(now, ['objects', type, word], value));
}

function Look({ type, object }: ObjectSettingsProps) {
  const t = useT();
  const set = useSetWord(type);
  return (
    <>
      <IconPicker icon={object.icon} usual={usualIcon(type, object.name)} onChange={set('icon')} />
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={object.listed !== false}
          onChange={({ currentTarget }) => set('listed')(currentTarget.checked ? undefined : false)}
        />
        {t('object.listed')}
      </label>
    </>
  );
}

/** The icon of an object without a chosen one. */
function usualIcon(type: string, name: string) {
  const kind = isBuiltIn(type) ? 'built_in' : 'default';
  return iconOf({ object_type: type, kind, name, icon: null });
}

function Fields({ type, object }: ObjectSettingsProps) {
  const t = useT();
  const set = useSetWord(type);
  const offered = (fact: 'can_display' | 'textual') => [
    { value: '', label: t('object.noField') },
    ...orderedKeys(object.fields, object.field_order).flatMap((key) => {
      const field = object.fields[key];
      const isGood = field !== undefined && factsOf(field)[fact] && field.storage !== 'jsonb';
      return isGood ? [{ value: key, label: field.name ?? key }] : [];
    }),
  ];
  return (
    <div className={classes.pair}>
      <NativeSelect
        label={t('object.display')}
        description={t('object.displayText')}
        data={offered('can_display')}
        value={object.display_field ?? ''}
        onChange={({ currentTarget }) => set('display_field')(currentTarget.value || undefined)}
      />
      <NativeSelect
        label={t('object.subtitle')}
        description={t('object.subtitleText')}
        data={offered('textual')}
        value={object.subtitle_field ?? ''}
        onChange={({ currentTarget }) => set('subtitle_field')(currentTarget.value || undefined)}
      />
    </div>
  );
}

const CATEGORY_WORDS: Readonly<Record<(typeof CATEGORIES)[number], PlainKey>> = {
  crm: 'object.crm',
  work: 'object.work',
  catalog: 'object.catalog',
  custom: 'object.custom',
};

function Kinds({ type, object }: ObjectSettingsProps) {
  const t = useT();
  const set = useSetWord(type);
  const { document } = useDefinition();
  const workflows = Object.entries(document.workflows ?? {});
  return (
    <div className={classes.pair}>
      {!isBuiltIn(type) && (
        <NativeSelect
          label={t('object.category')}
          data={CATEGORIES.map((value) => ({ value, label: t(CATEGORY_WORDS[value]) }))}
          value={object.category ?? 'custom'}
          onChange={({ currentTarget }) => set('category')(currentTarget.value)}
        />
      )}
      {type !== 'work_items' && (
        <NativeSelect
          label={t('model.workflow')}
          data={[
            { value: '', label: t('object.noWorkflow') },
            ...workflows.map(([value, { name }]) => ({ value, label: name })),
          ]}
          value={object.workflow ?? ''}
          onChange={({ currentTarget }) => set('workflow')(currentTarget.value || undefined)}
        />
      )}
    </div>
  );
}
