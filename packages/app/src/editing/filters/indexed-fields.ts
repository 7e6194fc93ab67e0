// The fields with an index: parts of texts are found in those only, and objects do not list them with their fields.

import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession, type WorkspaceClient } from '../../lib/session.ts';
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
  const { data, isError } = useQuery(declaredQuery(useSession()));
  return ({ object, field }) => {
    if (field.key === object.display_field || isError) return true;
    const fields = data?.objects?.[object.object_type]?.fields;
    return fields?.[field.key]?.indexed === true;
  };
}

/** Keys of the fields of an object; undefined while they are not known. */
export function useIndexedKeys(type: string, isWanted: boolean): ReadonlySet<string> | undefined {
  const { data } = useQuery({ ...declaredQuery(useSession()), enabled: isWanted });
  return useMemo(() => {
    if (data === undefined) return undefined;
    const fields = Object.entries(data.objects?.[type]?.fields ?? {});
    return new Set(fields.flatMap(([key, field]) => (field?.indexed === true ? [key] : [])));
  }, [data, type]);
}

function declaredQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'document'],
    queryFn: async ({ signal }) =>
      (await client.definition.get({}, { signal })).document as Declared,
    staleTime: 300_000,
  });
}
