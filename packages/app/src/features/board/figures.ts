// The number of records in each column, and the sum of one of their fields: one query for all columns; cards do not
// wait for it.

import { queryOptions } from '@tanstack/react-query';
import type { Group, Page } from '@workspace-records/client';
import { type GroupQuestion, metricsOf } from '../../lib/group-query.ts';
import { selectionOf } from '../../lib/record-lists.ts';
import type { Session } from '../../lib/session.ts';

export interface Figures {
  readonly count: number;
  /** Undefined without a sum. */
  readonly sum: number | undefined;
}

/** The figures by the id of the column. */
export type FiguresByColumn = Readonly<Record<string, Figures>>;

/** Columns in one answer. */
const AT_ONCE = 100;
/** Values that are counted, and so the most columns that a board has. */
export const MOST_COLUMNS = 1000;

export function figuresQuery({ workspace, client }: Session, type: string, asked: GroupQuestion) {
  const { q, where, by, sum } = asked;
  const params = { q, where, by: by.key, sum: sum?.key };
  return queryOptions({
    queryKey: [workspace, type, 'groups', 'board', params],
    queryFn: async ({ signal }): Promise<FiguresByColumn> => {
      const metrics = metricsOf(asked);
      const body = { ...selectionOf(asked), group_by: [by.key], metrics, limit: AT_ONCE };
      const groups: Group[] = [];
      let cursor: string | null = null;
      do {
        const wished = cursor === null ? body : { ...body, cursor };
        const page: Page<Group> = await client.records(type).aggregateQuery(wished, { signal });
        groups.push(...page.data);
        cursor = page.pagination.next_cursor;
      } while (cursor !== null && groups.length < MOST_COLUMNS);
      return Object.fromEntries(
        groups.map((group) => [String(group[by.key] ?? ''), figuresOf(group, sum !== undefined)]),
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function figuresOf(group: Readonly<Record<string, unknown>>, isSummed: boolean): Figures {
  return { count: Number(group.records), sum: isSummed ? Number(group.total ?? 0) : undefined };
}

/** The figures after a record has moved between columns; a value that is not a number adds nothing. */
export function movedFigures(
  figures: FiguresByColumn,
  { from, to }: { readonly from: string; readonly to: string },
  value: unknown,
): FiguresByColumn {
  const amount = Number(value ?? 0);
  const changed = (column: string, by: 1 | -1): Figures => {
    const { count, sum } = figures[column] ?? { count: 0, sum: anySum(figures) };
    return { count: Math.max(0, count + by), sum: sum === undefined ? sum : sum + by * amount };
  };
  if (from === to) return figures;
  return { ...figures, [from]: changed(from, -1), [to]: changed(to, 1) };
}

function anySum(figures: FiguresByColumn): number | undefined {
  return Object.values(figures).some(({ sum }) => sum !== undefined) ? 0 : undefined;
}
