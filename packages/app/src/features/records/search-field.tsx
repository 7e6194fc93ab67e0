// The search in a list: the list follows when the typing pauses.

import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { usePageAction } from '../../ui/page-actions.ts';
import classes from './records-page.module.css';

/** Milliseconds without a key before the request of the list. */
const PAUSE = 250;

interface SearchFieldProps {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

export function SearchField({ q, onChange }: SearchFieldProps) {
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  usePageAction({
    id: 'list.search',
    label: t('records.search'),
    icon: 'search',
    shortcut: '/',
    run: () => field.current?.focus(),
  });
  const [text, setText] = useState(q);
  const [known, setKnown] = useState(q);
  const tell = useDebouncedCallback((wished: string) => {
    setKnown(wished);
    onChange(wished);
  }, PAUSE);
  // The address was changed by something else, such as going back.
  if (q !== known) {
    setKnown(q);
    setText(q);
  }
  return (
    <TextInput
      ref={field}
      type="search"
      size="xs"
      className={classes.search}
      aria-label={t('records.search')}
      placeholder={t('records.search')}
      leftSection={<Icon name="search" size={14} />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        tell(currentTarget.value.trim());
      }}
    />
  );
}
