// Another key for an object, a status or a relationship, with what it keeps and what clients notice.

import { Button, Modal, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { nameAt } from '../lib/definition/changes.ts';
import type { Path } from '../lib/definition/document.ts';
import { useDefinition } from '../lib/definition/draft.ts';
import { renameEntry } from '../lib/definition/rename.ts';
import { keyProblem } from '../lib/definition/rename-words.ts';
import { useT } from '../lib/messages/index.ts';
import { DialogButtons } from './dialog-buttons.tsx';
import { KeyInput } from './key-input.tsx';

export interface KeyDialogProps {
  /** The path of the entry. */
  readonly path: Path;
  readonly onClose: () => void;
}

export default function KeyDialog({ path, onClose }: KeyDialogProps) {
  const t = useT();
  const { document, present, change } = useDefinition();
  const [key, setKey] = useState(path.at(-1) ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (keyProblem(document, path, key) !== undefined) return;
    change((now) => renameEntry(now, present.document, path, key));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('rename.title', { name: nameAt([document], path) })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack onSubmit={submit} component="form" gap={14}>
        <KeyInput path={path} value={key} onChange={setKey} />
        <DialogButtons onClose={onClose}>
          <Button type="submit">{t('rename.now')}</Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}
