// The search and the filters above the list of people.

import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { rolesQuery, teamsQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { useTypedSearch } from '../../lib/typed-search.ts';
import { Icon } from '../../ui/icon.tsx';
import table from '../../ui/settings-table.module.css';
import { KINDS, type PeopleSearch, STATES } from './people-search.ts';

interface PeopleFiltersProps {
  readonly search: PeopleSearch;
  readonly onChange: (changed: Partial<PeopleSearch>) => void;
}

export function PeopleFilters({ search, onChange }: PeopleFiltersProps) {
  const t = useT();
  const session = useSession();
  const { data: roles = [] } = useQuery(rolesQuery(session));
  const { data: teams = [] } = useQuery(teamsQuery(session));
  const roleNames = roles.map(({ key, name }) => ({ value: key, label: name }));
  const teamNames = teams.map(({ id, name }) => ({ value: String(id), label: name ?? `#${id}` }));
  const states = { active: 'people.active', inactive: 'people.inactive', all: 'people.anyState' };
  const kinds = { user: 'people.people', agent: 'people.agents', all: 'people.anyKind' };
  return (
    <search className={table.tools} aria-label={t('people.which')}>
      <SearchField {...{ search, onChange }} />
      <NativeSelect
        aria-label={t('people.role')}
        data={[{ value: '', label: t('people.anyRole') }, ...roleNames]}
        value={search.role}
        onChange={({ currentTarget }) => onChange({ role: currentTarget.value })}
      />
      <NativeSelect
        aria-label={t('people.team')}
        data={[{ value: '', label: t('people.anyTeam') }, ...teamNames]}
        value={search.team}
        onChange={({ currentTarget }) => onChange({ team: currentTarget.value })}
      />
      <NativeSelect
        aria-label={t('people.kind')}
        data={KINDS.map((value) => ({ value, label: t(kinds[value] as 'people.people') }))}
        value={search.kind}
        onChange={({ currentTarget }) =>
          onChange({ kind: currentTarget.value as PeopleSearch['kind'] })
        }
      />
      <NativeSelect
        aria-label={t('people.state')}
        data={STATES.map((value) => ({ value, label: t(states[value] as 'people.active') }))}
        value={search.state}
        onChange={({ currentTarget }) =>
          onChange({ state: currentTarget.value as PeopleSearch['state'] })
        }
      />
    </search>
  );
}

/** Milliseconds without a key before the request. */
const PAUSE = 150;

function SearchField({ search, onChange }: PeopleFiltersProps) {
  const t = useT();
  const { text, type } = useTypedSearch(search.q, PAUSE, (q) => onChange({ q }));
  return (
    <TextInput
      type="search"
      className={table.search}
      aria-label={t('people.search')}
      placeholder={t('people.search')}
      leftSection={<Icon name="search" size={14} />}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
