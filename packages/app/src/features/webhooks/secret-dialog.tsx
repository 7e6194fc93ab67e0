// The secret of a new webhook, or another one after a rotation: shown once, with a hint how requests are verified.

import { Modal, Text } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import { SecretView, Snippet } from '../../ui/secret-view.tsx';

/** An example without the secret: examples are copied into files. */
const VERIFY = `import { verifyWebhook } from '@workspace-records/client/webhooks';

const message = await verifyWebhook(
  request.headers,
  body, // as it came, before parsing
  process.env.WEBHOOK_SECRET,
);`;

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

export function SecretDialog({ title, secret, onClose }: SecretDialogProps) {
  const t = useT();
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      title={title}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <SecretView secret={secret} onClose={onClose}>
        <Snippet caption={t('webhooks.verify')} text={VERIFY} />
        <Text c="dimmed" fz="xs" mt="-sm">
          {t('webhooks.verifyText')}
        </Text>
      </SecretView>
    </Modal>
  );
}
