// The search in a list: the list follows when the typing pauses.

import { TextInput } from '@mantine/core';
import { useId, useRef } from 'react';
import type { SearchedColumns } from '../../lib/list-search.ts';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import { useTypedSearch } from '../../lib/typed-search.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import { usePageAction } from '../../ui/page-actions.ts';
import classes from './records-page.module.css';

/** Milliseconds without a key before the request of the list. */
const PAUSE = 250;

interface SearchFieldProps {
  readonly q: string;
  /** Undefined while they are not known. */
  readonly columns: SearchedColumns | undefined;
  /** The field has the focus. */
  readonly onBegin: () => void;
  readonly onChange: (q: string) => void;
}

export function SearchField({ q, columns, onBegin, onChange }: SearchFieldProps) {
  const t = useT();
  const id = useId();
  const hint = useHint(columns);
  const field = useRef<HTMLInputElement>(null);
  usePageAction({
    id: 'list.search',
    label: t('records.search'),
    icon: 'search',
    shortcut: '/',
    run: () => field.current?.focus(),
  });
  const { text, type } = useTypedSearch(q, PAUSE, onChange);
  return (
    <>
      <TextInput
        ref={field}
        type="search"
        size="xs"
        className={classes.search}
        aria-label={t('records.search')}
        placeholder={t('records.search')}
        leftSection={<Icon name="search" size={14} />}
        title={hint}
        aria-describedby={hint === undefined ? undefined : id}
        onFocus={onBegin}
        value={text}
        onChange={({ currentTarget: { value } }) => type(value, value.trim())}
      />
      {hint !== undefined && <Hidden id={id}>{hint}</Hidden>}
    </>
  );
}

/** The columns that are searched, and those that cannot be. */
function useHint(columns: SearchedColumns | undefined): string | undefined {
  const t = useT();
  const language = useLanguage();
  if (columns === undefined) return undefined;
  const list = new Intl.ListFormat(localeOf(language), { type: 'conjunction' });
  const namesOf = (fields: SearchedColumns['left']) =>
    list.format(fields.map(({ name, key }) => name ?? key));
  const { searched, left } = columns;
  const found = t('records.searched', { names: namesOf(searched) });
  return left.length === 0
    ? found
    : `${found} ${t('records.notSearched', { names: namesOf(left) })}`;
}
