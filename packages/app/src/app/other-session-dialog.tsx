// Covers the page when another person has signed in: this tab no longer writes in their name.

import { Button, Modal } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import { forgetSession } from '../lib/storage.ts';

export default function OtherSessionDialog({ name }: { readonly name: string }) {
  const t = useT();
  const startAgain = () => {
    forgetSession();
    location.reload();
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
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
