// A new object: its names, and whether it keeps deleted records; everything else has a default that its page changes.

import { Modal, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ObjectIcon } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import type { ObjectEntry } from '../../lib/definition/document.ts';
import { KEEPING, NEW_OBJECT, withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { keyFor } from '../../lib/definition/rename.ts';
import { withNewObject } from '../../lib/definition/usual-grants.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { FormButtons } from './form-buttons.tsx';
import { IconPicker } from './icon-picker.tsx';
import classes from './model.module.css';
import { TrashChoice } from './trash-choice.tsx';

export function NewObjectDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const { workspace } = useSession();
  const { document, change } = useDefinition();
  const [name, setName] = useState('');
  const [singular, setSingular] = useState('');
  const [key, setKey] = useState<string>();
  const [icon, setIcon] = useState<ObjectIcon>();
  const [keep, setKeep] = useState<string | undefined>(KEEPING.trash.keep);
  const made = keyFor(name.trim(), document.objects, true);
  const type = key ?? made;
  const problem = key === undefined ? undefined : keyProblem(key, document.objects, t);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== undefined) return;
    const names = { name: name.trim(), singular_name: singular.trim() };
    const object = { ...newObject(names, t('model.nameField')), ...(icon && { icon }) };
    const kept = withValue(object, ['trash'], keep && { keep });
    change((now) => withNewObject(now, type, kept));
    void navigate({ to: '/$workspace/settings/model/$type', params: { workspace, type } });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('model.newObject')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack onSubmit={submit} component="form" gap={14}>
        <p className={classes.hint}>{t('model.newObjectText')}</p>
        <NameInput
          label={t('model.plural')}
          placeholder={t('model.pluralExample')}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NameInput
          label={t('model.singular')}
          placeholder={t('model.singularExample')}
          value={singular}
          onChange={({ currentTarget }) => setSingular(currentTarget.value)}
        />
        <TextInput
          label={t('model.key')}
          description={t('model.keyText')}
          value={name.trim() === '' && key === undefined ? '' : type}
          maxLength={100}
          error={problem}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <IconPicker icon={icon} usual="box" onChange={setIcon} />
        <TrashChoice keep={keep} onChange={setKeep} />
        <FormButtons action={t('model.addObject')} onCancel={onClose} />
      </Stack>
    </Modal>
  );
}

function NameInput(props: TextInputProps) {
  return <TextInput required withAsterisk={false} maxLength={200} {...props} />;
}

function keyProblem(key: string, taken: object, t: Translate): string | undefined {
  if (!/^[a-z0-9][a-z0-9_-]{0,99}$/.test(key)) return t('model.keyForm');
  return Object.hasOwn(taken, key) ? t('model.keyTaken') : undefined;
}

/** An object with a field for the name, so that its records can be told apart and found. */
function newObject(names: Pick<ObjectEntry, 'name' | 'singular_name'>, label: string): ObjectEntry {
  return {
    ...names,
    category: 'custom',
    display_field: 'name',
    fields: { name: { name: label, type: 'text', required: true, indexed: true } },
    ...NEW_OBJECT,
  };
}
