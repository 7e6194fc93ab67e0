// `npm run test:faults -- X1 X3`: inflicts faults on the built service and a throw-away PostgreSQL while
// clients write, and checks afterwards that nothing acknowledged is lost and nothing is there twice.
//   --short      a few seconds each, of the faults that have a short form
//   --cycles N   how often each fault is inflicted
//   --rate N     reads per second of X11 (500)
//   --seed N     seed of the operations (1)
// docs/reliability.md keeps the figures of each fault's last long run.

import { parseArgs } from 'node:util';
import { killApply } from './apply-faults.ts';
import { movedClock, movedDatabaseClock } from './clock-faults.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { badClients } from './connection-faults.ts';
import { crashUnderReads } from './crash-faults.ts';
import { manyConnections } from './crowd-faults.ts';
import { cutConnections } from './cut-faults.ts';
import { fullData, fullLog, fullWal } from './disk-faults.ts';
import { type Fault, type Report, runFault } from './fault.ts';
import { killBackend, killPostmaster, killService, stopPostgres } from './kill-faults.ts';
import { pooled } from './pooler-faults.ts';
import { killUnderReceivers } from './receiver-faults.ts';
import { printReport, writeReports } from './report.ts';
import { rollingRestart } from './rolling-faults.ts';
import { exhaustPool, freezePostgres } from './stall-faults.ts';
import { failingWrites } from './trace-faults.ts';
import { killUnderWebhooks } from './webhook-faults.ts';

const FAULTS: readonly Fault[] = [
  killService,
  killBackend,
  killPostmaster,
  stopPostgres,
  freezePostgres,
  exhaustPool,
  fullData,
  fullWal,
  fullLog,
  failingWrites,
  cutConnections,
  badClients,
  manyConnections,
  rollingRestart,
  movedClock,
  movedDatabaseClock,
  pooled,
  crashUnderReads,
  killApply,
  killUnderWebhooks,
  killUnderReceivers,
];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    cycles: { type: 'string' },
    rate: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const { short } = options;
const unknown = positionals.filter((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown.length > 0) {
  throw new Error(`no such fault: ${unknown}; there are ${FAULTS.map(({ name }) => name)}`);
}
const wanted = FAULTS.filter((fault) =>
  positionals.length > 0 ? positionals.includes(fault.name) : !short || fault.short !== undefined,
);

async function run(fault: Fault, shared: Cluster): Promise<Report> {
  const skipped = fault.skipped?.();
  const usual = short ? (fault.short ?? 1) : fault.cycles;
  const cycles = options.cycles === undefined ? usual : Number(options.cycles);
  if (skipped !== undefined) return emptyReport(fault, { skipped });
  const own = await fault.openCluster?.();
  try {
    return await inflict(fault, own ?? shared, cycles);
  } finally {
    await own?.close();
    await fault.tidy?.();
  }
}

async function inflict(fault: Fault, cluster: Cluster, cycles: number): Promise<Report> {
  const { name, title } = fault;
  try {
    const rate = options.rate === undefined ? undefined : Number(options.rate);
    return await runFault(fault, { cluster, cycles, short, rate, seed: Number(options.seed) });
  } catch (error) {
    const { stack, cause } = error as Error;
    const reason = cause instanceof Error ? ` (${cause.message})` : '';
    const violations = [`${name} (${title}) failed${reason}: ${stack}`];
    return emptyReport(fault, { violations });
  }
}

function emptyReport({ name, title, cycles: planned }: Fault, rest: Partial<Report>): Report {
  const counts = { planned, cycles: 0, acked: 0, refused: 0, unknown: 0, replayed: 0, seconds: 0 };
  return { name, title, ...counts, violations: [], recoveries: [], notes: [], ...rest };
}

const cluster = await openCluster();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cluster.close().finally(() => process.exit(1)));
}
const reports: Report[] = [];
try {
  for (const fault of wanted) {
    const report = await run(fault, cluster);
    printReport(report);
    reports.push(report);
    if (!short) writeReports([report]);
  }
} finally {
  await cluster.close();
}
// Handles left by a failed fault must not keep the process alive.
process.exit(reports.some(({ violations }) => violations.length > 0) ? 1 : 0);
