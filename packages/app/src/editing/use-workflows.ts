// The workflows of an object, by their ids.

import { useQueries } from '@tanstack/react-query';
import type { ObjectDefinition, Workflow } from '@workspace-records/client';
import { useMemo } from 'react';
import { workflowQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { workflowReferencesOf } from './status-moves.ts';

export type Workflows = ReadonlyMap<string, Workflow>;

/** Without those that are not loaded yet. */
export function useWorkflows(object: ObjectDefinition): Workflows {
  const session = useSession();
  const references = useMemo(() => workflowReferencesOf(object), [object]);
  return useQueries({
    queries: references.map(({ id }) => workflowQuery(session, id)),
    combine: byId,
  });
}

/** One function for all: with another one at each call the answer would be another one too. */
function byId(results: readonly { readonly data: Workflow | undefined }[]): Workflows {
  const loaded = results.flatMap(({ data }) => data ?? []);
  return new Map(loaded.map((workflow) => [workflow.id, workflow]));
}
