// `npm run bench`: the service against a floor that runs the same SQL, in turns on the same machine.
// It prints ratios; absolute numbers of a shared machine mean little.
//   --seconds N      length of one measurement (3)
//   --rounds N       measurements of each side per task (5)
//   --connections N  concurrent requests (32)

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { accessOf, type Caller, SCOPES } from '../src/model/access.ts';
import type { ObjectModel, WorkspaceModel } from '../src/model/model.ts';
import { planGet, planList } from '../src/plan/read-plan.ts';
import { readSql } from '../src/sql/read-sql.ts';
import { type Statement, toStatement } from '../src/sql/sql.ts';
import { type Database, openDatabase } from '../src/store/db.ts';
import { openEmbeddedPostgres } from '../src/store/embedded-postgres.ts';
import { findWorkspace, loadModel } from '../src/store/workspaces.ts';
import { startFloor, startService } from './processes.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
  },
});
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const connections = Number(options.connections);

/** One thing to measure: the path of the service and the path of the floor, `%` is a record id. */
interface Task {
  readonly name: string;
  readonly target: number;
  readonly servicePath: string;
  readonly floorPath: string;
}

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
}

async function measure(
  url: string,
  path: string,
  { ids, headers }: { readonly ids: readonly string[]; readonly headers: Record<string, string> },
): Promise<Figures> {
  const requests = ids.map((id) => ({ path: path.replace('%', id), headers }));
  const result = await autocannon({ url, connections, duration: seconds, requests });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${path}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return { perSecond: result.requests.average, p50: result.latency.p50 };
}

function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] as number;
}

async function compare(
  task: Task,
  service: { readonly url: string; readonly headers: Record<string, string> },
  floor: { readonly url: string },
  ids: readonly string[],
): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const warm = { ids, headers: service.headers };
  for (let round = 0; round <= rounds; round += 1) {
    const low = await measure(floor.url, task.floorPath, { ids, headers: {} });
    const own = await measure(service.url, task.servicePath, warm);
    if (round === 0) continue;
    theirs.push(low.perSecond);
    ours.push(own.perSecond);
  }
  const ratios = ours.map((own, round) => own / (theirs[round] as number));
  const figures = `${median(ours).toFixed(0)}/s, floor ${median(theirs).toFixed(0)}/s`;
  console.log(
    `${task.name.padEnd(18)} ${median(ratios).toFixed(2)} × floor (target ${task.target}; ${figures})`,
  );
}

/** The statements the service runs for these tasks, for the floor to run. */
function floorRoutes(model: WorkspaceModel, caller: Caller, deals: ObjectModel) {
  const get = planGet(model, caller, deals, { ids: [':id'], fields: undefined });
  const list = planList(model, caller, deals, {
    endpoint: 'list',
    filters: [],
    text: undefined,
    textParam: 'q',
    fields: undefined,
    sort: [],
    limit: 25,
    cursor: undefined,
  });
  const asRoute = ({ text, values }: Statement) => ({ text, values });
  return { get: asRoute(toStatement(readSql(get))), list: asRoute(toStatement(readSql(list))) };
}

async function administrator(db: Database): Promise<{ model: WorkspaceModel; caller: Caller }> {
  const workspace = await findWorkspace(db, 'demo');
  const model = workspace && (await loadModel(db, workspace.id));
  if (model === undefined) throw new Error('there is no workspace demo');
  const caller: Caller = {
    user: { id: 1, name: null, email: null, title: null, kind: 'user' },
    key: null,
    scopes: new Set(SCOPES),
    team_ids: [],
    colleague_ids: [1],
    access: accessOf(model, ['admin']),
  };
  return { model, caller };
}

async function measureReads(dataDirectory: string): Promise<void> {
  const service = await startService(dataDirectory);
  const postgres = await openEmbeddedPostgres({ dataDirectory, purpose: 'command' });
  const { connection } = postgres;
  const db = openDatabase({ connection, poolSize: 1, statementTimeout: 0 });
  try {
    const user = ['--workspace', 'demo', '--user', 'admin@demo.example'];
    const limit = ['--rpm', '999999999', '--name', 'bench', '--json'];
    const created = JSON.parse(service.command('keys', 'create', ...user, ...limit));
    const headers = { authorization: `Bearer ${created.secret}` };
    const { model, caller } = await administrator(db);
    const deals = model.objects.get('deals') as ObjectModel;
    const rows = await db.query({
      text: 'select id from ws_demo.deals order by random() limit 500',
      values: [],
    });
    const ids = rows.map((row) => String(row.id));
    const routes = floorRoutes(model, caller, deals);
    const floor = await startFloor({ connection, poolSize: 10, routes });
    const target = { url: service.url, headers };
    const records = '/v1/objects/deals/records';
    await compare(
      { name: 'get one', target: 0.5, servicePath: `${records}/%`, floorPath: '/get/%' },
      target,
      floor,
      ids,
    );
    await compare(
      { name: 'list of 25', target: 0.6, servicePath: records, floorPath: '/list/' },
      target,
      floor,
      ids.slice(0, 1),
    );
    await floor.stop();
    console.log(`memory after load  ${service.memory()} MB`);
  } finally {
    await db.close();
    await postgres.stop();
    await service.stop();
  }
}

/** The first start loads the demo through the write path. */
async function measureImport(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'records-bench-'));
  const service = await startService(folder, { DEMO: 'off' });
  try {
    const examples = join(import.meta.dirname, '..', 'examples', 'crm-sales');
    const definition = join(examples, 'definition.yaml');
    service.command('workspaces', 'create', 'bench', '--definition', definition);
    const into = ['import', '--workspace', 'bench', '--json', '--mapping'];
    const files = [
      ['companies.mapping.yaml', 'accounts.csv'],
      ['products.mapping.yaml', 'products.csv'],
      ['deals.mapping.yaml', 'sales_pipeline.csv'],
    ] as const;
    for (const [mapping, file] of files) {
      const started = performance.now();
      const report = service.command(...into, join(examples, mapping), join(examples, file));
      const { read } = JSON.parse(report) as { read: number };
      const elapsed = (performance.now() - started) / 1000;
      const rate = (read / elapsed).toFixed(0);
      console.log(`import ${file.padEnd(20)} ${read} records, ${rate} records/s (target 2000)`);
    }
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const kept = join(import.meta.dirname, '..', '.bench');
mkdirSync(kept, { recursive: true });
await measureImport();
await measureReads(join(kept, 'demo'));
