// Questions about the deals of the demo, as people ask them: a filtered list, sums by status, the search
// box. The floor runs the statements of the service's own planner.

import type { ObjectModel } from '../src/model/model.ts';
import { planAggregate } from '../src/plan/aggregate-plan.ts';
import { planList } from '../src/plan/read-plan.ts';
import { recordQuery } from '../src/plan/record-query.ts';
import { aggregateSql } from '../src/sql/aggregate-sql.ts';
import { readSql } from '../src/sql/read-sql.ts';
import { toStatement } from '../src/sql/sql.ts';
import { type FloorQuestions, RECORDS, searchQuestions } from './floor-tasks.ts';
import type { Visitor } from './site.ts';

const LIMIT = 25;
const FIELDS = ['name', 'status', 'close_value', 'close_date'];

/** Deals that are won, from another value each, newest first. */
export function filteredListQuestions({ context }: Visitor): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const values = Array.from({ length: 100 }, (_, index) => String(100 + 50 * index));
  const statements = values.map((value) => {
    const query = recordQuery({
      where: {
        all: [
          { param: '', field: 'status', op: 'eq', value: 'won', text: true },
          { param: '', field: 'close_value', op: 'gte', value, text: true },
        ],
      },
      fields: FIELDS,
      sort: [{ param: '', field: 'close_date', direction: 'desc' }],
    });
    const request = { endpoint: 'list', query, limit: LIMIT, cursor: undefined } as const;
    return toStatement(readSql(planList(model, caller, deals, request)));
  });
  return {
    name: 'filtered-list',
    task: 'list of 25, two filters and a sort',
    target: 0.95,
    requests: values.map((value) => ({
      path: `${RECORDS}?filter[status]=won&filter[close_value][gte]=${value}&sort=-close_date&fields=${FIELDS}`,
    })),
    statements,
  };
}

/** How many deals there are of each status, and what they are worth. */
export function sumQuestions({ context }: Visitor): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const metrics = [
    { name: 'deals', op: 'count' },
    { name: 'total', op: 'sum', field: 'close_value' },
  ] as const;
  const group_by = ['status'];
  const plan = planAggregate(model, caller, deals, {
    ...{ query: recordQuery({}), group_by, metrics },
    ...{ order_by: undefined, limit: LIMIT, cursor: undefined },
  });
  return {
    name: 'sums',
    task: 'aggregate of four groups',
    target: 0.95,
    requests: [
      {
        path: `${RECORDS}/aggregate`,
        method: 'POST',
        body: JSON.stringify({ group_by, metrics, limit: LIMIT }),
      },
    ],
    statements: [toStatement(aggregateSql(plan))],
  };
}

/** Names of companies as they are typed into the search box. */
export async function searchBoxQuestions(visitor: Visitor): Promise<FloorQuestions> {
  const rows = await visitor.context.db.query({
    text: 'select name from ws_demo.companies order by md5(id::text) limit 60',
    values: [],
  });
  const texts = rows.map(({ name }, index) => {
    const text = String(name);
    return index % 2 === 0 ? text : text.slice(0, 4);
  });
  return { ...searchQuestions(visitor, texts), name: 'search-box', target: 0.9 };
}
