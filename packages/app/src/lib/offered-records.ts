// Records of an object to choose from: those that the service finds for what is typed, else the newest.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSession } from './session.ts';

const OFFERED = 20;

export interface OfferedRecord {
  readonly value: string;
  readonly label: string;
}

const NOTHING: readonly OfferedRecord[] = [];

export function useOfferedRecords(type: string, q: string): readonly OfferedRecord[] {
  const { workspace, client } = useSession();
  const { data = NOTHING } = useQuery({
    queryKey: [workspace, type, 'offered', q],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED, ...(q === '' ? {} : { q }) };
      const { data: found } = await client.records(type).list(query, { signal });
      return found.map(({ id, display }) => ({ value: id, label: display ?? id }));
    },
    placeholderData: keepPreviousData,
  });
  return data;
}
