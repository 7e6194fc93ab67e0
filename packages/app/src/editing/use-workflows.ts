// The workflows of an object, by their ids.

import { useQueries, useQuery } from '@tanstack/react-query';
import type { ObjectDefinition, Workflow, WorkflowReference } from '@workspace-records/client';
import { useMemo } from 'react';
import { workflowQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { workflowReferencesOf } from './status-moves.ts';

export type Workflows = ReadonlyMap<string, Workflow>;

/** Undefined until it is needed and loaded. */
export function useWorkflow(
  reference: WorkflowReference | undefined,
  isWanted: boolean,
): Workflow | undefined {
  const asked = workflowQuery(useSession(), reference?.id ?? '');
  return useQuery({ ...asked, enabled: isWanted && reference !== undefined }).data;
}

/** The loaded workflows of an object; each is requested on first use. */
export function useWorkflows(object: ObjectDefinition, isWanted: boolean): Workflows {
  const session = useSession();
  const references = useMemo(() => workflowReferencesOf(object), [object]);
  return useQueries({
    queries: references.map(({ id }) => ({ ...workflowQuery(session, id), enabled: isWanted })),
    combine: byId,
  });
}

/** The loaded workflows by id. One function for all calls: another function would give another answer. */
function byId(results: readonly { readonly data: Workflow | undefined }[]): Workflows {
  const loaded = results.flatMap(({ data }) => data ?? []);
  return new Map(loaded.map((workflow) => [workflow.id, workflow]));
}
