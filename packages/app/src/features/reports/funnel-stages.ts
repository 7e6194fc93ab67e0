// The stages of a funnel: the statuses of a workflow, and for each the statuses whose records have certainly passed it.
// A status dominates another when every way from the initial one to the other leads through it. Pure.

import type { Workflow } from '@workspace-records/client';

export interface Stage {
  readonly id: string;
  readonly name: string;
  /** Statuses of records that are in this one or have passed it, itself first. */
  readonly reached: readonly string[];
  /** No way leads on from it that does not begin again. */
  readonly isEnd: boolean;
}

type Shape = Pick<Workflow, 'statuses'>;

/** The stages in the order of the workflow; its first status is the initial one. */
export function stagesOf({ statuses }: Shape): readonly Stage[] {
  const [initial] = statuses;
  if (initial === undefined) return [];
  const all = reachable({ statuses }, initial.id, undefined);
  return statuses.map(({ id, name, transitions }) => {
    const without = reachable({ statuses }, initial.id, id);
    // A status that no way leads to is reached by its own records only.
    const behind = all.has(id) ? [...all].filter((one) => one !== id && !without.has(one)) : [];
    const onward = transitions.filter((one) => one.id !== initial.id && behind.includes(one.id));
    return { id, name: name ?? id, reached: [id, ...behind], isEnd: onward.length === 0 };
  });
}

/** The statuses that ways from one lead to without another. */
function reachable(
  { statuses }: Shape,
  from: string,
  without: string | undefined,
): ReadonlySet<string> {
  const visited = new Set<string>();
  const next = [from];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (id === without || visited.has(id)) continue;
    visited.add(id);
    next.push(...(statuses.find((one) => one.id === id)?.transitions ?? []).map((one) => one.id));
  }
  return visited;
}
