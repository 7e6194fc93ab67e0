// A new key: its scopes and its life, then its secret, once.

import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Choice } from '../../ui/choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Snippet } from '../../ui/secret-view.tsx';
import type { Scope } from './api.ts';
import { KeyDialogFrame, type KeyDialogProps, type KeyFormProps } from './key-dialog-frame.tsx';
import classes from './keys-page.module.css';
import { FIRST_SCOPES, scopesFor } from './scopes.ts';
import { clientSnippet, curlSnippet } from './snippets.ts';

const BASE_URL = `${location.origin}/v1`;

export function NewKeyDialog(props: KeyDialogProps) {
  const t = useT();
  return (
    <KeyDialogFrame {...props} title={t('keys.new')} form={(asked) => <KeyFormView {...asked} />}>
      <Snippet caption={t('keys.withCurl')} text={curlSnippet(BASE_URL)} />
      <Snippet caption={t('keys.withClient')} text={clientSnippet(BASE_URL)} />
    </KeyDialogFrame>
  );
}

/** Days; a key that has an end is forgotten with less harm. */
const LIVES = ['30', '90', '365', 'never'] as const;
type Life = (typeof LIVES)[number];
const DAY = 86_400_000;

function KeyFormView({ isSending, error, onSend }: KeyFormProps) {
  const t = useT();
  const { number } = useFormats();
  const [scopes, setScopes] = useState<readonly Scope[]>(FIRST_SCOPES);
  const [life, setLife] = useState<Life>('90');
  const [isAsking, setAsking] = useState(false);
  const days = (count: number) => t('keys.days', { count });
  const lives = { 30: days(30), 90: days(90), 365: days(365), never: t('keys.never') };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const rate = String(form.get('rate')).trim();
    onSend({
      name: String(form.get('name')).trim(),
      scopes,
      ...(isAsking ? { gates: false } : {}),
      expires_at: life === 'never' ? null : new Date(Date.now() + Number(life) * DAY).toISOString(),
      requests_per_minute: rate === '' ? null : Number(rate),
    });
  };
  return (
    <Stack gap="lg" renderRoot={(props) => <form {...props} onSubmit={submit} />}>
      <TextInput
        name="name"
        label={t('keys.name')}
        description={t('keys.nameText')}
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      <ScopesField scopes={scopes} onChange={setScopes} />
      <label className={classes.scope}>
        <input
          type="checkbox"
          checked={isAsking}
          onChange={({ currentTarget }) => setAsking(currentTarget.checked)}
        />
        <span>{t('keys.asking')}</span>
      </label>
      <div className={classes.pair}>
        <Choice label={t('keys.life')} options={lives} value={life} onChange={setLife} />
        <TextInput
          name="rate"
          type="number"
          min={1}
          max={1_000_000}
          label={t('keys.rate')}
          placeholder={number(300)}
        />
      </div>
      {error !== null && <Problem error={error} />}
      <Group wrap="nowrap" justify="flex-end" gap="sm" mt={20}>
        <Button type="submit" loading={isSending} disabled={scopes.length === 0}>
          {t('keys.make')}
        </Button>
      </Group>
    </Stack>
  );
}

interface ScopesFieldProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function ScopesField({ scopes, onChange }: ScopesFieldProps) {
  const t = useT();
  const { data: access } = useSuspenseQuery(accessQuery(useSession()));
  return (
    <fieldset className={classes.scopes}>
      <legend>{t('keys.scopes')}</legend>
      <p className={classes.small}>{t('keys.scopesText')}</p>
      {scopesFor(access).map(({ scope, text }) => (
        <label key={scope} className={classes.scope}>
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={({ currentTarget }) => {
              const others = scopes.filter((one) => one !== scope);
              onChange(currentTarget.checked ? [...others, scope] : others);
            }}
          />
          <code>{scope}</code>
          <span>{t(text)}</span>
        </label>
      ))}
    </fieldset>
  );
}
