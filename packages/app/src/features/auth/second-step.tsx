// The second step of a sign-in: a code, a passkey or a recovery code, whatever the person has.

import '../../lib/factor-texts.ts';
import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Endpoints, isRecordsError, type RecordsError } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { plainClientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { announcePerson } from '../../lib/other-session.ts';
import { askPasskey, hasPasskeys } from '../../lib/passkeys.ts';
import { FactorInput } from '../../ui/factor-input.tsx';
import { problemText } from '../../ui/problem.tsx';
import classes from './password-form.module.css';

type Kind = 'code' | 'passkey' | 'recovery_code';
type Factor = Pick<Endpoints['createSession']['body'], 'code' | 'recovery_code' | 'assertion'>;

interface Details {
  readonly challenge: string;
  readonly kinds: readonly Kind[];
  readonly passkey?: object;
}

interface SecondStepProps {
  /** The answer to the first step. */
  readonly asked: RecordsError;
  readonly onSignedIn: () => void | Promise<void>;
  readonly onBack: () => void;
}

export function SecondStep({ asked, onSignedIn, onBack }: SecondStepProps) {
  const t = useT();
  const { challenge, kinds, passkey } = asked.details as unknown as Details;
  const usable = kinds.filter((one) => one !== 'passkey' || hasPasskeys());
  const [kind, setKind] = useState<Kind>(usable[0] ?? 'recovery_code');
  const { mutate, isPending, error, reset } = useMutation({
    async mutationFn(given: Factor | undefined) {
      const factor = given ?? { assertion: await askPasskey(passkey ?? {}) };
      announcePerson(await plainClientOf().sessions.signIn({ challenge, ...factor }));
      await onSignedIn();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get(kind) ?? '').trim();
    if (text !== '') mutate({ [kind]: text });
  };
  const choose = (next: Kind) => {
    setKind(next);
    reset();
    if (next === 'passkey') mutate(undefined);
  };
  return (
    <form className={classes.form} onSubmit={submit} aria-label={t('factor.step')}>
      {error !== null && (
        <Alert color="red" variant="light" role="alert" p="sm">
          {isRecordsError(error) ? refusalText(error, t) : t('factor.passkeyFailed')}
        </Alert>
      )}
      {kind === 'passkey' ? (
        <Button size="sm" loading={isPending} data-autofocus onClick={() => mutate(undefined)}>
          {t('factor.usePasskey')}
        </Button>
      ) : (
        <>
          <FactorInput key={kind} kind={kind} />
          <Button type="submit" size="sm" loading={isPending}>
            {t('factor.continue')}
          </Button>
        </>
      )}
      {usable
        .filter((one) => one !== kind)
        .map((one) => (
          <Button key={one} variant="subtle" size="sm" onClick={() => choose(one)}>
            {t(OTHERS[one])}
          </Button>
        ))}
      <Button variant="subtle" size="sm" onClick={onBack}>
        {t('factor.back')}
      </Button>
    </form>
  );
}

const OTHERS = {
  code: 'factor.useCode',
  passkey: 'factor.usePasskey',
  recovery_code: 'factor.useRecovery',
} as const;

function refusalText(error: RecordsError, t: ReturnType<typeof useT>): string {
  const isWrong = isRecordsError(error, 'invalid_credentials');
  return isWrong ? t('factor.wrong') : problemText(error, t);
}
