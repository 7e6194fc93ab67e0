// Names of people by their ids: those that came with records, else of a hundred at once, then of a hundred with those
// who have left. Agents, and people whom no page has, are requested one by one.

import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  type QueryFunctionContext,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import type { Client, Page, User } from '@workspace-records/client';
import { useMemo } from 'react';
import { useT } from './messages/index.ts';
import { personNameKey } from './name-keys.ts';
import { nameOfUser, peopleQuery } from './schema-queries.ts';
import { useSession, type WorkspaceClient } from './session.ts';

const NOBODY: ReadonlyMap<number, string> = new Map();
const SETTLED = 300_000;
/** People on a page of their list. */
const AT_ONCE = 100;

/** Empty while it is not needed or not known. */
export function usePeople(isWanted = true): ReadonlyMap<number, string> {
  return useQuery({ ...peopleQuery(useSession()), enabled: isWanted }).data ?? NOBODY;
}

/** Milliseconds without a key before the request. */
const PAUSE = 150;
const FOUND = 20;

/** People to choose from: the first hundred, and of more than these the ones that a typed text finds. */
export function useFoundPeople(text: string): ReadonlyMap<number, string> {
  const { workspace, client } = useSession();
  const people = usePeople();
  const [q] = useDebouncedValue(text.trim(), PAUSE);
  const { data = NOBODY } = useQuery({
    queryKey: [workspace, 'people', 'found', q],
    queryFn: async ({ signal }) => {
      const found = await client.users.list({ q, limit: FOUND }, { signal });
      return new Map(found.data.map((user) => [user.id, nameOfUser(user)]));
    },
    enabled: q !== '' && people.size >= AT_ONCE,
    staleTime: SETTLED,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => (data.size === 0 ? people : new Map([...people, ...data])), [people, data]);
}

/** Pages of people, those who have left included, that are read in search of some. */
const MOST_PAGES = 10;
/** Names that no list has, and that are requested one by one. */
const MOST_ALONE = 20;

/** Names of people beyond the offered lists: people who have left, or who are not among the first hundred. */
export function useNamesOfPeople(ids: readonly number[]): ReadonlyMap<number, string> {
  const { workspace, client } = useSession();
  const { data } = useQuery({
    queryKey: [workspace, 'people', 'others', ids],
    queryFn: ({ signal }) => readNames(client, ids, signal),
    enabled: ids.length > 0,
    staleTime: SETTLED,
    placeholderData: keepPreviousData,
  });
  return data ?? NOBODY;
}

async function readNames(
  client: Client,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  const missing = () => ids.filter((id) => !names.has(id));
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES && missing().length > 0; page += 1) {
    const query = {
      limit: AT_ONCE,
      include_inactive: true,
      ...(cursor === null ? {} : { cursor }),
    };
    const found: Page<User> = await client.users.list(query, { signal });
    for (const user of found.data) names.set(user.id, nameOfUser(user));
    cursor = found.pagination.next_cursor;
    if (cursor === null) break;
  }
  const alone = seesNobodyElse(names) ? [] : missing().slice(0, MOST_ALONE);
  const read = await Promise.allSettled(alone.map((id) => client.users.get(id, { signal })));
  for (const one of read)
    if (one.status === 'fulfilled') names.set(one.value.id, nameOfUser(one.value));
  // The pages had others as well.
  const wanted = new Set(ids);
  return new Map([...names].filter(([id]) => wanted.has(id)));
}

/** True without the right to the directory: the list has only oneself, and others by id are not found (D19). */
function seesNobodyElse(people: ReadonlyMap<number, string>): boolean {
  return people.size === 1;
}

/** With people who have left, whom a list does not offer. */
function everyoneQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'people', 'everyone'],
    queryFn: async ({ signal }) => {
      const asked = { limit: AT_ONCE, include_inactive: true };
      const { data } = await client.users.list(asked, { signal });
      return new Map(data.map((user) => [user.id, nameOfUser(user)]));
    },
    staleTime: SETTLED,
  });
}

/** Null: the person may not know it. */
async function readName(session: WorkspaceClient, id: number, context: QueryFunctionContext) {
  const { client: queries, signal } = context;
  const known = (await queries.ensureQueryData(peopleQuery(session))).get(id);
  if (known !== undefined) return known;
  const everyone = await queries.ensureQueryData(everyoneQuery(session));
  const found = everyone.get(id);
  if (found !== undefined || seesNobodyElse(everyone)) return found ?? null;
  // An agent, or somebody beyond the first hundred.
  return nameOfUser(await session.client.users.get(id, { signal }));
}

/** Empty while it is not known; `otherwise` where the person may not know it (D19), by default a neutral word. */
export function usePersonName(id: number, otherwise?: string | null): string {
  const t = useT();
  const { workspace, client } = useSession();
  const { data: name, isError } = useQuery({
    queryKey: personNameKey(workspace, id),
    queryFn: (context) => readName({ workspace, client }, id, context),
    staleTime: SETTLED,
  });
  return name ?? (isError || name === null ? (otherwise ?? t('person.unknown')) : '');
}
