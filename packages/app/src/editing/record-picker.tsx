// Choosing a record by search, among those that the person may read.

import { ActionIcon, Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../lib/messages/index.ts';
import { useObjects } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { Icon } from '../ui/icon.tsx';
import { problemText } from '../ui/problem.tsx';
import classes from './record-picker.module.css';

export interface PickedRecord {
  readonly target: string;
  readonly name: string;
}

interface RecordPickerProps {
  readonly type: string;
  readonly label: string;
  /** Ids that are not offered, such as that of the record itself. */
  readonly without: readonly string[];
  readonly onChoose: (chosen: PickedRecord) => void;
  readonly onClose: () => void;
}

/** Milliseconds without a key before the service is asked. */
const PAUSE = 150;
const OFFERED = 20;

export function RecordPicker({ type, label, without, onChoose, onClose }: RecordPickerProps) {
  const t = useT();
  const [text, setText] = useState('');
  const { candidates, isSearched, isPending, error } = useCandidates(type, text);
  const data = candidates.filter(({ value }) => !without.includes(value));
  const nothing = isPending ? t('palette.searching') : t('palette.nothing');
  return (
    <div className={classes.picker}>
      <Select
        className={classes.field}
        data={data}
        value={null}
        searchable
        // What one types is about the list, which is therefore there.
        autoFocus
        defaultDropdownOpened
        aria-label={label}
        placeholder={label}
        {...(isSearched ? { filter: ({ options }) => options } : {})}
        onSearchChange={setText}
        onChange={(chosen) => {
          const found = data.find(({ value }) => value === chosen);
          if (found !== undefined) onChoose({ target: found.value, name: found.label });
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
        nothingFoundMessage={nothing}
        error={error === null ? undefined : problemText(error, t)}
      />
      <ActionIcon aria-label={t('record.cancel')} onClick={onClose}>
        <Icon name="close" size={12} />
      </ActionIcon>
    </div>
  );
}

function useCandidates(type: string, text: string) {
  const { workspace, client } = useSession();
  const [q] = useDebouncedValue(text.trim(), PAUSE);
  const object = useObjects().find(({ object_type }) => object_type === type);
  const isSearched = object?.capabilities.search === true && object.display_field !== null;
  const asked = isSearched ? q : '';
  const {
    data = [],
    isPending,
    error,
  } = useQuery({
    queryKey: [workspace, type, 'candidates', asked],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED, ...(asked === '' ? {} : { q: asked }) };
      const { data: found } = await client.records(type).list(query, { signal });
      return found.map(({ id, display }) => ({ value: id, label: display ?? id }));
    },
    placeholderData: keepPreviousData,
  });
  return { candidates: data, isSearched, isPending, error };
}
