// Names of people by their ids: of a hundred at once, then of those one by one who are not among them.

import { useQuery } from '@tanstack/react-query';
import { peopleQuery } from './schema-queries.ts';
import { useSession } from './session.ts';

const NOBODY: ReadonlyMap<number, string> = new Map();
const SETTLED = 300_000;

export function usePeople(): ReadonlyMap<number, string> {
  return useQuery(peopleQuery(useSession())).data ?? NOBODY;
}

/** Empty while it is not known; the number where the person may not know it. */
export function usePersonName(id: number): string {
  const { workspace, client } = useSession();
  const { data: name, isPending } = useQuery({
    ...peopleQuery({ workspace, client }),
    select: (people) => people.get(id),
  });
  const { data: other, isError } = useQuery({
    queryKey: [workspace, 'person', id],
    queryFn: async ({ signal }) => {
      const { name: found, email } = await client.users.get(id, { signal });
      return found ?? email ?? `#${id}`;
    },
    staleTime: SETTLED,
    enabled: !isPending && name === undefined,
  });
  return name ?? other ?? (isError ? `#${id}` : '');
}
