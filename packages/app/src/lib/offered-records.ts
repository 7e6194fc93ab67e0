// Records of an object to choose from: the hits for the typed text, else the newest.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { folded } from '../../../tables/src/folded.ts';
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

/** Offered records and the state of the request. Objects without a name to search by offer their newest records. */
export function useOffer(type: string, q: string) {
  const session = useSession();
  const { workspace, client } = session;
  const { data: objects = [] } = useQuery(objectsQuery(session));
  const object = objects.find(({ object_type }) => object_type === type);
  const isSearched = object?.capabilities.search === true && object.display_field !== null;
  const searchText = isSearched ? q : '';
  const { data, isPending, isPlaceholderData, error } = useQuery({
    queryKey: [workspace, type, 'offered', searchText],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED, ...(searchText === '' ? {} : { q: searchText }) };
      const { data: found } = await client.records(type).list(query, { signal });
      return bestFirst(
        found.map(({ id, display }) => ({ value: id, label: display ?? id })),
        searchText,
      );
    },
    placeholderData: keepPreviousData,
  });
  return { offered: data ?? NOTHING, isSearched, isPending, isPlaceholderData, error };
}

/** Names that begin with the text, then those with a word that does; else in the order of the service. */
export function bestFirst(
  offered: readonly OfferedRecord[],
  text: string,
): readonly OfferedRecord[] {
  const wanted = folded(text);
  const rank = ({ label }: OfferedRecord) => {
    const name = folded(label);
    return name.startsWith(wanted) ? 0 : name.includes(` ${wanted}`) ? 1 : 2;
  };
  return offered.toSorted((one, other) => rank(one) - rank(other));
}
