// Names of objects by their types; one that the person may not see is its own name.

import { useQuery } from '@tanstack/react-query';
import { objectsQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

export function useObjectName(): (objectType: string) => string {
  const { data: objects = [] } = useQuery(objectsQuery(useSession()));
  return (type) => objects.find(({ object_type }) => object_type === type)?.name ?? type;
}
