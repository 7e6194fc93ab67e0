// The records of an object: a list that is its address.

import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useRecordRows } from '../../lib/record-lists.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { nextSort, parseView, printView, type ViewState } from '../../lib/view-state.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.tsx';
import { columnsOf } from './columns.ts';
import classes from './records-page.module.css';
import { RecordsTable } from './records-table.tsx';

export default function RecordsPage() {
  const { type } = useParams({ from: '/$workspace/shell/o/$type' });
  // Another object is another page: nothing of this one's state is left.
  return <Records key={type} type={type} />;
}

function Records({ type }: { readonly type: string }) {
  const t = useT();
  const object = useObject(type);
  const [view, change] = useView(type);
  const columns = useMemo(() => columnsOf(object, view.fields), [object, view.fields]);
  const { q, sort, filters } = view;
  const fields = useMemo(() => columns.map(({ key }) => key), [columns]);
  const rows = useRecordRows(type, { q, sort, filters, fields });
  const filterCount = Object.keys(filters).length;
  const name = object.name ?? type;
  return (
    <Page
      title={name}
      width="wide"
      actions={
        <>
          {object.capabilities.search && (
            <SearchField key={type} q={q} onChange={(text) => change({ ...view, q: text }, true)} />
          )}
          <Tooltip label={t('records.refresh')}>
            <ActionIcon
              aria-label={t('records.refresh')}
              loading={rows.isRefreshing}
              onClick={rows.refresh}
            >
              <Icon name="refresh" />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <div className={classes.list}>
        {filterCount > 0 && (
          <div className={classes.filters}>
            {t('records.filtered', { count: filterCount })}
            <Button variant="subtle" onClick={() => change({ ...view, filters: {} })}>
              {t('records.clearFilters')}
            </Button>
          </div>
        )}
        {rows.error !== null && (
          <div className={classes.problem}>
            <Problem error={rows.error} />
          </div>
        )}
        {!rows.isPending && rows.count === 0 && rows.error === null ? (
          <Nothing
            isNarrowed={q !== '' || filterCount > 0}
            onWiden={() => change({ ...view, q: '', filters: {} })}
          />
        ) : (
          <RecordsTable
            {...{ object, columns, rows, sort }}
            onSort={(key, isAdded) => change({ ...view, sort: nextSort(sort, key, isAdded) })}
          />
        )}
      </div>
    </Page>
  );
}

/** The state in the address, and how it is changed: what one types replaces it, what one chooses can be gone back from. */
function useView(type: string) {
  const t = useT();
  const { fields } = useObject(type);
  const search = useSearch({ from: '/$workspace/shell/o/$type' });
  const navigate = useNavigate({ from: '/$workspace/o/$type' });
  const { view, dropped } = useMemo(() => parseView(search, fields), [search, fields]);
  const names = dropped.join(', ');
  useEffect(() => {
    if (names === '') return;
    showToast({ text: t('records.dropped', { names }) });
    void navigate({ search: printView(view), replace: true });
  }, [names, t, navigate, view]);
  const change = (next: ViewState, replace = false) =>
    void navigate({ search: printView(next), replace });
  return [view, change] as const;
}

/** Milliseconds without a key before the list is asked for. */
const PAUSE = 250;

interface SearchFieldProps {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

function SearchField({ q, onChange }: SearchFieldProps) {
  const t = useT();
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

interface NothingProps {
  readonly isNarrowed: boolean;
  readonly onWiden: () => void;
}

function Nothing({ isNarrowed, onWiden }: NothingProps) {
  const t = useT();
  if (!isNarrowed) return <EmptyState title={t('records.none')} text={t('records.noneText')} />;
  return (
    <EmptyState
      title={t('records.noMatch')}
      action={
        <Button variant="default" onClick={onWiden}>
          {t('records.showAll')}
        </Button>
      }
    />
  );
}
