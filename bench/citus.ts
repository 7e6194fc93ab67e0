// `npm run bench:citus`: what requests take on a cluster of Citus and on the same PostgreSQL alone, one at a time and in
// turns. Both databases may be empty: the workspace `demo` is made in them, and stays with some companies more.
//   --cluster URL   database of the coordinator
//   --alone URL     database of a server without Citus
//   --count N       requests of each kind on each side (300)

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/postgres/open-server.ts';
import { median } from './measure.ts';
import { startService } from './processes.ts';
import { visit } from './site.ts';

interface Demo {
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Ids of companies that this run has made. */
  readonly made: string[];
  /** Ids of others. */
  readonly companies: readonly string[];
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
type Answer = any;

const BATCH = 20;
const UNTIMED = 20;
const TEXTS = ['hottechi', 'betasoloin', 'konex', 'isdom', 'cancity', 'warephase', 'zoomit'];
const COMPANIES = '/objects/companies/records';
/** Names, and values that are others each time. */
const mark = Date.now() % 1e8;

const TASKS: Readonly<Record<string, (demo: Demo, turn: number) => Promise<Answer>>> = {
  get: ({ ask, companies }, turn) =>
    ask('GET', `${COMPANIES}/${companies[turn % companies.length]}`),
  list: ({ ask }, turn) => {
    const status = turn % 2 === 0 ? 'won' : 'lost';
    return ask('GET', `/objects/deals/records?fields=name,close_value&filter[status]=${status}`);
  },
  search: ({ ask }, turn) => ask('GET', `/search?q=${TEXTS[turn % TEXTS.length]}`),
  create: async ({ ask, made }, turn) => {
    const { data } = await ask('POST', COMPANIES, { fields: { name: `Bench ${mark} ${turn}` } });
    made.push(data.id);
  },
  'create with a reference': ({ ask, companies }, turn) => {
    const company_id = companies[turn % companies.length];
    const fields = { opportunity_id: `B${mark}${turn}`, name: `Deal ${turn}`, company_id };
    return ask('POST', '/objects/deals/records', { fields });
  },
  update: ({ ask, made }, turn) => {
    const fields = { employees: mark + turn };
    return ask('PATCH', `${COMPANIES}/${made[turn % made.length]}`, { fields });
  },
  'batch of 20 updates': ({ ask, made }, turn) => {
    const ids = made.slice(0, BATCH);
    const fields = { employees: 2 * mark + turn };
    const operations = ids.map((id) => ({ action: 'update', id, fields }));
    return ask('POST', `${COMPANIES}/batch`, { operations });
  },
  delete: ({ ask, made }) => ask('DELETE', `${COMPANIES}/${made.pop()}`),
};

async function openDemo(databaseUrl: string): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-citus-'));
  const service = await startService(folder, { DATABASE_URL: databaseUrl, DEMO: 'on' });
  const connection = { connectionString: databaseUrl };
  const db = openDatabase({ connection, poolSize: 1, statementTimeout: 0 });
  const { headers } = await visit(db, service.url, { slug: 'demo' });
  await db.close();
  const ask: Demo['ask'] = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const all = { ...headers, ...type };
    const answer = await fetch(`${service.url}/v1${path}`, { method, headers: all, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const { data } = await ask('GET', `${COMPANIES}?limit=50&sort=created_at`);
  return {
    ask,
    made: [],
    companies: data.map(({ id }: { id: string }) => id),
    async close() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Medians in milliseconds of both sides, in turns. */
async function compare(
  sides: readonly [Demo, Demo],
  run: (typeof TASKS)[string],
  count: number,
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < UNTIMED + count; turn += 1) {
    for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const started = performance.now();
      await run(sides[side], turn);
      if (turn >= UNTIMED) times[side].push(performance.now() - started);
    }
  }
  return [median(times[0]), median(times[1])];
}

const { values: options } = parseArgs({
  options: {
    cluster: { type: 'string' },
    alone: { type: 'string' },
    count: { type: 'string', default: '300' },
  },
});
const { cluster, alone } = options;
if (cluster === undefined || alone === undefined) {
  throw new Error('npm run bench:citus -- --cluster postgres://… --alone postgres://…');
}
const sides = [await openDemo(cluster), await openDemo(alone)] as const;
try {
  for (const [name, run] of Object.entries(TASKS)) {
    const [one, other] = await compare(sides, run, Number(options.count));
    const figures = `${one.toFixed(2)} ms, alone ${other.toFixed(2)} ms`;
    console.log(`${name.padEnd(24)}${(one / other).toFixed(2)} ×   ${figures}`);
  }
} finally {
  for (const side of sides) await side.close();
}
