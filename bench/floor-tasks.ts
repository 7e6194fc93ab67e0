// Reads of the large workspace against the floor: the same SQL with the same parameters. The
// statements come from the service's own planner.

import { plannedSearch } from '../src/flow/records/read/search-statement.ts';
import type { ObjectModel } from '../src/model/definition/model.ts';
import { planComments } from '../src/plan/events/comment-plan.ts';
import { planAggregate } from '../src/plan/read/aggregate-plan.ts';
import { cursorAfter, type ListRequest, planGet, planList } from '../src/plan/read/read-plan.ts';
import { recordQuery } from '../src/plan/read/record-query.ts';
import { commentsSql } from '../src/sql/events/comment-sql.ts';
import { aggregateSql } from '../src/sql/read/aggregate-sql.ts';
import { readSql } from '../src/sql/read/read-sql.ts';
import { type Statement, toStatement } from '../src/sql/sql.ts';
import type { FloorWork } from './floor.ts';
import {
  type ComparedRates,
  type Comparison,
  compareRates,
  compareSlowRates,
  type Load,
  type Request,
  type Side,
} from './measure.ts';
import { randomOf, STAGES } from './records-definition.ts';
import { atLeast, type Result } from './report.ts';
import type { Site, Visitor } from './site.ts';

/** The same questions to both sides, in the same order. */
export interface FloorQuestions {
  readonly name: string;
  readonly task: string;
  readonly target: number;
  readonly requests: readonly Request[];
  readonly statements: readonly FloorWork[];
  /** Keeps the processors busy for long: one after the other, in longer turns. */
  readonly slow?: boolean;
  /** Each connection has a key of its own, as real traffic has. */
  readonly manyKeys?: boolean;
}

/** The questions with one key for all connections, and with a key for each. */
export function byOneAndByMany(
  questions: FloorQuestions,
  targetOfMany: number,
): readonly [FloorQuestions, FloorQuestions] {
  const { name, task } = questions;
  const own = { name: `${name}-keys`, task: `${task}, each connection with its key` };
  return [questions, { ...questions, ...own, target: targetOfMany, manyKeys: true }];
}

export const RECORDS = '/v1/objects/deals/records';
const VARIANTS = 100;

/** Measure the service and the floor in turns. */
export async function measureAgainstFloor(
  site: Site,
  visitor: Visitor,
  questions: FloorQuestions,
  load: Load,
): Promise<Result> {
  const { name, task, target, requests, statements, slow, manyKeys } = questions;
  const floor = await site.startFloor({ [name]: statements });
  try {
    // The cost of a request to its client is the same on both sides.
    const paths = statements.map((_, index) => ({
      ...(requests[index] as Request),
      path: `/${name}/${index}`,
    }));
    const authorizations = manyKeys ? await visitor.authorizations(load.connections) : undefined;
    const { processorTime } = site.service;
    const own = { ...visitor.asks(requests), authorizations, processorTime };
    const other = { url: floor.url, requests: paths, processorTime: floor.processorTime };
    const { first, second, ratio, firstCost, secondCost } = slow
      ? await compareSlow(own, other, load)
      : await compareRates(own, other, load);
    const rate = (figure: number) => `${figure.toFixed(figure < 100 ? 1 : 0)}/s`;
    const cost = (figure = 0) => (figure > 0 ? `, ${figure.toFixed(0)} µs` : '');
    return {
      task,
      service: rate(first) + cost(firstCost),
      floor: `floor ${rate(second)}${cost(secondCost)}`,
      figure: ratio,
      target: atLeast(target),
    };
  } finally {
    await floor.stop();
  }
}

function compareSlow(
  own: Side,
  other: Side,
  load: Load,
): Promise<Partial<ComparedRates> & Comparison> {
  return compareSlowRates(own, other, { ...load, connections: 1, seconds: 4 * load.seconds });
}

const LIST: ListRequest = {
  endpoint: 'list',
  query: recordQuery({}),
  limit: 25,
  cursor: undefined,
};

export function getQuestions({ context }: Visitor, ids: readonly string[]): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const plan = (id: string) => planGet(model, caller, deals, { ids: [id], fields: undefined });
  return {
    name: 'get',
    task: 'get one',
    target: 1.4,
    requests: ids.map((id) => ({ path: `${RECORDS}/${id}` })),
    statements: ids.map((id) => toStatement(readSql(plan(id)))),
  };
}

/** The first pages of a walk, repeated: no two connections request the same page at the same time. */
export async function plainListQuestions({ context }: Visitor): Promise<FloorQuestions> {
  const { db, model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const requests: Request[] = [];
  const statements: Statement[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < VARIANTS; page += 1) {
    const plan = planList(model, caller, deals, { ...LIST, cursor });
    const statement = toStatement(readSql(plan));
    requests.push({ path: cursor === undefined ? RECORDS : `${RECORDS}?cursor=${cursor}` });
    statements.push(statement);
    const last = (await db.query(statement))[LIST.limit - 1];
    cursor = last && cursorAfter(model, caller, plan, last);
  }
  return { name: 'plain-list', task: 'list of 25', target: 0.85, requests, statements };
}

/** The first page of the comments of each of these deals. */
export function commentQuestions({ context }: Visitor, ids: readonly string[]): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const request = { limit: 50, cursor: undefined, order: 'desc' } as const;
  const plan = (id: string) => planComments(model, caller, deals, { ...request, id });
  return {
    name: 'comments',
    task: 'list of 50 comments',
    target: 0.7,
    requests: ids.map((id) => ({ path: `${RECORDS}/${id}/comments` })),
    statements: ids.map((id) => toStatement(commentsSql(plan(id)))),
  };
}

