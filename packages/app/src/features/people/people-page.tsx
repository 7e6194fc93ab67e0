// People and agents of the workspace, for administrators: found by name, role, team and state; each leads to a page of
// its own.

import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { membersQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PeopleFilters } from './people-filters.tsx';
import {
  isUnfiltered,
  memberFilterOf,
  type PeopleSearch,
  peopleSearchOf,
  searchParamsOf,
} from './people-search.ts';
import { PeopleTable } from './people-table.tsx';

export default function PeoplePage() {
  const t = useT();
  return (
    <ForAdministrators title={t('people.title')}>
      <People />
    </ForAdministrators>
  );
}

function People() {
  const t = useT();
  const navigate = useNavigate();
  const search = peopleSearchOf(useSearch({ strict: false }));
  const [isInviting, setInviting] = useState(false);
  const change = (changed: Partial<PeopleSearch>) =>
    void navigate({
      to: '.',
      search: searchParamsOf({ ...search, ...changed }),
      // Back leads to the page before, not to each letter of the search.
      replace: 'q' in changed,
    });
  return (
    <SettingsFrame
      title={t('people.title')}
      width="broad"
      actions={<Button onClick={() => setInviting(true)}>{t('people.invite')}</Button>}
    >
      <PeopleFilters search={search} onChange={change} />
      <Found search={search} onClear={() => void navigate({ to: '.', search: {} })} />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </SettingsFrame>
  );
}

interface FoundProps {
  readonly search: PeopleSearch;
  readonly onClear: () => void;
}

function Found({ search, onClear }: FoundProps) {
  const t = useT();
  const query = useInfiniteQuery({
    ...membersQuery(useSession(), memberFilterOf(search)),
    placeholderData: keepPreviousData,
  });
  const people = query.data?.pages.flatMap(({ data }) => data) ?? [];
  if (query.error !== null) return <Problem error={query.error} />;
  if (query.isSuccess && people.length === 0) {
    const clear = (
      <Button variant="default" onClick={onClear}>
        {t('people.clear')}
      </Button>
    );
    return <EmptyState title={t('people.none')} action={!isUnfiltered(search) && clear} />;
  }
  return (
    <>
      <PeopleTable people={people} isBusy={query.isPending} />
      <MoreButton query={query} mt="md">
        {t('people.more')}
      </MoreButton>
    </>
  );
}
