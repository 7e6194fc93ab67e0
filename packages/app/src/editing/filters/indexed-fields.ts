// The fields with an index: parts of texts are found in those only, and objects do not list them with their fields.

import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../lib/session.ts';
import type { FilterField } from './filter-fields.ts';

interface Declared {
  readonly objects?: Readonly<
    Record<
      string,
      { readonly fields?: Readonly<Record<string, { readonly indexed?: boolean } | null>> }
    >
  >;
}

/** False while it is not known; where it cannot be known, the service is left to refuse. */
export function useIsIndexed(): (field: FilterField) => boolean {
  const { workspace, client } = useSession();
  const { data, isError } = useQuery({
    queryKey: [workspace, 'definition', 'document'],
    queryFn: async ({ signal }) =>
      (await client.definition.get({}, { signal })).document as Declared,
    staleTime: 300_000,
  });
  return ({ object, field }) => {
    if (field.key === object.display_field || isError) return true;
    const fields = data?.objects?.[object.object_type]?.fields;
    return fields?.[field.key]?.indexed === true;
  };
}
