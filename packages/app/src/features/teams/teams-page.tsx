// Teams and their members; the address has which one is open.

import { Button, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { teamsQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import framed from '../../ui/framed-rows.module.css';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { useCreateTeam } from './api.ts';
import { TeamDialog } from './team-dialog.tsx';
import { TeamRow } from './team-row.tsx';

export default function TeamsPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('teams.title')}>
      <Teams />
    </ForAdministrators>
  );
}

function Teams() {
  const t = useT();
  const navigate = useNavigate();
  const { open } = useSearch({ strict: false }) as SearchParams;
  const { data: teams } = useSuspenseQuery(teamsQuery(useSession()));
  const [isMaking, setMaking] = useState(false);
  const show = (id: number | undefined) =>
    void navigate({ to: '.', search: id === undefined ? {} : { open: String(id) }, replace: true });
  const make = <Button onClick={() => setMaking(true)}>{t('teams.new')}</Button>;
  return (
    <SettingsFrame title={t('teams.title')} actions={teams.length > 0 && make} width="broad">
      {teams.length === 0 ? (
        <EmptyState title={t('teams.none')} text={t('teams.noneText')} action={make} />
      ) : (
        <>
          <Text c="dimmed" mb="lg" maw="40rem">
            {t('teams.text')}
          </Text>
          <ul className={framed.rows}>
            {teams.map((team) => (
              <TeamRow
                key={team.id}
                team={team}
                isOpen={open === String(team.id)}
                onToggle={(isOpen) => show(isOpen ? team.id : undefined)}
              />
            ))}
          </ul>
        </>
      )}
      {isMaking && <NewTeam onMade={show} onClose={() => setMaking(false)} />}
    </SettingsFrame>
  );
}

interface NewTeamProps {
  readonly onMade: (id: number) => void;
  readonly onClose: () => void;
}

function NewTeam({ onMade, onClose }: NewTeamProps) {
  const t = useT();
  const change = useCreateTeam();
  return (
    <TeamDialog
      title={t('teams.new')}
      action={t('teams.create')}
      done={t('teams.created')}
      change={change}
      onDone={({ id }) => onMade(id)}
      onClose={onClose}
    />
  );
}
