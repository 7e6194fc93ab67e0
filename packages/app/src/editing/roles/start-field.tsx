// The choice of the permissions that a new role begins with, and what they are.

import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { rolesQuery } from '../../lib/members.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { PLAIN_STARTS, type Start } from './role-start.ts';

type PlainStart = (typeof PLAIN_STARTS)[number];

const WORDS: Readonly<Record<PlainStart, { readonly name: PlainKey; readonly text: PlainKey }>> = {
  nothing: { name: 'roles.fromNothing', text: 'roles.fromNothingText' },
  read: { name: 'roles.fromRead', text: 'roles.fromReadText' },
  write: { name: 'roles.fromWrite', text: 'roles.fromWriteText' },
};

/** The prefix of the key of a role, which may be the word of a plain start. */
const OF_ROLE = 'role ';

interface StartFieldProps {
  readonly value: Start;
  readonly onChange: (start: Start) => void;
}

export function StartField({ value, onChange }: StartFieldProps) {
  const t = useT();
  const { data: roles = [] } = useQuery(rolesQuery(useSession()));
  const plain = PLAIN_STARTS.map((start) => ({ value: start, label: t(WORDS[start].name) }));
  const roleChoices = roles.map(({ key, name }) => ({ value: OF_ROLE + key, label: name }));
  const choose = (chosen: string) => {
    const start = PLAIN_STARTS.find((one) => one === chosen);
    onChange(start ?? roles.find(({ key }) => OF_ROLE + key === chosen) ?? 'nothing');
  };
  return (
    <NativeSelect
      label={t('roles.from')}
      description={t(typeof value === 'string' ? WORDS[value].text : 'roles.fromRoleText')}
      inputWrapperOrder={['label', 'input', 'description']}
      data={[...plain, { group: t('roles.fromRole'), items: roleChoices }]}
      value={typeof value === 'string' ? value : OF_ROLE + value.key}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}
