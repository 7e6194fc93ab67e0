// Growth that must not slow a request down: more records, later pages, more fields, more workspaces. Both sides are
// the service; latencies are medians.

import { RECORDS } from './floor-tasks.ts';
import { compareLatencies, type Load, type Request, type Side, walk, warmUp } from './measure.ts';
import { randomOf } from './records-definition.ts';
import { atMost, type Result } from './report.ts';
import { POOL_SIZE, type Site, type Visitor } from './site.ts';

/** The same question to two workspaces, or two questions to one. */
interface Growth {
  readonly task: string;
  readonly target: number;
  readonly first: Side;
  readonly second: Side;
  readonly against: string;
}

const PAGE = 100;
const FAR_PAGE = 10_000;

async function compare({ task, target, first, second, against }: Growth, load: Load) {
  const found = await compareLatencies(first, second, { ...load, connections: 8 });
  const result: Result = {
    task,
    service: `${found.first.toFixed(2)} ms`,
    floor: `${against}: ${found.second.toFixed(2)} ms`,
    figure: found.ratio,
    target: atMost(target),
  };
  return result;
}

export interface Workspaces {
  readonly small: Visitor;
  readonly large: Visitor;
  readonly records: number;
}

/** One request, sent to each workspace. */
export interface GrowthQuestion {
  readonly task: string;
  readonly requests: Readonly<Record<'small' | 'large', readonly Request[]>>;
}

/** A question of the large workspace against the same of the small one. */
export function measureGrowth(
  { small, large, records }: Workspaces,
  { task, requests }: GrowthQuestion,
  load: Load,
): Promise<Result> {
  const [first, second] = [large.asks(requests.large), small.asks(requests.small)];
  const named = `${task}, of ${records.toLocaleString('en')} records`;
  return compare({ task: named, target: 1.5, first, second, against: 'of 10,000' }, load);
}

/** Go to a far page by its cursors, then request it and the first page in turns. */
export async function measureWalk(
  { large, records }: Workspaces,
  { order, sort }: { readonly order: string; readonly sort: string },
  load: Load,
): Promise<Result> {
  const start: Request = {
    path: `${RECORDS}?limit=${PAGE}${sort === '' ? '' : `&sort=${sort}`}`,
    headers: large.headers,
  };
  const { url } = large.asks([]);
  const far = await walk(url, start, Math.min(FAR_PAGE, Math.floor(records / PAGE)));
  const task = `page ${far.page.toLocaleString('en')} of a walk by ${order}`;
  const first = large.asks([{ path: far.path }]);
  const second = large.asks([{ path: start.path }]);
  return compare({ task, target: 1.2, first, second, against: 'page 1' }, load);
}

export function measureWidth({ small }: Workspaces, load: Load): Promise<Result> {
  const list = (object: string) => small.asks([{ path: `/v1/objects/${object}/records` }]);
  const task = 'list of an object with 500 fields';
  const [first, second] = [list('wide'), list('narrow')];
  return compare({ task, target: 1.1, first, second, against: 'with 5 fields' }, load);
}

/** Gets over random workspaces against those over one, and the memory this takes. */
export async function measureWorkspaces(
  site: Site,
  count: number,
  load: Load,
): Promise<readonly Result[]> {
  const requests: Request[] = [];
  for (let number = 0; number < count; number += 1) {
    const visitor = await site.visit(`w${number}`);
    const [row] = await site.db.query({
      text: `select id from ws_w${number}.deals`,
      values: [],
    });
    const [request] = visitor.asks([{ path: `${RECORDS}/${row?.id}` }]).requests;
    if (request !== undefined) requests.push(request);
  }
  const random = randomOf(0, 5);
  const shuffled = requests
    .map((request) => ({ request, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ request }) => request);
  const { url } = site.service;
  const task = `get one, over ${count.toLocaleString('en')} workspaces of 20 tables`;
  const first = { url, requests: shuffled };
  const second = { url, requests: requests.slice(0, 1) };
  // The pace is steady when every connection to PostgreSQL has met every workspace more than five
  // times: so often a prepared statement is planned again.
  const started = performance.now();
  await warmUp(first, 8 * POOL_SIZE * count, POOL_SIZE);
  console.log(`warm after         ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const latency = await compare({ task, target: 1.5, first, second, against: 'over one' }, load);
  const memory: Result = {
    task: `memory of the process after that`,
    service: `${site.service.memory()} MB`,
    floor: '—',
    figure: site.service.memory(),
    target: atMost(400, 'MB'),
  };
  return [latency, memory];
}
