// Questions about the deals of the demo, as people ask them: a filtered list, sums by status, the search
// box. The floor runs the statements of the service's own planner.

import type { ObjectModel } from '../src/model/definition/model.ts';
import { planAggregate } from '../src/plan/read/aggregate-plan.ts';
import { planExpanded } from '../src/plan/read/expand-plan.ts';
import { planList } from '../src/plan/read/read-plan.ts';
import { recordQuery } from '../src/plan/read/record-query.ts';
import { aggregateSql } from '../src/sql/read/aggregate-sql.ts';
import { readSql } from '../src/sql/read/read-sql.ts';
import { toStatement } from '../src/sql/sql.ts';
import type { FloorWork } from './floor.ts';
import { type FloorQuestions, RECORDS, searchQuestions } from './floor-tasks.ts';
import type { Visitor } from './site.ts';

const LIMIT = 25;
const FIELDS = ['name', 'status', 'close_value', 'close_date'];

const VALUES = Array.from({ length: 100 }, (_, index) => String(100 + 50 * index));

/** Deals that are won, from another value each, newest first. */
export function filteredListQuestions({ context }: Visitor): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const statements = VALUES.map((value) => {
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
    requests: VALUES.map((value) => ({
      path: `${RECORDS}?filter[status]=won&filter[close_value][gte]=${value}&sort=-close_date&fields=${FIELDS}`,
    })),
    statements,
  };
}

/** The number of deals of each status, and their value. */
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

/** The same of the deals from another value on each time: no two concurrent requests are equal. */
export function differentSumQuestions({ context }: Visitor): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const metrics = [
    { name: 'deals', op: 'count' },
    { name: 'total', op: 'sum', field: 'close_value' },
  ] as const;
  const group_by = ['status'];
  const statements = VALUES.map((value) => {
    const param = '';
    const where = {
      param,
      field: 'close_value',
      op: 'gte',
      value: Number(value),
      text: false,
    } as const;
    const query = recordQuery({ where: { all: [where] } });
    const asked = { query, group_by, metrics, order_by: undefined, limit: LIMIT };
    return toStatement(aggregateSql(planAggregate(model, caller, deals, asked)));
  });
  return {
    name: 'different-sums',
    task: 'aggregate of four groups, all different',
    target: 1,
    requests: VALUES.map((value) => ({
      path: `${RECORDS}/aggregate`,
      method: 'POST',
      body: JSON.stringify({
        ...{ group_by, metrics, limit: LIMIT },
        filters: { close_value: { gte: Number(value) } },
      }),
    })),
    statements,
  };
}

const EXPANDED = ['company_id', 'product_id'];

/** Pages of won deals from another value each, with the companies and products they are about. */
export async function expandedQuestions({ context }: Visitor): Promise<FloorQuestions> {
  const { db, model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const statements: FloorWork[] = [];
  for (const value of VALUES) {
    const query = recordQuery({
      where: {
        all: [
          { param: '', field: 'status', op: 'eq', value: 'won', text: true },
          { param: '', field: 'close_value', op: 'gte', value, text: true },
        ],
      },
      fields: FIELDS,
      sort: [{ param: '', field: 'close_date', direction: 'desc' }],
      expand: EXPANDED.map((field) => ({ param: '', field, fields: null })),
    });
    const request = { endpoint: 'list', query, limit: LIMIT, cursor: undefined } as const;
    const plan = planExpanded(model, caller, deals, request);
    const first = toStatement(readSql(plan));
    const rows = (await db.query(first)).slice(0, LIMIT);
    const next = (plan.expand ?? []).flatMap(({ column, target }) => {
      if (target === undefined || target === 'user') return [];
      const ids = new Set(rows.map((row) => row[column] as string | null));
      ids.delete(null);
      return [toStatement(readSql({ ...target, fields: [], ids: [...ids] as readonly string[] }))];
    });
    statements.push({ first, next });
  }
  return {
    name: 'expanded',
    task: 'list of 25 with two expanded references',
    target: 1,
    requests: VALUES.map((value) => ({
      path: `${RECORDS}?filter[status]=won&filter[close_value][gte]=${value}&sort=-close_date&fields=${FIELDS}&expand=${EXPANDED}`,
    })),
    statements,
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
