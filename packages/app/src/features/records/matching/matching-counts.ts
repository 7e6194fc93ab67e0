// The number of records that a list matches, and by status: one bounded request each, when somebody wants to change
// all of them.

import { useQuery } from '@tanstack/react-query';
import type { Where } from '@workspace-records/client';
import { selectionOf } from '../../../lib/record-lists.ts';
import { type Session, useSession } from '../../../lib/session.ts';
import type { MatchingQuestion } from './selection.ts';
import type { StatusCounts } from './status-targets.ts';

const COUNT = [{ name: 'records', op: 'count' as const }];
/** Statuses of a workflow; those beyond are not offered. */
const MOST_STATUSES = 100;

/** Undefined until it is known. */
export function useMatchingCount(
  type: string,
  { q, where }: MatchingQuestion,
  isWanted: boolean,
): number | undefined {
  const session = useSession();
  const { data } = useQuery({
    queryKey: [session.workspace, type, 'groups', 'matching', { q, where }],
    queryFn: async ({ signal }) => {
      const body = { ...selectionOf({ q, where }), metrics: COUNT };
      const { data: groups } = await session.client.records(type).aggregateQuery(body, { signal });
      return Number(groups[0]?.records);
    },
    enabled: isWanted,
  });
  return data;
}

export async function countByStatus(
  { client }: Session,
  type: string,
  parts: readonly Where[],
): Promise<StatusCounts> {
  const body = {
    ...selectionOf({ q: '', where: parts }),
    group_by: ['status'],
    metrics: COUNT,
    limit: MOST_STATUSES,
  };
  const { data } = await client.records(type).aggregateQuery(body);
  const known = data.filter(({ status }) => typeof status === 'string');
  return new Map(known.map(({ status, records }) => [String(status), Number(records)]));
}
