// A form for a new password. The service checks it; its message is shown at the field.

import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Client, isRecordsError, LIMITS } from '@workspace-records/client';
import { type FormEvent, useRef } from 'react';
import { useT } from '../lib/messages/index.ts';
import { problemText } from './problem.tsx';

interface SetPasswordProps {
  readonly client: Client;
  /** The address for password managers, which store a password with its name. */
  readonly email: string;
  readonly needsCurrent: boolean;
  /** Called with the number of other sessions that have ended. */
  readonly onSet: (endedSessions: number) => void;
}

export function SetPassword({ client, email, needsCurrent, onSet }: SetPasswordProps) {
  const t = useT();
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (passwords: Parameters<Client['sessions']['setPassword']>[0]) =>
      client.sessions.setPassword(passwords),
    onSuccess(ended) {
      form.current?.reset();
      onSet(ended);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [password, current] = ['new', 'current'].map((name) => String(data.get(name) ?? ''));
    mutate({ password: password ?? '', ...(current ? { current_password: current } : {}) });
  };
  const isCurrentWrong = isRecordsError(error) && error.param === 'current_password';
  const text =
    error === null ? undefined : isCurrentWrong ? t('password.wrong') : problemText(error, t);
  const toggle = { visibilityToggleButtonProps: { 'aria-label': t('signIn.showPassword') } };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="md">
        <input type="hidden" autoComplete="username" value={email} readOnly />
        {needsCurrent && (
          <PasswordInput
            {...toggle}
            name="current"
            label={t('password.current')}
            autoComplete="current-password"
            error={isCurrentWrong && text}
          />
        )}
        <PasswordInput
          {...toggle}
          name="new"
          label={t('password.new')}
          description={t('password.rule', { count: LIMITS.passwordLength.minimum })}
          autoComplete="new-password"
          minLength={LIMITS.passwordLength.minimum}
          required
          withAsterisk={false}
          error={!isCurrentWrong && text}
        />
        <Button type="submit" loading={isPending} style={{ alignSelf: 'start' }}>
          {t('password.set')}
        </Button>
      </Stack>
    </form>
  );
}
