// Names of the fields of an object that a file of an import goes to.

import { useQuery } from '@tanstack/react-query';
import { nameOf } from '../../editing/filters/filter-fields.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

/** The name behind a key, or the key where there is none; undefined until the names have come, as keys would be seen before. */
export function useFieldNames(type: string | undefined): ((key: string) => string) | undefined {
  const { data: names, isPending } = useQuery({
    ...objectQuery(useSession(), type ?? ''),
    select: ({ fields }) => new Map(fields.map((field) => [field.key, nameOf(field)])),
  });
  return isPending ? undefined : (key) => names?.get(key) ?? key;
}
