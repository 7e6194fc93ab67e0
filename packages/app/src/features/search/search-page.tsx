// Everything that a search finds, by object. The address is the search.

import { Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { LIMITS, type SearchHit } from '@workspace-records/client';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { objectsQuery } from '../../lib/schema-queries.ts';
import { searchEverything } from '../../lib/search-everything.ts';
import { useSession } from '../../lib/session.ts';
import { useTypedSearch } from '../../lib/typed-search.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { moveFocus } from './move-focus.ts';
import { Results } from './results.tsx';
import classes from './search-page.module.css';

const SHORTEST = LIMITS.searchTextMinimum;
const LONGEST = LIMITS.textQueryLength;
const MOST = LIMITS.searchPageMaximum;
/** The most hits of each object that only its own list finds. */
const MOST_OF_OTHERS = 10;
/** Milliseconds without a key before the request. */
const PAUSE = 150;

export default function SearchPage() {
  const t = useT();
  const { q = '', type } = useSearch({ from: '/$workspace/shell/search' });
  const words = q.trim().slice(0, LONGEST);
  const { hits, isPending, error } = useHits(words);
  const searchBar = useRef<HTMLElement>(null);
  const visibleHits =
    type === undefined ? hits : hits.filter(({ object_type }) => object_type === type);
  const isAsked = words.length >= SHORTEST;
  const onKeyDown = (event: KeyboardEvent) => moveFocus(event, searchBar.current);
  return (
    <Page title={t('search.title')}>
      <search ref={searchBar} onKeyDown={onKeyDown} aria-label={t('search.title')}>
        <SearchField q={q} />
        {isAsked && <Objects hits={hits} q={words} chosen={type} />}
        <Text c="dimmed" fz="xs" mb="md" mih={20} role="status">
          {!isAsked && t('search.short')}
          {isAsked && !isPending && hits.length > 0 && countOf(t, hits.length)}
        </Text>
        {error !== null && <Problem error={error} />}
        {isAsked && !isPending && error === null && hits.length === 0 && (
          <EmptyState title={t('search.nothing', { q: words })} text={t('search.nothingText')} />
        )}
        {isAsked && <Results hits={visibleHits} q={words} />}
      </search>
    </Page>
  );
}

function countOf(t: ReturnType<typeof useT>, count: number): string {
  return count >= MOST ? t('search.first', { count }) : t('search.found', { count });
}

function useHits(q: string) {
  const session = useSession();
  const {
    data = [],
    isPending,
    isPlaceholderData,
    error,
  } = useQuery({
    queryKey: [session.workspace, 'search', 'page', q],
    queryFn: ({ signal }) =>
      searchEverything(session, { q, limit: MOST, limitOfOthers: MOST_OF_OTHERS, signal }),
    enabled: q.length >= SHORTEST,
    placeholderData: keepPreviousData,
  });
  return { hits: data, isPending: isPending || isPlaceholderData, error };
}

function SearchField({ q }: { readonly q: string }) {
  const t = useT();
  const navigate = useNavigate({ from: '/$workspace/search' });
  const field = useRef<HTMLInputElement>(null);
  const { text, type } = useTypedSearch(q, PAUSE, (wished) => {
    void navigate({ search: (before) => ({ ...before, q: wished }), replace: true });
  });
  useEffect(() => {
    if (field.current?.value === '') field.current.focus();
  }, []);
  return (
    <TextInput
      ref={field}
      type="search"
      size="md"
      className={classes.field}
      aria-label={t('search.field')}
      placeholder={t('search.field')}
      leftSection={<Icon name="search" />}
      maxLength={LONGEST}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

interface ObjectsProps {
  readonly hits: readonly SearchHit[];
  readonly q: string;
  /** The object type that the address names. */
  readonly chosen: string | undefined;
}

/** Filters for the objects of the hits and for the chosen object. */
function Objects({ hits, q, chosen }: ObjectsProps) {
  const t = useT();
  const session = useSession();
  const { data: objects = [] } = useQuery(objectsQuery(session));
  const types = [...new Set([...hits.map(({ object_type }) => object_type), chosen ?? []].flat())];
  if (types.length < 2 && chosen === undefined) return null;
  const link = { to: '/$workspace/search', params: { workspace: session.workspace } } as const;
  return (
    <Filters label={t('search.which')}>
      <Link {...link} search={{ q }} activeOptions={{ exact: true }}>
        {t('search.everything')}
      </Link>
      {types.map((type) => (
        <Link key={type} {...link} search={{ q, type }} activeOptions={{ exact: true }}>
          {objects.find(({ object_type }) => object_type === type)?.name ?? type}
        </Link>
      ))}
    </Filters>
  );
}
