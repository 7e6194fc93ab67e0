// The second factors of the person who has signed in: codes of an app, passkeys, recovery codes, which are shown once.

import '../lib/factor-texts.ts';
import { Button, Group, Stack } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Client, isRecordsError } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { useFormats } from '../lib/format.ts';
import { useT } from '../lib/messages/index.ts';
import { hasPasskeys, makePasskey } from '../lib/passkeys.ts';
import { deviceOf } from '../lib/user-agent.ts';
import { CopyButton } from './copy-button.tsx';
import { FactorInput } from './factor-input.tsx';
import { Problem } from './problem.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import classes from './second-factor.module.css';

interface SecondFactorProps {
  readonly workspace: string;
  readonly client: Client;
  /** Called when the person has seen the recovery codes of the first factor. */
  readonly onSetUp?: () => void;
}

function factorQuery({ workspace, client }: SecondFactorProps) {
  return queryOptions({
    queryKey: [workspace, 'second factor'],
    queryFn: ({ signal }) => client.secondFactor.get({ signal }),
  });
}

export function SecondFactor(props: SecondFactorProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  const { data: factors, error } = useQuery(factorQuery(props));
  if (error !== null) return <Problem error={error} />;
  if (factors === undefined) return null;
  const showCodes = (made: readonly string[] | null) => {
    if (made === null) props.onSetUp?.();
    else setCodes(made);
  };
  if (codes !== undefined) {
    const close = () => {
      setCodes(undefined);
      props.onSetUp?.();
    };
    return <RecoveryCodes codes={codes} onClose={close} />;
  }
  const hasOne = factors.code !== null || factors.passkeys.length > 0;
  return (
    <Stack gap={20}>
      <AppCodes {...props} factors={factors} onCodes={showCodes} />
      <Passkeys {...props} factors={factors} onCodes={showCodes} />
      {hasOne && <Left {...props} factors={factors} onCodes={showCodes} />}
    </Stack>
  );
}

interface PartProps extends SecondFactorProps {
  readonly factors: Awaited<ReturnType<Client['secondFactor']['get']>>;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

/** A change of the factors, which are read again afterwards. */
function useFactorChange<Given = void, Result = void>(
  props: SecondFactorProps,
  change: (given: Given) => Promise<Result>,
) {
  const queries = useQueryClient();
  const { queryKey } = factorQuery(props);
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

function AppCodes({ factors: { code }, onCodes, ...props }: PartProps) {
  const t = useT();
  const { ago } = useFormats();
  const { secondFactor } = props.client;
  const begin = useFactorChange(props, () => secondFactor.beginCodes());
  const remove = useFactorChange(props, () => secondFactor.removeCodes());
  const confirm = useFactorChange(props, async (given: string) => {
    onCodes((await secondFactor.confirmCodes(given)).recovery_codes);
    begin.reset();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    confirm.mutate(String(new FormData(event.currentTarget).get('code')));
  };
  const error = begin.error ?? confirm.error ?? remove.error;
  return (
    <div className={classes.part}>
      <h3>{t('factor.app')}</h3>
      <p>{code === null ? t('factor.off') : t('factor.since', { when: ago(code.created_at) })}</p>
      {error !== null && <Problem error={error} />}
      {begin.data === undefined ? (
        <Group align="flex-end" gap="sm">
          <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
            {t(code === null ? 'factor.setUp' : 'factor.replace')}
          </Button>
          {code !== null && (
            <Button variant="subtle" loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('factor.remove')}
            </Button>
          )}
        </Group>
      ) : (
        <form className={classes.part} onSubmit={submit}>
          <p>{t('factor.scan')}</p>
          <img
            className={classes.qr}
            alt={t('factor.qr')}
            src={`data:image/svg+xml,${encodeURIComponent(begin.data.qr_svg)}`}
          />
          <p className={classes.key}>
            {t('factor.key')} <code data-testid="secret">{begin.data.secret}</code>{' '}
            <CopyButton text={begin.data.secret} />
          </p>
          <Group align="flex-end" gap="sm">
            <FactorInput kind="code" />
            <Button type="submit" loading={confirm.isPending}>
              {t('factor.confirm')}
            </Button>
          </Group>
        </form>
      )}
    </div>
  );
}

function Passkeys({ factors: { passkeys }, onCodes, ...props }: PartProps) {
  const t = useT();
  const { secondFactor } = props.client;
  const add = useFactorChange(props, async () => {
    const options = await secondFactor.beginPasskey();
    const credential = await makePasskey(options);
    const { challenge } = options;
    const passkey = { challenge, name: nameHere(), credential };
    onCodes((await secondFactor.addPasskey(passkey)).recovery_codes);
  });
  return (
    <div className={classes.part}>
      <h3>{t('factor.passkeys')}</h3>
      {passkeys.length === 0 && <p>{t('factor.noPasskeys')}</p>}
      <ul className={classes.list}>
        {passkeys.map((passkey) => (
          <Passkey key={passkey.id} {...props} passkey={passkey} />
        ))}
      </ul>
      {add.error !== null &&
        (isRecordsError(add.error) ? (
          <Problem error={add.error} />
        ) : (
          <p role="alert">{t('factor.passkeyFailed')}</p>
        ))}
      {hasPasskeys() && (
        <Button variant="default" loading={add.isPending} onClick={() => add.mutate()}>
          {t('factor.addPasskey')}
        </Button>
      )}
    </div>
  );
}

/** The first name of a passkey is that of the browser. */
function nameHere(): string {
  const { browser = 'Passkey', system } = deviceOf(navigator.userAgent);
  return system === undefined ? browser : `${browser}, ${system}`;
}

interface PasskeyProps extends SecondFactorProps {
  readonly passkey: PartProps['factors']['passkeys'][number];
}

function Passkey({ passkey, ...props }: PasskeyProps) {
  const t = useT();
  const { ago } = useFormats();
  const { secondFactor } = props.client;
  const { id, name, last_used_at } = passkey;
  const remove = useFactorChange(props, () => secondFactor.removePasskey(id));
  const used =
    last_used_at === null ? t('factor.unused') : t('factor.used', { when: ago(last_used_at) });
  return (
    <li>
      <span>
        {name}, {used}
      </span>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('factor.remove')}
      </Button>
      {remove.error !== null && <Problem error={remove.error} />}
    </li>
  );
}

function Left({ factors, onCodes, ...props }: PartProps) {
  const t = useT();
  const renew = useFactorChange(props, async () => {
    onCodes((await props.client.secondFactor.makeRecoveryCodes()).recovery_codes);
  });
  return (
    <div className={classes.part}>
      <h3>{t('factor.recoveryCodes')}</h3>
      <p>{t('factor.left', { count: factors.recovery_codes })}</p>
      {renew.error !== null && <Problem error={renew.error} />}
      <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
        {t('factor.newCodes')}
      </Button>
    </div>
  );
}
