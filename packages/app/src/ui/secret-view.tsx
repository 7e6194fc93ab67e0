// A secret that is shown once: to be copied now, with examples of its use.

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useT } from '../lib/messages/index.ts';
import { Icon } from './icon.tsx';
import classes from './secret-view.module.css';

interface SecretViewProps {
  readonly secret: string;
  readonly onClose: () => void;
  /** The instructions below the secret. */
  readonly children: ReactNode;
}

export function SecretView({ secret, onClose, children }: SecretViewProps) {
  const t = useT();
  const { copy, copied } = useClipboard();
  return (
    <Stack gap="lg">
      <Alert variant="light" color="yellow" icon={<Icon name="warning" />} p="sm">
        {t('secret.once')}
      </Alert>
      <div className={classes.secret}>
        <code data-testid="secret">{secret}</code>
        <Button
          variant="default"
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          data-autofocus
          onClick={() => copy(secret)}
        >
          {copied ? t('secret.copied') : t('secret.copy')}
        </Button>
      </div>
      {children}
      <Group wrap="nowrap" justify="flex-end" gap={0} mt="xs">
        <Button onClick={onClose}>{t('secret.done')}</Button>
      </Group>
    </Stack>
  );
}

export function Snippet({ caption, text }: { readonly caption: string; readonly text: string }) {
  return (
    <figure className={classes.figure}>
      <Text component="figcaption" fz="xs" fw={500} mb="xs">
        {caption}
      </Text>
      <pre className={classes.snippet}>{text}</pre>
    </figure>
  );
}
