// Records of an object to choose from: the hits for the typed text, else the newest.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { objectsQuery } from './schema-queries.ts';
import { useSession } from './session.ts';

const OFFERED = 20;

export interface OfferedRecord {
  readonly value: string;
  readonly label: string;
}

const NOTHING: readonly OfferedRecord[] = [];

export function useOfferedRecords(type: string, q: string): readonly OfferedRecord[] {
  return useOffer(type, q).offered;
}

/** The same with the state of the request. Objects without a name to search by offer their newest. */
export function useOffer(type: string, q: string) {
  const session = useSession();
  const { workspace, client } = session;
  const { data: objects = [] } = useQuery(objectsQuery(session));
  const object = objects.find(({ object_type }) => object_type === type);
  const isSearched = object?.capabilities.search === true && object.display_field !== null;
  const asked = isSearched ? q : '';
  const { data, isPending, isPlaceholderData, error } = useQuery({
    queryKey: [workspace, type, 'offered', asked],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED, ...(asked === '' ? {} : { q: asked }) };
      const { data: found } = await client.records(type).list(query, { signal });
      return found.map(({ id, display }) => ({ value: id, label: display ?? id }));
    },
    placeholderData: keepPreviousData,
  });
  return { offered: data ?? NOTHING, isSearched, isPending, isPlaceholderData, error };
}
