// The entries of the palette: actions with all the typed words, then search results of the service, requested when
// the typing pauses.

import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SearchHit } from '@workspace-records/client';
import { useMemo } from 'react';
import { folded } from '../../../tables/src/folded.ts';
import type { Action } from '../actions/action.ts';
import { useActions } from '../actions/registry.ts';
import { subtitleOf } from '../lib/hit-subtitle.ts';
import { useT } from '../lib/messages/index.ts';
import { objectsQuery } from '../lib/schema-queries.ts';
import { searchEverything } from '../lib/search-everything.ts';
import { useSession } from '../lib/session.ts';
import type { Glyph } from '../ui/icon.tsx';
import { iconOf } from '../ui/object-icon.ts';
import { usePageActions } from '../ui/page-actions.ts';

export interface Entry {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: Glyph;
  /** A single key that does the same. */
  readonly shortcut?: string | undefined;
  run(): void;
}

/** Milliseconds without a key before the request. */
const PAUSE = 150;
const HITS = 10;
/** The most hits of each object that only its own list finds. */
const HITS_OF_OTHERS = 3;

export function usePaletteEntries(text: string) {
  const t = useT();
  const actions = useAllActions();
  const words = text.trim();
  const { hits, isSearching } = useHits(words);
  const everything = useEverything(words);
  const matchingActions = useMemo(
    () =>
      actionsWith(actions, words).map((action) => ({
        ...action,
        hint: t(`palette.${action.group}`),
      })),
    [actions, words, t],
  );
  return { entries: [...matchingActions, ...hits, ...everything], isSearching };
}

/** All actions, the ones of the open page first. */
function useAllActions(): readonly Action[] {
  const everywhere = useActions();
  const pageActions = usePageActions();
  return useMemo(() => {
    const ids = new Set(pageActions.map(({ id }) => id));
    const first = pageActions.map((action) => ({ ...action, group: 'page' as const }));
    return [...first, ...everywhere.filter(({ id }) => !ids.has(id))];
  }, [pageActions, everywhere]);
}

/** The actions whose label and keywords contain each word of the text. */
export function actionsWith(actions: readonly Action[], text: string): readonly Action[] {
  const words = folded(text).split(/\s+/);
  return actions.filter(({ label, keywords = '' }) => {
    const all = folded(`${label} ${keywords}`);
    return words.every((word) => all.includes(word));
  });
}

/** The last entry leads to the page of all that is found. */
function useEverything(words: string): readonly Entry[] {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  if (words.length < 2) return [];
  const target = { to: '/$workspace/search', params: { workspace }, search: { q: words } } as const;
  return [
    {
      id: 'search.everything',
      label: t('search.palette', { q: words }),
      hint: t('search.title'),
      icon: 'search',
      run: () => void navigate(target),
    },
  ];
}

function useHits(words: string) {
  const session = useSession();
  const navigate = useNavigate();
  const { data: objects = [] } = useQuery(objectsQuery(session));
  const [q] = useDebouncedValue(words, PAUSE);
  const isAsked = q.length >= 2;
  const { data = [], isFetching } = useQuery({
    queryKey: [session.workspace, 'search', q],
    // A query that is no longer shown is cancelled by its signal.
    queryFn: ({ signal }) =>
      searchEverything(session, { q, limit: HITS, limitOfOthers: HITS_OF_OTHERS, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const toEntry = (hit: SearchHit): Entry => {
    const { object_type, id, display } = hit;
    const object = objects.find((one) => one.object_type === object_type);
    const params = { workspace: session.workspace, type: object_type, id };
    return {
      id: `record.${object_type}.${id}`,
      label: display ?? id,
      hint: subtitleOf(hit, object),
      icon: object === undefined ? 'box' : iconOf(object),
      run: () => void navigate({ to: '/$workspace/o/$type/$id', params }),
    };
  };
  return {
    hits: isAsked && words.length >= 2 ? data.map(toEntry) : [],
    isSearching: words.length >= 2 && (isFetching || q !== words),
  };
}
