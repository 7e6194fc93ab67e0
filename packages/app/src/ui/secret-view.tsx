// A secret that is shown once: to be copied now, with examples of its use.

import { Alert, Button } from '@mantine/core';
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
    <div className={classes.view}>
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
      <div className={classes.buttons}>
        <Button onClick={onClose}>{t('secret.done')}</Button>
      </div>
    </div>
  );
}

export function Snippet({ caption, text }: { readonly caption: string; readonly text: string }) {
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>{caption}</figcaption>
      <pre className={classes.snippet}>{text}</pre>
    </figure>
  );
}
