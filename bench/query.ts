// `npm run bench:query`: questions with trees, texts and references against the floor that runs the same SQL, in
// turns on the same machine, and the cost of expanding references.
//   --records N      deals of the workspace, made once in .bench/ (1000000)
//   --seconds N      length of one measurement (3)
//   --rounds N       measurements of each side per task (5)
//   --connections N  concurrent requests (16)
//   --only effects   only their effects on others, and bulk changes

import { parseArgs } from 'node:util';
import type { ObjectModel } from '../src/model/definition/model.ts';
import { planAggregate } from '../src/plan/read/aggregate-plan.ts';
import { parseGroupedQuestion, parseQuestion, type Question } from '../src/plan/read/question.ts';
import { planList } from '../src/plan/read/read-plan.ts';
import { aggregateSql } from '../src/sql/read/aggregate-sql.ts';
import { readSql } from '../src/sql/read/read-sql.ts';
import { toStatement } from '../src/sql/sql.ts';
import { type FloorQuestions, measureAgainstFloor, RECORDS } from './floor-tasks.ts';
import { compareRates, type Load, type Request } from './measure.ts';
import { COMPANIES_OF, requireQuestionData } from './query-data.ts';
import { measureBulk, measureNeighbours } from './query-effects.ts';
import { randomOf } from './records-definition.ts';
import { atMost, printResult, type Result } from './report.ts';
import { openSite, type Visitor } from './site.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string' },
  },
});
const records = Number(options.records);
const load: Load = {
  seconds: Number(options.seconds),
  rounds: Number(options.rounds),
  connections: Number(options.connections),
};
const VARIANTS = 100;

/** The same question with other values each time. */
function variants<Of>(make: (random: () => number) => Of): readonly Of[] {
  return Array.from({ length: VARIANTS }, (_, index) => make(randomOf(index, 23)));
}

interface Asked extends Pick<FloorQuestions, 'name' | 'task' | 'target' | 'slow'> {
  readonly questions: readonly Question[];
}

function againstFloor({ context }: Visitor, { questions, ...about }: Asked): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const statements = questions.map((question) => {
    const { query, limit } = parseQuestion(question, '', () => deals);
    const request = { endpoint: 'query', query, limit, cursor: undefined };
    return toStatement(readSql(planList(model, caller, deals, request)));
  });
  const requests = questions.map((question) => asking(question));
  return { ...about, requests, statements };
}

const asking = (body: object, path = '/query'): Request => {
  return { path: RECORDS + path, method: 'POST', body: JSON.stringify(body) };
};

const is = (field: string, op: string, value: unknown) => ({ field, op, value });
const part = (random: () => number, of: number) => Math.floor(random() * of);

const ASKED: readonly Asked[] = [
  {
    ...{ name: 'any', task: 'any of two indexed conditions', target: 0.9 },
    questions: variants((random) => {
      const code = `D-${part(random, records)}`;
      const amount = part(random, 1_000_000);
      return {
        where: { any: [is('code', 'eq', code), is('amount', 'between', [amount, amount + 20])] },
      };
    }),
  },
  {
    ...{ name: 'contains', task: 'contains on an indexed text', target: 0.8 },
    questions: variants((random) => ({
      where: is('code', 'contains', `-${part(random, records)}`),
    })),
  },
  {
    ...{ name: 'reference', task: 'filter through a reference', target: 0.8 },
    questions: variants((random) => ({
      where: is('company_id.code', 'eq', `C-${part(random, records / COMPANIES_OF)}`),
    })),
  },
  {
    ...{ name: 'reference-sort', task: 'sort through a reference', target: 0.8, slow: true },
    questions: variants((random) => ({
      where: is('amount', 'gte', part(random, 10)),
      sort: [{ field: 'company_id.name' }],
    })),
  },
];

function grouped({ context }: Visitor): FloorQuestions {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const metrics = [{ name: 'deals', op: 'count' }] as const;
  const group_by = ['company_id.tier', { field: 'created_at', by: 'year' }] as const;
  const where = is('amount', 'lt', 100_000);
  const body = { where, group_by, timezone: 'Europe/Berlin' };
  const { object: _, ...asked } = parseGroupedQuestion({ ...body, metrics }, '', () => deals);
  const request = { ...asked, order_by: undefined, limit: 25 };
  return {
    ...{ name: 'groups', task: 'groups through a reference and by year', target: 0.9, slow: true },
    requests: [asking({ ...body, metrics }, '/aggregate/query')],
    statements: [
      toStatement(
        aggregateSql(
          planAggregate(model, caller, deals, { ...request, endpoint: 'aggregate query' }),
        ),
      ),
    ],
  };
}

/** The time of a page with the records and people it refers to, relative to one without. */
async function measureExpansion(visitor: Visitor): Promise<Result> {
  const pages = variants((random) => ({
    where: is('amount', 'gte', part(random, 500_000)),
    limit: 100,
  }));
  const expand = ['company_id', 'partner_id'];
  const plain = visitor.asks(pages.map((page) => asking(page)));
  const expanded = visitor.asks(pages.map((page) => asking({ ...page, expand })));
  const { first, second, ratio } = await compareRates(plain, expanded, load);
  return {
    task: 'two references of 100 records, to the page alone',
    service: `${second.toFixed(0)}/s`,
    floor: `without ${first.toFixed(0)}/s`,
    figure: ratio,
    target: atMost(1.5),
  };
}

async function compareAll(visitor: Visitor): Promise<void> {
  for (const asked of ASKED) {
    printResult(await measureAgainstFloor(site, visitor, againstFloor(visitor, asked), load));
  }
  printResult(await measureAgainstFloor(site, visitor, grouped(visitor), load));
  printResult(await measureExpansion(visitor));
}

const { dataDirectory } = await requireQuestionData(records);
const site = await openSite(dataDirectory);
try {
  const visitor = await site.visit('asked');
  if (options.only !== 'effects') await compareAll(visitor);
  const place = { url: site.service.url, visitor };
  printResult(await measureNeighbours(place));
  printResult(await measureBulk(place, records));
} finally {
  await site.close();
}
