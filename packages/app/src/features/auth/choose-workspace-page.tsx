// `/app` without a workspace: a person with one session continues in it, others choose a workspace.

import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { isRecordsError, WORKSPACE_SLUG_PATTERN } from '@workspace-records/client';
import type { FormEvent } from 'react';
import { plainClientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { readSetting } from '../../lib/storage.ts';
import { AuthFrame } from './auth-frame.tsx';
import classes from './password-form.module.css';
import { Refusal } from './refusal.tsx';

/** The pattern for an attribute, which browsers read with the flag `v`. */
const SLUG = WORKSPACE_SLUG_PATTERN.slice(1, -1).replace('9-]', '9\\-]');

export default function ChooseWorkspacePage() {
  const t = useT();
  const navigate = useNavigate();
  const { authorize } = useSearch({ strict: false });
  const { data: only, isPending } = useQuery({ queryKey: ['only session'], queryFn: findOnly });
  if (isPending) return null;
  if (only) return <Navigate {...nextPage(only, authorize)} replace />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const workspace = String(new FormData(event.currentTarget).get('workspace')).trim();
    void navigate(nextPage(workspace, authorize));
  };
  return (
    <AuthFrame title={t('choose.title')}>
      <Refusal />
      <p>{t('choose.text')}</p>
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          name="workspace"
          label={t('choose.workspace')}
          defaultValue={readSetting('workspace') ?? ''}
          pattern={SLUG}
          title={t('choose.form')}
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
        />
        <Button type="submit" size="sm">
          {t('choose.go')}
        </Button>
      </form>
    </AuthFrame>
  );
}

/** The start of a workspace, or its page of consent for a program that has sent the browser. */
function nextPage(workspace: string, authorize: string | undefined) {
  const params = { workspace };
  return authorize === undefined
    ? ({ to: '/$workspace', params } as const)
    : ({ to: '/$workspace/authorize', params, search: { authorize } } as const);
}

/** The workspace of the only session; null with none, and with several, which the service refuses to choose from. */
async function findOnly(): Promise<string | null> {
  try {
    return (await plainClientOf().sessions.me()).workspace.slug;
  } catch (error) {
    if (isRecordsError(error)) return null;
    throw error;
  }
}
