// Work items below work items: which of them have some, and how those are read.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { askTogether } from './ask-together.ts';
import { WORK_ITEMS } from './schema-queries.ts';
import type { WorkspaceClient } from './session.ts';

export const PARENT_KEY = 'parent_work_item_id';
/** The relationship of a work item with those below it. */
export const CHILDREN = `inv.work_items.${PARENT_KEY}`;

const AT_ONCE = 50;

export function hasTree({ object_type, fields }: ObjectDefinition): boolean {
  return object_type === WORK_ITEMS && fields.some(({ key }) => key === PARENT_KEY);
}

/** The children of a work item in the order of creation. */
export function childrenQuery({ workspace, client }: WorkspaceClient, id: string) {
  return infiniteQueryOptions({
    queryKey: [workspace, WORK_ITEMS, 'linked', id, 'children'],
    queryFn: ({ pageParam: cursor, signal }) =>
      askTogether(
        client,
        {
          object_type: WORK_ITEMS,
          filters: { [PARENT_KEY]: { eq: id } },
          sort: [{ field: 'created_at' }],
          fields: [PARENT_KEY],
          limit: AT_ONCE,
          ...(cursor === undefined ? {} : { cursor }),
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

export interface StatusCount {
  readonly status: string | null;
  readonly count: number;
}

export function countStatuses(items: readonly RecordData[]): readonly StatusCount[] {
  const counts = new Map<string | null, number>();
  for (const { status } of items) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => ({ status, count }));
}

/** The number of its descendants in each status. */
export function progressQuery({ workspace, client }: WorkspaceClient, id: string) {
  return queryOptions({
    queryKey: [workspace, WORK_ITEMS, 'linked', id, 'progress'],
    queryFn: async ({ signal }): Promise<readonly StatusCount[]> => {
      const body = {
        filters: { [PARENT_KEY]: { eq: id } },
        group_by: ['status'],
        metrics: [{ name: 'records', op: 'count' as const }],
        limit: 100,
      };
      const { data } = await client.records(WORK_ITEMS).aggregate(body, { signal });
      return data.map(({ status, records }) => ({
        status: typeof status === 'string' ? status : null,
        count: Number(records),
      }));
    },
  });
}
