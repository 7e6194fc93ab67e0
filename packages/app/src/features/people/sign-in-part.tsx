// How somebody signs in, and where they are signed in; of an agent its keys.

import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedMember } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { problemText } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { showToast } from '../../ui/toast.ts';
import { sessionsOfQuery, useEndSessions } from './api.ts';
import { OpenLinks } from './open-links.tsx';
import classes from './people.module.css';
import { ResetFactor } from './reset-factor.tsx';

interface OfPerson {
  readonly person: ListedMember;
}

export function SignInPart({ person }: OfPerson) {
  const t = useT();
  const isAgent = person.kind === 'agent';
  return (
    <Section title={t(isAgent ? 'people.access' : 'people.signIn')}>
      {isAgent ? (
        <Text c="dimmed" fz="xs" mt="sm">
          {t('people.agentSignInText')}
        </Text>
      ) : (
        <>
          <Facts {...{ person }} />
          <OpenLinks {...{ person }} />
        </>
      )}
      <Group gap="sm">
        <ToKeys person={person} />
        {!isAgent && <EndSessions person={person} />}
        {person.sign_in.second_factor && <ResetFactor person={person} />}
      </Group>
    </Section>
  );
}

function Facts({ person: { id, sign_in } }: OfPerson) {
  const t = useT();
  const { ago, moment } = useFormats();
  const { data: sessions } = useQuery(sessionsOfQuery(useSession(), id));
  const { password, identities, last_sign_in_at, last_seen_at } = sign_in;
  const time = (at: string | null) =>
    at === null ? (
      '–'
    ) : (
      <time dateTime={at} title={moment(at)}>
        {ago(at)}
      </time>
    );
  return (
    <dl className={classes.facts}>
      <Fact name={t('people.password')}>
        {t(password ? 'people.hasPassword' : 'people.noPassword')}
      </Fact>
      <Fact name={t('people.identities')}>
        {identities.length === 0
          ? t('people.noIdentities')
          : identities.map(({ issuer }) => issuer).join(', ')}
      </Fact>
      <Fact name={t('people.lastSignIn')}>{time(last_sign_in_at)}</Fact>
      <Fact name={t('people.lastSeen')}>{time(last_seen_at)}</Fact>
      {sessions !== undefined && (
        <Fact name={t('sessions.title')}>
          {sessions.length === 0
            ? t('people.noSessions')
            : t('people.sessions', { count: sessions.length })}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function EndSessions({ person: { id } }: OfPerson) {
  const t = useT();
  const { me, ...session } = useSession();
  const { data: sessions = [] } = useQuery(sessionsOfQuery({ me, ...session }, id));
  const { mutate, isPending } = useEndSessions(id);
  // One's own are ended on their own page, which keeps the present one.
  if (sessions.length === 0 || id === me.user.id) return null;
  const end = () =>
    mutate(undefined, {
      onSuccess: (count) => showToast({ text: t('sessions.ended', { count }) }),
      onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
    });
  return (
    <Button variant="default" loading={isPending} onClick={end}>
      {t('people.endSessions')}
    </Button>
  );
}

function ToKeys({ person: { id } }: OfPerson) {
  const t = useT();
  const { workspace } = useSession();
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link
          to="/$workspace/settings/keys"
          params={{ workspace }}
          search={{ user: String(id) }}
          {...props}
        />
      )}
    >
      {t('keys.title')}
    </Button>
  );
}
