// Names of people by their ids: those that came with records, those of the offered people who are loaded, else by the ids themselves.

import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  type QueryClient,
  type QueryFunctionContext,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type Client, LIMITS } from '@workspace-records/client';
import { useMemo } from 'react';
import { useT } from './messages/index.ts';
import { personNameKey } from './name-keys.ts';
import { nameOfUser, peopleQuery } from './schema-queries.ts';
import { useSession, type WorkspaceClient } from './session.ts';
import { askingTogether } from './together.ts';

const NOBODY: ReadonlyMap<number, string> = new Map();
const SETTLED = 300_000;

/** Null: the person may not know it. */
type Name = string | null;

const askName = askingTogether<number, Name>({
  most: LIMITS.pageSize.maximum,
  alone: async (client, id, signal) => (await namesOf(client, [id], signal)).get(id) ?? null,
  async together(client, ids, signal) {
    const names = await namesOf(client, ids, signal);
    return ids.map((id) => names.get(id) ?? null);
  },
});

/** The names of up to a hundred people; those that the person may not know are left out (D801). */
async function namesOf(
  client: Client,
  ids: readonly number[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  const query = { ids: ids.join(','), limit: LIMITS.pageSize.maximum };
  const users = client.users.all(query, signal === undefined ? {} : { signal });
  for await (const user of users) names.set(user.id, nameOfUser(user));
  return names;
}

/** Empty while it is not needed or not known. */
export function usePeople(isWanted = true): ReadonlyMap<number, string> {
  return useQuery({ ...peopleQuery(useSession()), enabled: isWanted }).data ?? NOBODY;
}

/** Milliseconds without a key before the request. */
const PAUSE = 150;
const FOUND = 20;

/** People to choose from: the first hundred, and of more than these the ones that a typed text finds. */
export function useFoundPeople(text: string, isWanted = true): ReadonlyMap<number, string> {
  const { workspace, client } = useSession();
  const people = usePeople(isWanted);
  const [q] = useDebouncedValue(text.trim(), PAUSE);
  const { data = NOBODY } = useQuery({
    queryKey: [workspace, 'people', 'found', q],
    queryFn: async ({ signal }) => {
      const found = await client.users.list({ q, limit: FOUND }, { signal });
      return new Map(found.data.map((user) => [user.id, nameOfUser(user)]));
    },
    enabled: q !== '' && people.size >= LIMITS.pageSize.maximum,
    staleTime: SETTLED,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => (data.size === 0 ? people : new Map([...people, ...data])), [people, data]);
}

/** Names of people beyond the offered lists: people who have left, or who are not among the first hundred. */
export function useNamesOfPeople(ids: readonly number[]): ReadonlyMap<number, string> {
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [workspace, 'people', 'others', ids],
    // A name that comes later would replace what is typed in its place.
    initialData: () => shownNames(queries, workspace, ids),
    queryFn: async ({ signal }) => {
      const names = await Promise.all(ids.map((id) => askName(client, id, signal)));
      return new Map(ids.flatMap((id, place) => (names[place] ? [[id, names[place]]] : [])));
    },
    enabled: ids.length > 0,
    staleTime: SETTLED,
    placeholderData: keepPreviousData,
  });
  return data ?? NOBODY;
}

/** Undefined: not all of these names have been shown. */
function shownNames(
  queries: QueryClient,
  workspace: string,
  ids: readonly number[],
): ReadonlyMap<number, string> | undefined {
  const names = new Map<number, string>();
  for (const id of ids) {
    const name = queries.getQueryData<Name>(personNameKey(workspace, id));
    if (name === undefined) return undefined;
    if (name !== null) names.set(id, name);
  }
  return names;
}

async function readName(
  session: WorkspaceClient,
  id: number,
  { client: queries, signal }: QueryFunctionContext,
): Promise<Name> {
  const known = queries.getQueryData(peopleQuery(session).queryKey)?.get(id);
  return known ?? askName(session.client, id, signal);
}

/** Empty while it is not known; `otherwise` where the person may not know it (D19), by default a neutral word. */
export function usePersonName(id: number, otherwise?: string | null): string {
  return useNameOf({ id, name: null }, otherwise);
}

interface Named {
  /** Null: the person is gone. */
  readonly id: number | null;
  /** Null: the person has none, or is not known. */
  readonly name: string | null;
}

/** The name that came with what the person has made, else that of `usePersonName`. */
export function useNameOf({ id, name: given }: Named, otherwise?: string | null): string {
  const t = useT();
  const { workspace, client } = useSession();
  const { data, isError } = useQuery({
    queryKey: personNameKey(workspace, id ?? 0),
    queryFn: (context) => (id === null ? null : readName({ workspace, client }, id, context)),
    staleTime: SETTLED,
    enabled: given === null,
  });
  const name = given ?? data;
  return name ?? (isError || name === null ? (otherwise ?? t('person.unknown')) : '');
}
