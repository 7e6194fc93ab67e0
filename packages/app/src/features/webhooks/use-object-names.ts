// Names of objects by their types.

import { useQuery } from '@tanstack/react-query';
import { objectsQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

/** A function that returns the name of an object; its key, when it is gone or not loaded yet. */
export function useObjectNames(): (objectType: string) => string {
  const { data: objects = [] } = useQuery(objectsQuery(useSession()));
  const names = new Map(objects.map(({ object_type, name }) => [object_type, name]));
  return (objectType) => names.get(objectType) ?? objectType;
}
