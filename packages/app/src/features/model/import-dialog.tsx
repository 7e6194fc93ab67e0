// A definition file into the draft: where the file is the whole definition, what it does not have is removed.

import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useDefinition } from '../../lib/definition/draft.ts';
import { editsToStored } from '../../lib/definition/edits.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { documentOf, readFile } from './import-file.ts';
import classes from './model.module.css';

type Meaning = 'whole' | 'part';

export default function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const [file, setFile] = useState<File>();
  const [meaning, setMeaning] = useState<Meaning>('whole');
  const { mutate, data: problem, error, isPending } = useImport(onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file !== undefined) mutate({ file, meaning });
  };
  const meanings: readonly Meaning[] = ['whole', 'part'];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('model.importTitle')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack onSubmit={submit} component="form" gap={14}>
        <Stack component="label" gap={6} fw={500}>
          <span>{t('model.importFile')}</span>
          <input
            type="file"
            accept=".yaml,.yml,.json"
            data-autofocus
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
          />
        </Stack>
        <fieldset className={classes.choices}>
          <legend>{t('model.importMeaning')}</legend>
          {meanings.map((one) => (
            <label key={one} className={classes.check}>
              <input
                type="radio"
                name="meaning"
                checked={meaning === one}
                onChange={() => setMeaning(one)}
              />
              {t(one === 'whole' ? 'model.importWhole' : 'model.importPart')}
            </label>
          ))}
        </fieldset>
        <p className={classes.hint}>{t('model.importText')}</p>
        {typeof problem === 'string' && (
          <Text c="var(--red)" fz="xs" role="alert">
            {t('model.importBad', { problem })}
          </Text>
        )}
        {error !== null && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" disabled={file === undefined} loading={isPending}>
            {t('model.importNow')}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}

interface Import {
  readonly file: File;
  readonly meaning: Meaning;
}

/** Answers the problem of a file that cannot be read. */
function useImport(onClose: () => void) {
  const t = useT();
  const { workspace, client } = useSession();
  const navigate = useNavigate();
  const { present, edits: before, replace } = useDefinition();
  return useMutation({
    async mutationFn({ file, meaning }: Import): Promise<string | undefined> {
      const read = readFile(await file.text());
      if ('problem' in read) return read.problem;
      const over = meaning === 'part' ? present.stored : await loadBase();
      const edits = editsToStored(present, documentOf(over, read.patch));
      onClose();
      if (edits.length === 0) {
        showToast({ text: t('model.importSame') });
        return undefined;
      }
      replace(edits);
      if (before.length > 0) showToast({ text: t('draft.replaced'), undo: () => replace(before) });
      void navigate({ to: '/$workspace/settings/plans/review', params: { workspace } });
      return undefined;
    },
  });

  /** A definition file is a patch over it. */
  async function loadBase(): Promise<unknown> {
    const { document } = await client.definition.get({ form: 'base' });
    return document;
  }
}
