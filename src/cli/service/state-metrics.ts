// Metrics that the first process reads in the database: jobs, webhooks, files, backups, and its release. A scrape reads
// them again after five minutes, because each workspace takes a statement.

import { Gauge, Registry } from 'prom-client';
import { limitConcurrency } from '../../control/process/limit-concurrency.ts';
import {
  countJobs,
  loadBackupAge,
  loadWorkspaceFigures,
  type WorkspaceFigures,
} from '../../control/process/state-figures.ts';
import { isOfDeletedWorkspace, listWorkspaces } from '../../control/workspace/workspaces.ts';
import { WEBHOOK_STATES } from '../../plan/events/webhook-plan.ts';
import type { Database } from '../../postgres/db.ts';

/** Milliseconds for which figures are shown again. */
const FRESH = 300_000;
/** Statements at once, so that requests find connections. */
const STATEMENTS = 2;
const JOB_STATES = ['queued', 'running', 'failed'] as const;

interface About {
  readonly release: string;
  readonly quota: number;
}

/** The text of the metrics, in the format of Prometheus; rejects while the database does not answer. */
export function openStateMetrics(db: Database, { release, quota }: About): () => Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string = never>(name: string, help: string, label?: Label) =>
    new Gauge({
      ...{ name: `workspace_records_${name}`, help, registers: [registry] },
      labelNames: label === undefined ? [] : [label],
    });
  gauge('build_info', 'The release that runs.', 'version').set({ version: release }, 1);
  gauge('files_quota_bytes', 'What the files of a workspace may have together.').set(quota);
  const jobs = gauge('jobs', 'Jobs by state; those that have ended stay for a week.', 'state');
  const webhooks = gauge('webhooks', 'Webhooks by state.', 'state');
  const files = gauge('files_largest_bytes', 'Files of the workspace that has most of them.');
  const age = gauge('backup_age_seconds', 'Since the oldest of the newest backups of workspaces.');
  let readAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<void> {
    const [counted, backupAge] = [await countJobs(db), await loadBackupAge(db)];
    const all = await loadAllFigures(db);
    for (const state of JOB_STATES) jobs.set({ state }, counted[state] ?? 0);
    for (const state of WEBHOOK_STATES) {
      webhooks.set(
        { state },
        all.reduce((sum, { webhooks: one }) => sum + (one[state] ?? 0), 0),
      );
    }
    files.set(Math.max(0, ...all.map(({ file_bytes }) => file_bytes)));
    age.set(backupAge ?? Number.NaN);
  }

  return async () => {
    const now = performance.now();
    if (now - readAt > FRESH) {
      readAt = now;
      await read().catch((error: unknown) => {
        readAt = Number.NEGATIVE_INFINITY;
        throw error;
      });
    }
    return registry.metrics();
  };
}

async function loadAllFigures(db: Database): Promise<readonly WorkspaceFigures[]> {
  const limited = limitConcurrency(STATEMENTS);
  const figures = (await listWorkspaces(db)).map(({ schema }) =>
    limited(() => loadWorkspaceFigures(db, schema)).catch((error: unknown) => {
      if (isOfDeletedWorkspace(error)) return undefined;
      throw error;
    }),
  );
  return (await Promise.all(figures)).filter((one) => one !== undefined);
}
