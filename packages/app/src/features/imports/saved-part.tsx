// Saved plans: one is used, saved under a name, deleted, or downloaded for the command line.

import { ActionIcon, Button, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Table } from '../../../../tables/src/reading.ts';
import { useT } from '../../lib/messages/index.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type ImportDraft, startDraft, type Target } from './import-draft.ts';
import classes from './imports.module.css';
import { mappingOf } from './mapping-document.ts';
import { applySaved, deleteMapping, savedMappings, saveMapping } from './saved-mappings.ts';

interface SavedPartProps {
  readonly target: Target;
  readonly table: Table;
  readonly draft: ImportDraft;
  readonly onChange: (draft: ImportDraft) => void;
}

export function SavedPart({ target, table, draft, onChange }: SavedPartProps) {
  const t = useT();
  const { workspace, me } = useSession();
  const [isNaming, setNaming] = useState(false);
  const { object } = target;
  const place = { workspace, userId: me.user.id, object };
  const [saved, setSaved] = useState(() => savedMappings(place));
  const named = saved.filter(({ name }) => name !== '');
  const again = () => setSaved(savedMappings(place));
  const download = () => downloadMapping(target, draft, table);
  return (
    <>
      <Menu position="bottom-end" width="17rem">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="chevron" size={12} />}>
            {t('import.mapping')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {named.length > 0 && <Menu.Label>{t('import.useSaved')}</Menu.Label>}
          {named.map((one) => (
            <Menu.Item
              key={one.name}
              onClick={() =>
                onChange(applySaved(target, { started: startDraft(target, table), table }, one))
              }
            >
              {one.name}
            </Menu.Item>
          ))}
          {named.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setNaming(true)}>{t('import.saveMapping')}</Menu.Item>
          <Menu.Item onClick={() => onChange(startDraft(target, table))}>
            {t('import.matchAgain')}
          </Menu.Item>
          <Menu.Item onClick={download}>{t('import.downloadMapping')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameDialog
          names={named.map(({ name }) => name)}
          onSave={(name) => {
            saveMapping(place, { name, draft });
            again();
            setNaming(false);
          }}
          onDelete={(name) => {
            deleteMapping(place, name);
            again();
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

function downloadMapping(target: Target, draft: ImportDraft, table: Table): void {
  const mapping = mappingOf(target, draft, table);
  const content = new Blob([`${JSON.stringify(mapping, null, 2)}\n`], { type: 'application/json' });
  saveFile(`${target.object.object_type}.mapping.json`, content);
}

interface NameDialogProps {
  readonly names: readonly string[];
  readonly onSave: (name: string) => void;
  readonly onDelete: (name: string) => void;
  readonly onClose: () => void;
}

function NameDialog({ names, onSave, onDelete, onClose }: NameDialogProps) {
  const t = useT();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('import.saveMapping')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack component="form" onSubmit={submit}>
        <Text c="dimmed">{t('import.savedHere')}</Text>
        <TextInput
          data-autofocus
          label={t('import.mappingName')}
          maxLength={80}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {names.length > 0 && (
          <ul className={classes.names} aria-label={t('import.useSaved')}>
            {names.map((one) => (
              <li key={one}>
                {one}
                <ActionIcon
                  aria-label={t('import.deleteMapping', { name: one })}
                  onClick={() => onDelete(one)}
                >
                  <Icon name="trash" size={14} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        <DialogButtons onClose={onClose}>
          <Button type="submit" disabled={name.trim() === ''}>
            {t('record.save')}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}
