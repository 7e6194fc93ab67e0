// Where a record may be moved to, as its workflow says it: the same for its page, the board and many records at once.
// Pure; the service judges each move when it is made.

import type {
  ObjectDefinition,
  RecordData,
  Tint,
  Transition,
  Workflow,
  WorkflowReference,
} from '@workspace-records/client';
import { tintOf } from '../lib/tints.ts';

/** Why a record may not be moved to a status. */
export type Obstacle =
  /** The record has the status. */
  | { readonly kind: 'here' }
  /** The workflow of the record does not have the status. */
  | { readonly kind: 'foreign' }
  /** The workflow has no way there from its present status. */
  | { readonly kind: 'unlisted' }
  /** Somebody else has to make the move. */
  | { readonly kind: 'approval'; readonly approvers: Transition['approvers'] };

export interface StatusMove {
  readonly status: string;
  readonly name: string;
  readonly tint: Tint;
  /** Undefined: the person may make it. */
  readonly obstacle: Obstacle | undefined;
  /** True: it needs approval, which the person gives by making it. */
  readonly isApproval: boolean;
}

/** The workflows that records of the object can have, each once. */
export function workflowReferencesOf({
  workflow,
  work_item_types: types = [],
}: ObjectDefinition): readonly WorkflowReference[] {
  const all = [workflow, ...types.map((type) => type.workflow)].filter((one) => one !== null);
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** The workflow; for work items, the workflow of the item's type. */
export function workflowReferenceOf(
  { workflow, work_item_types: types = [] }: ObjectDefinition,
  record: Pick<RecordData, 'work_item_type_id'>,
): WorkflowReference | undefined {
  const type = types.find(({ id, slug }) => [id, slug].includes(record.work_item_type_id ?? ''));
  return type?.workflow ?? workflow ?? undefined;
}

export function tintOfStatus({ statuses }: Workflow, id: string): Tint {
  return tintOf(statuses.find((status) => status.id === id)?.color);
}

/**
 * The moves that a workflow lists from a status, in its order; those that need somebody else are among them. `isOwn`: of a
 * record that the person owns.
 */
export function movesFrom(
  workflow: Workflow,
  from: string | null,
  isOwn: boolean,
): readonly StatusMove[] {
  return transitionsFrom(workflow, from).map((transition) => ({
    status: transition.id,
    name: transition.name ?? transition.id,
    tint: tintOfStatus(workflow, transition.id),
    obstacle: obstacleOf(workflow, from, transition.id, isOwn),
    isApproval:
      transition.requires_approval === true &&
      (mayApprove(transition, isOwn) || transition.approval?.conditional !== true),
  }));
}

export function obstacleOf(
  workflow: Workflow,
  from: string | null,
  to: string,
  isOwn = false,
): Obstacle | undefined {
  if (!workflow.statuses.some(({ id }) => id === to)) return { kind: 'foreign' };
  const transition = transitionsFrom(workflow, from).find(({ id }) => id === to);
  // A workflow may list the present status: moving there again changes nothing that a board could show.
  if (from === to) return { kind: 'here' };
  if (transition === undefined) return { kind: 'unlisted' };
  // Whether a conditional gate is closed, the service decides by the record.
  const isGated =
    transition.requires_approval === true &&
    !mayApprove(transition, isOwn) &&
    transition.approval?.conditional !== true;
  return isGated ? { kind: 'approval', approvers: transition.approvers } : undefined;
}

function mayApprove({ can_approve, can_approve_own }: Transition, isOwn: boolean): boolean {
  return (isOwn ? can_approve_own : can_approve) === true;
}

/** The approvers of a move, as far as the person may know them; undefined: it needs none. */
export function approversIn(workflow: Workflow, from: string, to: string): Transition['approvers'] {
  return transitionsFrom(workflow, from).find(({ id }) => id === to)?.approvers;
}

/** No move leads out of it: a record that comes here stays. */
export function isFinal(workflow: Workflow, status: string): boolean {
  return transitionsFrom(workflow, status).every(({ id }) => id === status);
}

function transitionsFrom({ statuses }: Workflow, from: string | null): readonly Transition[] {
  return statuses.find(({ id }) => id === from)?.transitions ?? [];
}
