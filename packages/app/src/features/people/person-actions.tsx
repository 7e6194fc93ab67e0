// Actions on a person as a whole: view as, a one-time link, deactivate and reactivate.

import { Button, Modal } from '@mantine/core';
import type { ListedMember } from '@workspace-records/client';
import { useState } from 'react';
import { startViewing } from '../../actions/viewing.ts';
import { nameOfMember } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem, problemText } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { showToast } from '../../ui/toast.ts';
import { useChangePerson } from './api.ts';
import { LinkDialog } from './link-dialog.tsx';

interface OfPerson {
  readonly person: ListedMember;
}

export function PersonActions({ person }: OfPerson) {
  const t = useT();
  const [dialog, setDialog] = useState<'link' | 'deactivate'>();
  const close = () => setDialog(undefined);
  const session = useSession();
  if (!person.active) return <Reactivate person={person} />;
  return (
    <>
      {person.id !== session.me.user.id && (
        <Button variant="default" onClick={() => void startViewing(session, person.id)}>
          {t('viewing.start')}
        </Button>
      )}
      {person.kind === 'user' && (
        <Button variant="default" onClick={() => setDialog('link')}>
          {t('people.makeLink')}
        </Button>
      )}
      <Button variant="default" onClick={() => setDialog('deactivate')}>
        {t('people.deactivate')}
      </Button>
      {dialog === 'link' && <LinkDialog person={person} onClose={close} />}
      {dialog === 'deactivate' && <DeactivateDialog person={person} onClose={close} />}
    </>
  );
}

function Reactivate({ person }: OfPerson) {
  const t = useT();
  const { mutate, isPending } = useChangePerson(person.id, () =>
    showToast({ text: t('people.activated', { name: nameOfMember(person) }) }),
  );
  const activate = () =>
    mutate(
      { active: true },
      { onError: (error) => showToast({ text: problemText(error, t), isProblem: true }) },
    );
  return (
    <Button loading={isPending} onClick={activate}>
      {t('people.activate')}
    </Button>
  );
}

function DeactivateDialog({ person, onClose }: OfPerson & { readonly onClose: () => void }) {
  const t = useT();
  const name = nameOfMember(person);
  const { mutate, error, isPending } = useChangePerson(person.id, () => {
    showToast({ text: t('people.deactivated', { name }) });
    onClose();
  });
  const deactivate = () => mutate({ active: false });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('people.deactivateTitle', { name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <p className={table.lead}>{t('people.deactivateText', { name })}</p>
      {error !== null && <Problem error={error} />}
      <DialogButtons beginsWithCancel onClose={onClose}>
        <Button color="red" loading={isPending} onClick={deactivate}>
          {t('people.deactivate')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
