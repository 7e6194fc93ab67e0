// The page to which programs of others send the browser: who asks, for what, and the consent of the person. The service
// judges the request; nothing is sent to the program before the person chooses.

import '../../lib/agent-texts.ts';
import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Choice } from '../../ui/choice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type Asked, authorizationQuery, type Scope, useGrant } from './api.ts';
import classes from './consent-page.module.css';
import { scopeText } from './scopes.ts';

export default function ConsentPage() {
  const t = useT();
  const { authorize: query = '' } = useSearch({ strict: false });
  const { data: authorization, error } = useQuery(authorizationQuery(useSession(), query));
  return (
    <Page title={t('consent.title')}>
      <div className={classes.consent}>
        {error !== null && <Problem error={error} />}
        {authorization !== undefined && (
          <Request key={authorization.digest} query={query} asked={authorization} />
        )}
      </div>
    </Page>
  );
}

interface RequestProps {
  readonly query: string;
  readonly asked: Asked;
}

function Request({ query, asked }: RequestProps) {
  const t = useT();
  const { client, returns_to, refusal, declined_url } = asked;
  const returnsTo = returns_to ?? t('consent.thisComputer');
  return (
    <>
      <div>
        <div className={classes.host}>{client.host ?? returnsTo}</div>
        <p>{t(CALLED[client.kind], { name: client.name })}</p>
        {client.host !== null && client.host !== returns_to && (
          <p>{t('consent.returnsTo', { place: returnsTo })}</p>
        )}
      </div>
      {refusal === null ? (
        <Choices query={query} asked={asked} />
      ) : (
        <>
          <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
            {t('consent.refused', { reason: refusal })}
          </Alert>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" component="a" href={declined_url}>
              {t('consent.back')}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}

/** How sure the name of a client is. */
const CALLED = {
  document: 'consent.calledByAddress',
  registered: 'consent.calledByItself',
  entered: 'consent.calledByAdministrator',
} as const;

const LIVES = [1, 7, 30, 90] as const;

function Choices({ query, asked }: RequestProps) {
  const t = useT();
  const { me } = useSession();
  const { mutate, error, isPending, isSuccess } = useGrant(query);
  const reading = asked.scopes.filter((scope) => scope.endsWith(':read'));
  const writing = asked.scopes.filter((scope) => !scope.endsWith(':read'));
  const [write, setWrite] = useState(false);
  const [days, setDays] = useState('30');
  const lives = Object.fromEntries(
    LIVES.map((count) => [String(count), t('keys.days', { count })]),
  );
  if (isSuccess) return <p role="status">{t('consent.given')}</p>;
  return (
    <>
      <p>{t('consent.asYou', { workspace: me.workspace.name, person: me.user.email ?? '' })}</p>
      {reading.length > 0 && (
        <div>
          {t('consent.may')}
          <Sentences scopes={reading} />
        </div>
      )}
      {writing.length > 0 && (
        <Group component="label" align="baseline" wrap="nowrap" gap="sm">
          <input
            type="checkbox"
            checked={write}
            onChange={({ currentTarget }) => setWrite(currentTarget.checked)}
          />
          <span>
            {t('consent.write')}
            <Sentences scopes={writing} />
          </span>
        </Group>
      )}
      <Choice label={t('keys.life')} options={lives} value={days} onChange={setDays} />
      <p>{t('consent.never')}</p>
      {error !== null && <Problem error={error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" component="a" href={asked.declined_url}>
          {t('consent.decline')}
        </Button>
        <Button
          loading={isPending}
          disabled={reading.length === 0 && !write}
          onClick={() => mutate({ digest: asked.digest, write, days: Number(days) })}
        >
          {t('consent.give')}
        </Button>
      </Group>
    </>
  );
}

function Sentences({ scopes }: { readonly scopes: readonly Scope[] }): ReactNode {
  const t = useT();
  return (
    <ul className={classes.sentences}>
      {scopes.map((scope) => (
        <li key={scope}>{t(scopeText(scope))}</li>
      ))}
    </ul>
  );
}
