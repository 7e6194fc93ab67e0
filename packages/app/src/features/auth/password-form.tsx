// E-mail address and password. A refusal does not show which of the two was wrong; after too many the waiting time is
// counted down.

import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';
import { type FormEvent, useEffect, useState } from 'react';
import { plainClientOf } from '../../lib/connection.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { announcePerson } from '../../lib/other-session.ts';
import { problemText } from '../../ui/problem.tsx';
import classes from './password-form.module.css';
import { SecondStep } from './second-step.tsx';

interface PasswordFormProps {
  readonly workspace: string;
  /** The person is known: somebody who signs in again. */
  readonly email?: string | undefined;
  readonly onSignedIn: () => void | Promise<void>;
}

export function PasswordForm({ workspace, email, onSignedIn }: PasswordFormProps) {
  const t = useT();
  const [seconds, lock] = useCountdown();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (form: { readonly email: string; readonly password: string }) => {
      announcePerson(await plainClientOf().sessions.signIn({ workspace, ...form }));
      await onSignedIn();
    },
    onError(failure) {
      if (isRecordsError(failure, 'rate_limited')) lock(failure.retryAfter ?? 60);
    },
  });
  if (isRecordsError(error, 'second_factor_required')) {
    return <SecondStep asked={error} onSignedIn={onSignedIn} onBack={reset} />;
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [name, password] = [form.get('username'), form.get('password')].map(String);
    if (name && password) mutate({ email: name.trim(), password });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <Refusal error={error} seconds={seconds} />
      <TextInput
        name="username"
        type="email"
        label={t('signIn.email')}
        autoComplete="username"
        required
        withAsterisk={false}
        {...(email === undefined ? { 'data-autofocus': true } : { value: email, readOnly: true })}
      />
      <PasswordInput
        name="password"
        label={t('signIn.password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        data-autofocus={email === undefined ? undefined : true}
      />
      <Button type="submit" size="sm" loading={isPending} disabled={seconds > 0}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
}

interface RefusalProps {
  readonly error: unknown;
  /** The seconds until the next attempt is judged. */
  readonly seconds: number;
}

function Refusal({ error, seconds }: RefusalProps) {
  const t = useT();
  const { number } = useFormats();
  if (error === null) return null;
  const two = { minimumIntegerDigits: 2 };
  const time = `${number(Math.floor(seconds / 60))}:${number(seconds % 60, two)}`;
  const text = (() => {
    if (isRecordsError(error, 'rate_limited')) {
      return seconds > 0 ? t('signIn.locked', { time }) : t('signIn.unlocked');
    }
    if (isRecordsError(error, 'invalid_credentials')) return t('signIn.wrong');
    return problemText(error, t);
  })();
  return (
    <Alert color="red" variant="light" role="alert" p="sm">
      {text}
    </Alert>
  );
}

function useCountdown(): readonly [seconds: number, start: (seconds: number) => void] {
  const [end, setEnd] = useState(0);
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(0, Math.ceil((end - now) / 1000));
  const isRunning = seconds > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = (length: number) => {
    setNow(Date.now());
    setEnd(Date.now() + length * 1000);
  };
  return [seconds, start];
}
