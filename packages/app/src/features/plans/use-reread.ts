// Reads the definition again when a plan is of a newer revision than the one that is shown.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { definitionQuery, useDefinition } from '../../lib/definition/draft.ts';
import { useSession } from '../../lib/session.ts';

export function useReread(planned: number | undefined): void {
  const session = useSession();
  const queries = useQueryClient();
  const { present } = useDefinition();
  const { queryKey } = definitionQuery(session);
  const isOld = planned !== undefined && planned > present.revision;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is another object each time.
  useEffect(() => {
    if (isOld) void queries.invalidateQueries({ queryKey });
  }, [isOld, queries]);
}
