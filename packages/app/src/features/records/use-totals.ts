// The figures in the footer of a table: how many records match, and the totals of columns. One request, after the rows and
// never before them; none where all rows are loaded and no total is wanted.

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type RecordRows, selectionOf } from '../../lib/record-lists.ts';
import { type Session, useSession } from '../../lib/session.ts';
import type { Total } from '../../lib/totals.ts';
import type { AskedRecords } from './grid-parts.ts';

export interface Figures {
  readonly count: number;
  /** True: there are more records than `count`. */
  readonly isLeast: boolean;
  /** The totals by the key of the field; null: no record has a value. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Footer {
  readonly figures: Figures | undefined;
  readonly isFailed: boolean;
  /** The figures are those of the question before. */
  readonly isOld: boolean;
}

export function useTotals(
  type: string,
  asked: AskedRecords,
  { totals, rows }: { readonly totals: readonly Total[]; readonly rows: RecordRows },
): Footer {
  const isWhole = !rows.hasMore && rows.first === 0;
  const isCounted = isWhole && totals.length === 0;
  const query = useQuery({
    ...totalsQuery(useSession(), type, { ...asked, totals }),
    enabled: !rows.isPending && rows.error === null && !isCounted,
    placeholderData: keepPreviousData,
  });
  const { data, isError, isPlaceholderData } = query;
  const { count, isPending } = rows;
  return useMemo(() => {
    const loaded = { count, isLeast: false, values: {} };
    return {
      figures: isPending ? undefined : isCounted ? loaded : data,
      isFailed: !isCounted && isError,
      isOld: !isCounted && isPlaceholderData,
    };
  }, [count, isPending, isCounted, data, isError, isPlaceholderData]);
}

interface AskedTotals extends AskedRecords {
  readonly totals: readonly Total[];
}

/** The query of the totals. Its key begins like the keys of groups, so that events refetch both. */
function totalsQuery(session: Session, type: string, { q, where, totals }: AskedTotals) {
  return queryOptions({
    queryKey: [session.workspace, type, 'groups', 'totals', { q, where, totals }],
    queryFn: ({ signal }) =>
      totals.length === 0
        ? readCount(session, type, { q, where }, signal)
        : readTotals(session, type, { q, where, totals }, signal),
    // A sum that takes too long would take as long again.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The service counts up to ten thousand. */
async function readCount(
  { client }: Session,
  type: string,
  asked: AskedRecords,
  signal: AbortSignal,
): Promise<Figures> {
  const body = { ...selectionOf(asked), fields: ['id'], limit: 1, count: 'exact' as const };
  const { count } = await client.records(type).query(body, { signal });
  return { count: count?.value ?? 0, isLeast: count?.relation === 'at_least', values: {} };
}

async function readTotals(
  { client }: Session,
  type: string,
  asked: AskedTotals,
  signal: AbortSignal,
): Promise<Figures> {
  const { totals } = asked;
  const metrics = totals.map(({ key, kind }, index) => ({
    name: `total_${index}`,
    op: kind === 'filled' || kind === 'empty' ? ('count' as const) : kind,
    field: key,
  }));
  const body = {
    ...selectionOf(asked),
    metrics: [{ name: 'records', op: 'count' as const }, ...metrics],
    limit: 1,
  };
  const { data } = await client.records(type).aggregateQuery(body, { signal });
  const found = data[0] ?? {};
  const count = Number(found.records ?? 0);
  const measured = ({ kind }: Total, index: number) => {
    const value = found[`total_${index}`] ?? null;
    return kind === 'empty' ? count - Number(value) : value;
  };
  return {
    count,
    isLeast: false,
    values: Object.fromEntries(totals.map((total, at) => [total.key, measured(total, at)])),
  };
}
