// The groups of the records of a question, with counts and sums.

import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Field, Group, Page } from '@workspace-records/client';
import { factsOf, isOfTime } from './field-facts.ts';
import type { RecordGroup } from './groups.ts';
import { type RecordQuestion, selectionOf } from './record-lists.ts';
import type { Session } from './session.ts';

/** The most groups in one answer; others are read on request. */
const AT_ONCE = 50;

export interface GroupQuestion extends Pick<RecordQuestion, 'q' | 'where'> {
  readonly by: Field;
  readonly sum: Field | undefined;
}

export function groupsQuery({ workspace, client }: Session, type: string, asked: GroupQuestion) {
  const { q, where, by, sum } = asked;
  const params = { q, where, by: by.key, sum: sum?.key };
  return infiniteQueryOptions({
    queryKey: [workspace, type, 'groups', 'table', params],
    queryFn: async ({ pageParam, signal }): Promise<Page<RecordGroup>> => {
      const isTime = isOfTime(by);
      const body = {
        ...selectionOf(asked),
        group_by: [isTime ? { field: by.key, by: 'month' as const } : by.key],
        metrics: metricsOf(asked),
        order_by: orderOf(by),
        limit: AT_ONCE,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      };
      const page = await client.records(type).aggregateQuery(body, { signal });
      const name = isTime ? `${by.key}:month` : by.key;
      return { ...page, data: page.data.map((group) => groupOf(group, name)) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

/** `records` counts them, `total` adds a field of theirs up. */
export function metricsOf({ sum }: Pick<GroupQuestion, 'sum'>) {
  const count = { name: 'records', op: 'count' as const };
  return sum === undefined
    ? [count]
    : [count, { name: 'total', op: 'sum' as const, field: sum.key }];
}

/** Months from the newest on; people and records by how much is theirs. */
function orderOf(by: Field) {
  if (isOfTime(by)) return { name: `${by.key}:month`, direction: 'desc' as const };
  if (factsOf(by).refers_to !== null) {
    return { name: 'records', direction: 'desc' as const };
  }
  return { name: by.key, direction: 'asc' as const };
}

function groupOf(group: Group, name: string): RecordGroup {
  const { records, total = null } = group;
  // A sum with more digits than a number keeps is a text.
  const sum = total === null ? null : Number(total);
  return { value: group[name] ?? null, count: Number(records), sum };
}
