// Statuses that records cannot come to, and those that they cannot leave. Pure.

import { targetOf, type WorkflowEntry } from '../../lib/definition/document.ts';
import { movesOf, statusesOf } from './workflow-edits.ts';

export type StatusProblem = 'unreachable' | 'dead_end';

/** The categories of statuses that end the work on a record. */
const ENDS: ReadonlySet<string> = new Set(['done', 'cancelled']);

/** The problems by status; an unreachable status has no other problem. */
export function problemsOf(workflow: WorkflowEntry): ReadonlyMap<string, StatusProblem> {
  const reachable = reachableIn(workflow);
  return new Map(
    statusesOf(workflow).flatMap((key): (readonly [string, StatusProblem])[] => {
      if (!reachable.has(key)) return [[key, 'unreachable']];
      const isEnd = ENDS.has(workflow.statuses[key]?.category ?? '');
      return movesOf(workflow, key).length === 0 && !isEnd ? [[key, 'dead_end']] : [];
    }),
  );
}

/** The statuses that any number of moves reaches from the initial status. */
function reachableIn(workflow: WorkflowEntry): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [workflow.initial];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (reached.has(key) || workflow.statuses[key] === undefined) continue;
    reached.add(key);
    waiting.push(...movesOf(workflow, key).map(targetOf));
  }
  return reached;
}