interface Selection {
  readonly stage: string;
  readonly amount: number;
}

/** A stage and a least amount. */
function selections(): readonly Selection[] {
  return Array.from({ length: VARIANTS }, (_, index) => {
    const random = randomOf(index, 11);
    const stage = STAGES[Math.floor(random() * STAGES.length)] as string;
    return { stage, amount: Math.round(random() * 10_000) };
  });
}

export function listQuestions({ context }: Visitor): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const statements = selections().map(({ stage, amount }) => {
    const plan = planList(model, caller, deals, {
      ...LIST,
      query: recordQuery({
        where: {
          all: [
            { param: '', field: 'stage', op: 'eq', value: stage, text: true },
            { param: '', field: 'amount', op: 'gte', value: String(amount), text: true },
          ],
        },
        fields: ['name', 'stage', 'amount', 'close_date'],
        sort: [{ param: '', field: 'close_date', direction: 'desc' }],
      }),
    });
    return toStatement(readSql(plan));
  });
  const requests = selections().map(({ stage, amount }) => ({
    path: `${RECORDS}?filter[stage]=${stage}&filter[amount][gte]=${amount}&sort=-close_date&fields=name,stage,amount,close_date`,
  }));
  const task = 'list, two filters and a sort';
  return { name: 'list', task, target: 0.75, requests, statements };
}

export function recordSearchQuestions({ context }: Visitor): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const fields = ['name', 'stage', 'amount', 'priority'];
  const statements = selections().map(({ stage, amount }) => {
    const plan = planList(model, caller, deals, {
      ...LIST,
      endpoint: 'search',
      query: recordQuery({
        where: {
          all: [
            { param: '', field: 'stage', op: 'in', value: [stage, 'lead'], text: false },
            { param: '', field: 'amount', op: 'lte', value: amount + 100, text: false },
          ],
        },
        fields,
        sort: [{ param: '', field: 'amount', direction: 'desc' }],
      }),
    });
    return toStatement(readSql(plan));
  });
  const requests = selections().map(({ stage, amount }): Request => {
    const filters = { stage: { in: [stage, 'lead'] }, amount: { lte: amount + 100 } };
    const body = { filters, fields, sort: [{ field: 'amount', direction: 'desc' }] };
    return { path: `${RECORDS}/search`, method: 'POST', body: JSON.stringify(body) };
  });
  const task = 'POST …/search, two filters and a sort';
  return { name: 'record-search', task, target: 0.7, requests, statements };
}

export function aggregateQuestions({ context }: Visitor): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const metrics = [
    { name: 'deals', op: 'count' },
    { name: 'total', op: 'sum', field: 'amount' },
    { name: 'mean', op: 'avg', field: 'amount' },
  ] as const;
  const group_by = ['stage'];
  const plan = planAggregate(model, caller, deals, {
    query: recordQuery({}),
    group_by,
    metrics,
    order_by: undefined,
    limit: 25,
  });
  const body = JSON.stringify({ group_by, metrics });
  return {
    name: 'aggregate',
    task: 'aggregate over all rows',
    target: 0.9,
    requests: [{ path: `${RECORDS}/aggregate`, method: 'POST', body }],
    statements: [toStatement(aggregateSql(plan))],
    slow: true,
  };
}

export function searchQuestions({ context }: Visitor, texts: readonly string[]): FloorQuestions {
  const { model, caller } = context;
  const limit = 20;
  const statements = texts.map((text) => {
    const planned = plannedSearch({ model, caller }, { text, limit });
    if (planned === undefined) throw new Error(`nothing can be found for ${text}`);
    return planned.statement;
  });
  return {
    name: 'search',
    task: '/search over all object types',
    target: 0.7,
    requests: searchRequests(texts),
    statements,
  };
}

export function searchRequests(texts: readonly string[]): readonly Request[] {
  return texts.map((text) => ({ path: `/v1/search?q=${encodeURIComponent(text)}&limit=20` }));
}

/** Typical searches: a whole name, its start, a word in it with the next, a word with a typo. */
export function searchTexts(names: readonly string[]): readonly string[] {
  return names.map((name, index) => {
    const words = name.split(' ');
    const [first = '', second = ''] = words;
    switch (index % 4) {
      case 0:
        return name;
      case 1:
        return `${first} ${second.slice(0, 2)}`;
      case 2:
        return words.slice(1, 3).join(' ');
      default:
        return `${first.slice(0, 2)}${first.slice(3)}`;
    }
  });
}
