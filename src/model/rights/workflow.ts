// Workflow rules: which status a new record gets and which moves are allowed. Pure.

import {
  type ObjectModel,
  type Status,
  WORK_ITEMS,
  type Workflow,
  type WorkspaceModel,
} from '../definition/model.ts';

/** The workflow of a record: its object's, or for work items that of its type. */
export function workflowOf(
  model: WorkspaceModel,
  object: ObjectModel,
  workItemTypeId: unknown,
): Workflow | null {
  if (object.object_type !== WORK_ITEMS) return object.workflow;
  return model.work_item_types.get(String(workItemTypeId))?.workflow ?? null;
}

/** True when the workflow lists the move (specification §3); the same status again is no move. */
export function isTransitionAllowed(workflow: Workflow, from: string | null, to: string): boolean {
  return from !== null && (workflow.statuses.get(from)?.transitions.includes(to) ?? false);
}

/** Every status of every workflow that records of this object can have. */
export function statusesOf(
  object: Pick<ObjectModel, 'object_type' | 'workflow'>,
  workItemTypes: WorkspaceModel['work_item_types'],
): ReadonlyMap<string, Status & { readonly workflow: string }> {
  const workflows =
    object.object_type === WORK_ITEMS
      ? new Set([...workItemTypes.values()].map((type) => type.workflow))
      : [object.workflow];
  const statuses = new Map<string, Status & { readonly workflow: string }>();
  for (const workflow of workflows) {
    for (const status of workflow?.statuses.values() ?? [])
      statuses.set(status.id, { ...status, workflow: workflow?.id ?? '' });
  }
  return statuses;
}
