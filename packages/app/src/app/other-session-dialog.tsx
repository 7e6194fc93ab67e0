// Covers the page when another person has signed in: this tab no longer writes in their name.

import { Button, Modal } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import { useOtherPerson } from '../lib/other-session.ts';
import { forgetSession } from '../lib/storage.ts';

export function OtherSessionDialog() {
  const t = useT();
  const person = useOtherPerson();
  if (person === undefined) return null;
  const { name } = person;
  const startAgain = () => {
    forgetSession();
    location.reload();
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title={t('other.title')}
      zIndex={460}
    >
      <p>{t('other.text', { name })}</p>
      <Button data-autofocus onClick={startAgain}>
        {t('other.continue', { name })}
      </Button>
    </Modal>
  );
}
