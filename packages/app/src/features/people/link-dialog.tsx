// A new one-time link for somebody who is there already: they have lost the first one, or forgotten the password.

import { Button, Modal } from '@mantine/core';
import type { ListedMember } from '@workspace-records/client';
import { useState } from 'react';
import { nameOfMember } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { useMakeLink } from './api.ts';
import { LinkLife } from './link-life.tsx';
import { LinkView } from './link-view.tsx';

interface LinkDialogProps {
  readonly person: ListedMember;
  readonly onClose: () => void;
}

export function LinkDialog({ person, onClose }: LinkDialogProps) {
  const t = useT();
  const { mutate, data: link, error, isPending } = useMakeLink(person.id);
  const [hours, setHours] = useState<number | null>(null);
  const name = nameOfMember(person);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('people.makeLink')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {link !== undefined ? (
        <LinkView name={name} link={link} onClose={onClose} />
      ) : (
        <>
          <p className={table.lead}>{t('people.makeLinkText', { name })}</p>
          <LinkLife withSignIn hours={hours} onChange={setHours} />
          {error !== null && <Problem error={error} />}
          <DialogButtons onClose={onClose}>
            <Button data-autofocus loading={isPending} onClick={() => mutate(hours)}>
              {t('people.makeLinkNow')}
            </Button>
          </DialogButtons>
        </>
      )}
    </Modal>
  );
}
