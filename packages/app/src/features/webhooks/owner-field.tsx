// The owner of a webhook, found by typing among all people; the interface lists no agents. Only administrators can choose
// one.

import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { firstWith } from '../../fields/options-select.tsx';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { nameOfUser } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Section } from '../../ui/section.tsx';
import { ownersQuery } from './api.ts';
import type { PartProps } from './webhook-form.tsx';

/** Milliseconds without a key before the request. */
const PAUSE = 150;

export function OwnerField({ draft, problems, onChange }: PartProps) {
  const t = useT();
  const [text, setText] = useState('');
  const offered = useOffered(draft.owner, text);
  const problem = problems.get('owner_user_id');
  const choose = (chosen: string) => onChange({ ...draft, owner: Number(chosen) });
  return (
    <Section title={t('webhooks.owner')} text={t('webhooks.ownerText')}>
      <div data-problem={problem}>
        <Select
          aria-label={t('webhooks.owner')}
          data={offered}
          value={String(draft.owner)}
          searchable
          selectFirstOptionOnChange
          allowDeselect={false}
          nothingFoundMessage={t('palette.nothing')}
          onKeyDown={(event) => {
            const named = event.key === 'Enter' && firstWith(offered, event.currentTarget);
            if (!named) return;
            // The form is not sent by it.
            event.preventDefault();
            choose(named);
          }}
          error={problem}
          onSearchChange={setText}
          onChange={(chosen) => choose(chosen ?? String(draft.owner))}
        />
      </div>
    </Section>
  );
}

/** The present one, and those whose name or address has the text. */
function useOffered(owner: number, text: string) {
  const session = useSession();
  const name = usePersonName(owner);
  const typed = text === name ? '' : text.trim();
  const [q] = useDebouncedValue(typed, PAUSE);
  const { data: found = [] } = useQuery({
    ...ownersQuery(session, q),
    placeholderData: keepPreviousData,
  });
  const others = found.filter(({ id }) => id !== owner);
  return [
    { value: String(owner), label: name },
    ...others.map((user) => ({ value: String(user.id), label: nameOfUser(user) })),
  ];
}
