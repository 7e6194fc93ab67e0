// How people of the workspace can sign in: what the server is configured for, and which of it each person has.

import { Text } from '@mantine/core';
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ListedMember } from '@workspace-records/client';
import { membersQuery, nameOfMember } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession, type WorkspaceClient } from '../../lib/session.ts';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import framed from '../../ui/framed-rows.module.css';
import { MoreButton } from '../../ui/more-button.tsx';
import { PersonLine } from '../../ui/person-line.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import table from '../../ui/settings-table.module.css';
import classes from './sign-in-methods.module.css';

function methodsQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'sign-in methods'],
    queryFn: ({ signal }) => client.sessions.methods(workspace, { signal }),
  });
}

export default function SignInMethodsPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('methods.title')}>
      <SettingsFrame title={t('methods.title')} width="broad">
        <Text c="dimmed" mb="lg" maw="40rem">
          {t('methods.text')}
        </Text>
        <Configured />
        <Section title={t('methods.people')}>
          <People />
        </Section>
      </SettingsFrame>
    </ForAdministrators>
  );
}

function Configured() {
  const t = useT();
  const { data: methods, error } = useQuery(methodsQuery(useSession()));
  if (error !== null) return <Problem error={error} />;
  if (methods === undefined) return null;
  const { password, providers, sessions } = methods;
  return (
    <ul className={`${framed.rows} ${classes.methods}`}>
      {!sessions && <li className={`${framed.row} ${classes.warning}`}>{t('methods.insecure')}</li>}
      <Method name={t('methods.password')} text={t('methods.passwordText')} isOn={password} />
      <Method name={t('methods.link')} text={t('methods.linkText')} isOn />
      {providers.map(({ id, name }) => (
        <Method key={id} name={name} text={t('methods.provider')} isOn />
      ))}
      {providers.length === 0 && (
        <Method name={t('methods.noProviders')} text={t('methods.noProvidersText')} isOn={false} />
      )}
    </ul>
  );
}

interface MethodProps {
  readonly name: string;
  readonly text: string;
  readonly isOn: boolean;
}

function Method({ name, text, isOn }: MethodProps) {
  const t = useT();
  return (
    <li className={`${framed.row} ${classes.method}`}>
      <div>
        <Text component="div" fw={500}>
          {name}
        </Text>
        <Text component="div" c="dimmed" fz="xs">
          {text}
        </Text>
      </div>
      <span className={classes.state} data-on={isOn || undefined}>
        {t(isOn ? 'methods.on' : 'methods.off')}
      </span>
    </li>
  );
}

function People() {
  const t = useT();
  const session = useSession();
  const query = useInfiniteQuery({
    ...membersQuery(session, { kind: 'user', active: true }),
    placeholderData: keepPreviousData,
  });
  const people = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      {query.error !== null && <Problem error={query.error} />}
      <table
        className={`${table.table} ${table.people}`}
        aria-label={t('methods.people')}
        aria-busy={query.isPending}
      >
        <thead>
          <tr>
            <th scope="col">{t('people.name')}</th>
            <th scope="col">{t('methods.title')}</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <Row key={person.id} person={person} />
          ))}
        </tbody>
      </table>
      <MoreButton query={query} mt="md">
        {t('people.more')}
      </MoreButton>
    </>
  );
}

function Row({ person }: { readonly person: ListedMember }) {
  const t = useT();
  const { id, email, sign_in } = person;
  const name = nameOfMember(person);
  const methods = [
    ...(sign_in.password ? [t('methods.password')] : []),
    ...sign_in.identities.map(({ issuer }) => issuer),
  ];
  return (
    <tr>
      <td>
        <PersonLine name={name} below={email}>
          <PersonLink {...{ id, name }} />
        </PersonLine>
      </td>
      <td className={methods.length === 0 ? table.dim : undefined}>
        {methods.length === 0 ? t('methods.nothing') : methods.join(', ')}
      </td>
    </tr>
  );
}
