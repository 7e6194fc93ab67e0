// The statement of a search. Its text depends on the rights of the caller only: it is made once for all that they look
// for (D371), and goes under a short name, because to print and compare 15 kB took a fifth of a search.

import { createHash } from 'node:crypto';
import type { ExpandInput } from '../../../plan/read/record-query.ts';
import { planSearch, type SearchPlan } from '../../../plan/search/search-plan.ts';
import { searchValues } from '../../../plan/search/search-question.ts';
import { printParameters } from '../../../postgres/wire-values.ts';
import { withValues } from '../../../sql/read/search-scope-sql.ts';
import { searchSql } from '../../../sql/read/search-sql.ts';
import { type Statement, toStatement } from '../../../sql/sql.ts';
import { cachedPlan } from './plan-cache.ts';
import type { ReadContext } from './read-statement.ts';

export interface SearchRequest {
  readonly text: string;
  readonly expand?: readonly ExpandInput[];
  readonly limit: number;
}

export interface PlannedSearch {
  readonly plan: SearchPlan;
  readonly statement: Statement;
}

/** Undefined when there can be no hit, because of the text or of the rights. */
export function plannedSearch(
  context: Pick<ReadContext, 'model' | 'caller'>,
  { text, expand = [], limit }: SearchRequest,
): PlannedSearch | undefined {
  const question = `search ${JSON.stringify([limit, expand])}`;
  const cachedSearch = cachedPlan(context, question, (planner) => {
    const plan = planSearch(context.model, planner, { expand, limit });
    return plan && { plan, statement: named(toStatement(searchSql(plan))) };
  });
  const values = searchValues(text, limit);
  if (cachedSearch === undefined || values === undefined) return undefined;
  const { plan, statement } = cachedSearch;
  return { plan, statement: { ...statement, values: withValues(statement.values, values) } };
}

/** Lists that stay the same are printed here. */
function named({ text, values }: Statement): Statement {
  const key = createHash('sha1').update(text).digest('base64url');
  return { text, key, values: printParameters(values) };
}
