// One person or agent: who they are, roles, teams, how they sign in, and what they may do, with the roles that grant it.

import { Badge, Button } from '@mantine/core';
import '@mantine/core/styles/Badge.layer.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { isRecordsError, type ListedMember } from '@workspace-records/client';
import { memberQuery, nameOfMember } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { PersonActions } from './person-actions.tsx';
import { ProfilePart } from './profile-part.tsx';
import { RightsPart } from './rights-part.tsx';
import { RolesPart, TeamsPart } from './roles-part.tsx';
import { SignInPart } from './sign-in-part.tsx';

export default function PersonPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('people.title')}>
      <PersonById />
    </ForAdministrators>
  );
}

function PersonById() {
  const { id } = useParams({ from: '/$workspace/shell/settings/people/$id' });
  const isNumber = /^[1-9]\d{0,8}$/.test(id);
  const asked = memberQuery(useSession(), Number(id));
  const { data: person, error } = useQuery({ ...asked, enabled: isNumber });
  if (!isNumber || isRecordsError(error, 'user_not_found')) return <Gone />;
  if (person !== undefined) return <OnePerson key={id} person={person} />;
  return error !== null && <Problem error={error} />;
}

function OnePerson({ person }: { readonly person: ListedMember }) {
  const t = useT();
  const { me } = useSession();
  const { kind, active } = person;
  return (
    <SettingsFrame
      title={nameOfMember(person)}
      above={<ToAll />}
      beside={
        <>
          {kind === 'agent' && <Word text={t('people.agent')} />}
          {!active && <Word text={t('people.inactive')} />}
          {me.user.id === person.id && <Word text={t('people.you')} />}
        </>
      }
      actions={<PersonActions person={person} />}
      width="broad"
    >
      <ProfilePart person={person} />
      <RolesPart person={person} />
      <TeamsPart person={person} />
      <SignInPart person={person} />
      <RightsPart person={person} />
    </SettingsFrame>
  );
}

function Word({ text }: { readonly text: string }) {
  return (
    <Badge variant="light" color="gray" size="sm" tt="none">
      {text}
    </Badge>
  );
}

function ToAll() {
  const t = useT();
  const { workspace } = useSession();
  return (
    <Link to="/$workspace/settings/people" params={{ workspace }}>
      {t('people.title')}
    </Link>
  );
}

function Gone() {
  const t = useT();
  const { workspace } = useSession();
  return (
    <SettingsFrame title={t('people.gone')}>
      <EmptyState
        title={t('people.goneText')}
        action={
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/$workspace/settings/people" params={{ workspace }} {...props} />
            )}
          >
            {t('people.toAll')}
          </Button>
        }
      />
    </SettingsFrame>
  );
}
