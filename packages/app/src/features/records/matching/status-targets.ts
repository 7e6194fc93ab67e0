// The statuses that all matching records can be moved to, by how many of them have which status. Pure.

import type { Where, Workflow } from '@workspace-records/client';
import { obstacleOf } from '../../../editing/status-moves.ts';

/** Records of the selection by their status. */
export type StatusCounts = ReadonlyMap<string, number>;

export interface MatchingTarget {
  readonly id: string;
  readonly name: string;
  /** The statuses that a move leads here from, with records in them. */
  readonly from: readonly string[];
  /** Records in these statuses. */
  readonly count: number;
  /** The number of them that the workflow has no way back for. */
  readonly stuck: number;
}

export function targetsOf(workflow: Workflow, counts: StatusCounts): readonly MatchingTarget[] {
  return workflow.statuses.flatMap(({ id, name }) => {
    const from = [...counts.keys()].filter((status) => canMove(workflow, status, id));
    if (from.length === 0) return [];
    const sum = (statuses: readonly string[]) =>
      statuses.reduce((total, status) => total + (counts.get(status) ?? 0), 0);
    const closed = from.filter((status) => !canMove(workflow, id, status));
    return [{ id, name: name ?? id, from, count: sum(from), stuck: sum(closed) }];
  });
}

/** Only the records that can be moved are selected. */
export function partOfTarget({ from }: Pick<MatchingTarget, 'from'>): Where {
  return { field: 'status', op: 'in', value: [...from] };
}

function canMove(workflow: Workflow, from: string, to: string): boolean {
  return obstacleOf(workflow, from, to) === undefined;
}
