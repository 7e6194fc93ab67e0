// A one-time link: to be copied and sent, until when, and what it is for.

import { Button, Group, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import table from '../../ui/settings-table.module.css';
import type { SignInLink } from './api.ts';
import classes from './people.module.css';

interface LinkViewProps {
  readonly name: string;
  readonly link: SignInLink;
  readonly onClose: () => void;
}

export function LinkView({ name, link, onClose }: LinkViewProps) {
  const t = useT();
  const { moment } = useFormats();
  const { copy, copied } = useClipboard();
  return (
    <>
      <p className={table.lead}>{t('people.linkText', { name })}</p>
      <div className={classes.link}>
        <TextInput
          aria-label={t('people.link')}
          value={link.url}
          readOnly
          data-testid="link"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          data-autofocus
          onClick={() => copy(link.url)}
        >
          {copied ? t('secret.copied') : t('people.copyLink')}
        </Button>
      </div>
      <Text c="dimmed" fz="xs" mt="sm">
        {t('people.linkEnds', { moment: moment(link.expires_at) })} {t('people.linkOnce')}{' '}
        {link.mailed && t('people.linkMailed')}
      </Text>
      <Group justify="flex-end" gap="sm" mt={20}>
        <Button variant="default" onClick={onClose}>
          {t('secret.done')}
        </Button>
      </Group>
    </>
  );
}
