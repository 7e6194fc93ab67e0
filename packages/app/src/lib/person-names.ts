// Names of people by their ids: those that came with records, else of a hundred at once, then of those one by one who are
// not among them.

import { useQuery } from '@tanstack/react-query';
import { personNameKey } from './name-keys.ts';
import { peopleQuery } from './schema-queries.ts';
import { useSession } from './session.ts';

const NOBODY: ReadonlyMap<number, string> = new Map();
const SETTLED = 300_000;

/** Empty while it is not wanted or not known. */
export function usePeople(isWanted = true): ReadonlyMap<number, string> {
  return useQuery({ ...peopleQuery(useSession()), enabled: isWanted }).data ?? NOBODY;
}

/** Empty while it is not known; the number where the person may not know it. */
export function usePersonName(id: number): string {
  const { workspace, client } = useSession();
  const { data: name, isError } = useQuery({
    queryKey: personNameKey(workspace, id),
    queryFn: async ({ signal, client: queries }) => {
      const people = await queries.ensureQueryData(peopleQuery({ workspace, client }));
      const known = people.get(id);
      if (known !== undefined) return known;
      const { name: found, email } = await client.users.get(id, { signal });
      return found ?? email ?? `#${id}`;
    },
    staleTime: SETTLED,
  });
  return name ?? (isError ? `#${id}` : '');
}
