// Recovery codes, shown once: to be copied or kept as a file now.

import '../lib/factor-texts.ts';
import { Alert, Button, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useT } from '../lib/messages/index.ts';
import { saveFile } from '../lib/save-file.ts';
import { Icon } from './icon.tsx';
import classes from './second-factor.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const t = useT();
  const { copy, copied } = useClipboard();
  const text = `${codes.join('\n')}\n`;
  const download = () => saveFile('recovery-codes.txt', new Blob([text], { type: 'text/plain' }));
  return (
    <div className={classes.part}>
      <h3>{t('factor.recoveryCodes')}</h3>
      <Alert variant="light" color="yellow" icon={<Icon name="warning" />} p="sm">
        {t('factor.codesText')}
      </Alert>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group align="flex-end" gap="sm">
        <Button variant="default" onClick={() => copy(text)}>
          {t(copied ? 'factor.copied' : 'factor.copy')}
        </Button>
        <Button variant="default" onClick={download}>
          {t('factor.download')}
        </Button>
        <Button onClick={onClose}>{t('factor.done')}</Button>
      </Group>
    </div>
  );
}
