// The plan of a draft of the definition: what it would do to records, and what blocks it.

import { queryOptions } from '@tanstack/react-query';
import type { DefinitionPlan } from '@workspace-records/client';
import type { WorkspaceClient } from '../session.ts';
import { type Definition, patchOnto } from './draft.ts';
import type { Edit } from './edits.ts';

export type PlanProblem = DefinitionPlan['problems'][number];

/** The effect of the edits on the definition in force; it stores nothing. */
export function planQuery(
  { workspace, client }: WorkspaceClient,
  present: Definition,
  edits: readonly Edit[],
) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'plan', present.revision, edits],
    queryFn: ({ signal }) => client.definition.plan(patchOnto(present, edits), { signal }),
    // The records that it counts change without it.
    staleTime: 0,
    gcTime: 0,
  });
}
