// An empty beginning: which of the built-in objects the navigation lists. None can be removed, and all can be listed again.

import { Button, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import {
  type DefinitionDocument,
  isBuiltIn,
  KEEPING,
  withValue,
} from '../../lib/definition/document.ts';
import { useStart } from '../../lib/definition/use-start.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './start.module.css';

const CHOICES = ['nothing', 'crm', 'projects'] as const;
type Choice = (typeof CHOICES)[number];

const WORDS: Readonly<Record<Choice, { readonly name: PlainKey; readonly text: PlainKey }>> = {
  nothing: { name: 'start.nothing', text: 'start.nothingText' },
  crm: { name: 'start.onlyCrm', text: 'start.onlyCrmText' },
  projects: { name: 'start.projects', text: 'start.projectsText' },
};

/** The category of the built-in objects that are listed; a CRM has products as well. */
const LISTED: Readonly<Record<Choice, readonly string[]>> = {
  nothing: [],
  crm: ['crm', 'catalog'],
  projects: ['work'],
};

export function StartEmpty({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const [choice, setChoice] = useState<Choice>('nothing');
  const { mutate, isPending, error } = useStart(
    () => void navigate({ to: '/$workspace/settings/model', params: { workspace } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate((document) => withListed(document, LISTED[choice]));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('start.empty')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <form onSubmit={submit}>
        <fieldset className={classes.choices}>
          <legend>{t('start.which')}</legend>
          {CHOICES.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="choice"
                data-autofocus={one === choice || undefined}
                checked={one === choice}
                onChange={() => setChoice(one)}
              />
              <span>
                <strong>{t(WORDS[one].name)}</strong>
                <span>{t(WORDS[one].text)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Text c="dimmed" my="md">
          {t('start.listedText')}
        </Text>
        {error !== null && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={isPending}>
            {t('start.begin')}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}

/** The built-in objects of these categories are listed, with a history and a trash; the others are not. */
export function withListed(
  document: DefinitionDocument,
  categories: readonly string[],
): DefinitionDocument {
  const types = Object.keys(document.objects).filter(isBuiltIn);
  return types.reduce((next, type) => {
    const isListed = categories.includes(document.objects[type]?.category ?? '');
    const listed = withValue(next, ['objects', type, 'listed'], isListed ? undefined : false);
    if (!isListed) return listed;
    const kept = withValue(listed, ['objects', type, 'history'], KEEPING.history);
    return withValue(kept, ['objects', type, 'trash'], KEEPING.trash);
  }, document);
}
