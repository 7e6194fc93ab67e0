// A person or an agent, found by typing among all of them; for pages of administrators.

import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type MemberFilter, nameOfMember, someMembersQuery } from '../lib/members.ts';
import { useT } from '../lib/messages/index.ts';
import { usePersonName } from '../lib/person-names.ts';
import { useSession } from '../lib/session.ts';
import { firstWith } from './options-select.tsx';

interface MemberChoiceProps {
  /** Above the field; without it, only for screen readers. */
  readonly title?: string;
  readonly label: string;
  readonly placeholder: string;
  readonly className?: string | undefined;
  readonly value?: number | undefined;
  /** The members that are offered. */
  readonly filter?: MemberFilter;
  readonly except?: readonly number[];
  /** The label of the button that chooses nobody; undefined: there is no such button. */
  readonly clear?: string;
  readonly onChange: (id: number | undefined) => void;
}

/** Milliseconds without a key before the request. */
const PAUSE = 150;

export function MemberChoice(props: MemberChoiceProps) {
  const { title, label, placeholder, className, value, clear, onChange } = props;
  const t = useT();
  const [text, setText] = useState('');
  const offered = useOffered(props, text);
  const choose = (chosen: string | null) => {
    // A field that keeps no value is ready for the next person.
    if (value === undefined) setText('');
    onChange(chosen === null ? undefined : Number(chosen));
  };
  return (
    <Select
      {...(title === undefined ? { 'aria-label': label } : { label: title })}
      className={className}
      placeholder={placeholder}
      data={offered}
      value={value === undefined ? null : String(value)}
      searchable
      selectFirstOptionOnChange
      clearable={clear !== undefined}
      clearButtonProps={{ 'aria-label': clear }}
      nothingFoundMessage={t('palette.nothing')}
      searchValue={text}
      onSearchChange={setText}
      onKeyDown={(event) => {
        const named = event.key === 'Enter' && firstWith(offered, event.currentTarget);
        if (!named) return;
        event.preventDefault();
        choose(named);
      }}
      onChange={choose}
    />
  );
}

/** The present one, and those whose name or address has the text. */
function useOffered({ value, filter = {}, except = [] }: MemberChoiceProps, text: string) {
  const session = useSession();
  const name = usePersonName(value ?? session.me.user.id);
  const typed = value !== undefined && text === name ? '' : text.trim();
  const [q] = useDebouncedValue(typed, PAUSE);
  const { data: members = [] } = useQuery({
    ...someMembersQuery(session, q === '' ? filter : { ...filter, q }),
    placeholderData: keepPreviousData,
  });
  const own = value === undefined ? [] : [{ value: String(value), label: name }];
  const others = members.filter(({ id }) => id !== value && !except.includes(id));
  return [...own, ...others.map((one) => ({ value: String(one.id), label: nameOfMember(one) }))];
}
