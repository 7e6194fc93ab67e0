// Additional headers. The values of stored ones are never read again: they stay as they are, or all are replaced.

import { ActionIcon, Button, TextInput } from '@mantine/core';
import { LIMITS } from '@workspace-records/client';
import { useRef } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import type { HeaderDraft } from './webhook-draft.ts';
import classes from './webhook-form.module.css';

interface HeadersFieldProps {
  /** Names of those that are stored. */
  readonly stored: readonly string[];
  /** Undefined: the stored ones stay. */
  readonly headers: readonly HeaderDraft[] | undefined;
  readonly onChange: (headers: readonly HeaderDraft[] | undefined) => void;
}

export function HeadersField({ stored, headers, onChange }: HeadersFieldProps) {
  const t = useT();
  if (headers !== undefined) return <Headers {...{ stored, headers, onChange }} />;
  return (
    <div className={classes.stored}>
      <span>{t('webhooks.headersStored', { names: stored.join(', ') })}</span>
      <Button variant="default" onClick={() => onChange([])}>
        {t('webhooks.headersReplace')}
      </Button>
    </div>
  );
}

interface HeadersProps extends HeadersFieldProps {
  readonly headers: readonly HeaderDraft[];
}

function Headers({ stored, headers, onChange }: HeadersProps) {
  const t = useT();
  const added = useRef(headers.length);
  const add = () => {
    added.current += 1;
    onChange([...headers, { id: added.current, name: '', value: '' }]);
  };
  return (
    <>
      {headers.map((header, index) => (
        <div key={header.id} className={classes.header}>
          <TextInput
            aria-label={t('webhooks.headerName')}
            placeholder={t('webhooks.headerName')}
            value={header.name}
            autoComplete="off"
            onChange={({ currentTarget }) =>
              onChange(headers.with(index, { ...header, name: currentTarget.value }))
            }
          />
          <TextInput
            aria-label={t('webhooks.headerValue')}
            placeholder={t('webhooks.headerValue')}
            value={header.value}
            autoComplete="off"
            onChange={({ currentTarget }) =>
              onChange(headers.with(index, { ...header, value: currentTarget.value }))
            }
          />
          <ActionIcon
            aria-label={t('webhooks.headerRemove')}
            onClick={() => onChange(headers.filter(({ id }) => id !== header.id))}
          >
            <Icon name="close" size={12} />
          </ActionIcon>
        </div>
      ))}
      <div className={classes.row}>
        {headers.length < LIMITS.webhookHeaders && (
          <Button variant="default" leftSection={<Icon name="plus" size={12} />} onClick={add}>
            {t('webhooks.headerAdd')}
          </Button>
        )}
        {stored.length > 0 && (
          <Button variant="subtle" color="gray" onClick={() => onChange(undefined)}>
            {t('webhooks.headersKeep')}
          </Button>
        )}
      </div>
    </>
  );
}
