// The secret of a new key, to be copied now, and how it is tried.

import { Alert, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './keys-page.module.css';
import { clientSnippet, curlSnippet } from './snippets.ts';

interface SecretViewProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function SecretView({ secret, onClose }: SecretViewProps) {
  const t = useT();
  const { copy, copied } = useClipboard();
  const baseUrl = `${location.origin}/v1`;
  return (
    <div className={classes.form}>
      <Alert variant="light" color="yellow" icon={<Icon name="warning" />} p="sm">
        {t('keys.once')}
      </Alert>
      <div className={classes.secret}>
        <code data-testid="secret">{secret}</code>
        <Button
          variant="default"
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          data-autofocus
          onClick={() => copy(secret)}
        >
          {copied ? t('keys.copied') : t('keys.copy')}
        </Button>
      </div>
      <Snippet caption={t('keys.withCurl')} text={curlSnippet(baseUrl)} />
      <Snippet caption={t('keys.withClient')} text={clientSnippet(baseUrl)} />
      <div className={classes.buttons}>
        <Button onClick={onClose}>{t('keys.done')}</Button>
      </div>
    </div>
  );
}

function Snippet({ caption, text }: { readonly caption: string; readonly text: string }) {
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>{caption}</figcaption>
      <pre className={classes.snippet}>{text}</pre>
    </figure>
  );
}
