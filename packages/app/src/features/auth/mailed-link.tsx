// A link to sign in with, sent by mail. The answer does not say whether the address belongs to somebody.

import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { plainClientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { Problem } from '../../ui/problem.tsx';
import classes from './password-form.module.css';

export function MailedLink({ workspace }: { readonly workspace: string }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending, isSuccess, error, variables } = useMutation({
    mutationFn: (email: string) => plainClientOf().sessions.mailLink({ workspace, email }),
  });
  if (isSuccess) return <p role="status">{t('signIn.mailed', { email: variables })}</p>;
  if (!isOpen) {
    return (
      <Button variant="default" fullWidth onClick={() => setOpen(true)}>
        {t('signIn.mailMe')}
      </Button>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim();
    if (email !== '') mutate(email);
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <p>{t('signIn.mailText')}</p>
      {error !== null && <Problem error={error} />}
      <TextInput
        name="email"
        type="email"
        label={t('signIn.email')}
        autoComplete="email"
        autoFocus
        required
        withAsterisk={false}
      />
      <Button type="submit" variant="default" loading={isPending}>
        {t('signIn.mailSend')}
      </Button>
    </form>
  );
}
