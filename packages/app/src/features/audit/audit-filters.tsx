// The filters above the audit: who, with which key, what kind of thing, which record, what was done, and when.

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MemberChoice } from '../../fields/member-choice.tsx';
import { localTimeOf, momentOf } from '../../lib/local-time.ts';
import { useT } from '../../lib/messages/index.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { allKeysQuery } from './api.ts';
import classes from './audit.module.css';
import { type AuditFilter, recordIdIn } from './audit-search.ts';
import { ACTION_WORDS, SUBJECT_WORDS, SUBJECTS } from './audit-words.ts';

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const t = useT();
  const change = (changed: AuditFilter) => onChange({ ...filter, ...changed });
  const isNarrow = Object.keys(filter).length > 0;
  return (
    <search className={classes.filters} aria-label={t('audit.which')}>
      <MemberChoice
        title={t('audit.person')}
        label={t('audit.person')}
        placeholder={t('audit.anybody')}
        value={filter.user_id}
        clear={t('audit.anybody')}
        onChange={(user_id) => change({ user_id })}
      />
      <Kind {...{ filter, onChange }} />
      <NativeSelect
        label={t('audit.action')}
        data={[
          { value: '', label: t('audit.anyAction') },
          ...Object.entries(ACTION_WORDS).map(([value, word]) => ({ value, label: t(word) })),
        ]}
        value={filter.action ?? ''}
        onChange={({ currentTarget }) => change({ action: currentTarget.value })}
      />
      <KeyFilter id={filter.key_id} onChange={(key_id) => change({ key_id })} />
      <RecordFilter key={filter.record_id} id={filter.record_id} onChange={change} />
      <TimeFilter
        label={t('audit.since')}
        value={filter.since}
        onChange={(since) => change({ since })}
      />
      <TimeFilter
        label={t('audit.until')}
        value={filter.until}
        onChange={(until) => change({ until })}
      />
      {isNarrow && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})}>
          {t('audit.clear')}
        </Button>
      )}
    </search>
  );
}

/** Objects and other subjects in one list: an entry is about one of them. */
function Kind({ filter, onChange }: AuditFiltersProps) {
  const t = useT();
  const objects = useObjects();
  const { object_type, subject_type, subject_id: _, record_id: __, ...otherFilters } = filter;
  const value = object_type !== undefined ? `o ${object_type}` : `s ${subject_type ?? ''}`;
  const choose = (chosen: string) => {
    const [kind, name = ''] = chosen.split(' ');
    if (name === '') return onChange(otherFilters);
    const named = kind === 'o' ? { object_type: name } : { subject_type: name };
    onChange({ ...otherFilters, ...named } as AuditFilter);
  };
  const names = objects.map((one) => ({
    value: `o ${one.object_type}`,
    label: one.name ?? one.object_type,
  }));
  const subjects = SUBJECTS.map((one) => ({ value: `s ${one}`, label: t(SUBJECT_WORDS[one]) }));
  return (
    <NativeSelect
      label={t('audit.object')}
      data={[
        { value: 's ', label: t('audit.anyObject') },
        { group: t('audit.records'), items: names },
        { group: t('audit.administration'), items: subjects },
      ]}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

interface KeyFilterProps {
  readonly id: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

function KeyFilter({ id, onChange }: KeyFilterProps) {
  const t = useT();
  const { data: keys = [] } = useQuery(allKeysQuery(useSession()));
  const keyChoices = keys.map((key) => ({ value: key.id, label: `${key.name} (${key.prefix}…)` }));
  const unlistedChoice =
    id === undefined || keys.some((key) => key.id === id) ? [] : [{ value: id, label: id }];
  return (
    <NativeSelect
      label={t('audit.key')}
      data={[{ value: '', label: t('audit.anyKey') }, ...unlistedChoice, ...keyChoices]}
      value={id ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface RecordFilterProps {
  readonly id: string | undefined;
  readonly onChange: (changed: AuditFilter) => void;
}

function RecordFilter({ id, onChange }: RecordFilterProps) {
  const t = useT();
  const [text, setText] = useState(id ?? '');
  const found = recordIdIn(text);
  const isWrong = text.trim() !== '' && found === undefined;
  const use = () => {
    if (!isWrong && found !== id) onChange({ record_id: found });
  };
  return (
    <TextInput
      label={t('audit.record')}
      placeholder={t('audit.recordText')}
      value={text}
      error={isWrong && t('audit.noRecord')}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={use}
      onKeyDown={({ key }) => key === 'Enter' && use()}
    />
  );
}

interface TimeFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function TimeFilter({ label, value, onChange }: TimeFilterProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value === undefined ? '' : localTimeOf(value)}
      onChange={({ currentTarget }) => onChange(momentOf(currentTarget.value))}
    />
  );
}
