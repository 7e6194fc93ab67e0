// `start`: opens the database, answers requests, in this process or several (workers.ts), until it is told to stop.
// Requests are logged to standard output, one JSON line each; messages for the person at the terminal go to stderr.

import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Command } from 'commander';
import { destination, type Logger, pino } from 'pino';
import { type Config, misspeltSettings, readConfig } from '../../config.ts';
import { putListeningOrigin } from '../../control/process/listening-origin.ts';
import { prepareSecretKeys } from '../../control/stored/secret-rotation.ts';
import { type Changes, followChanges } from '../../control/workspace/changes.ts';
import { LEFTOVER_JOBS, runLeftoverJob } from '../../definitions/apply/leftovers.ts';
import { INDEX_JOBS, runIndexJob } from '../../definitions/apply/prepare/index-builds.ts';
import { loadTrigrams } from '../../definitions/apply/prepare/index-plan.ts';
import { exporting } from '../../export/export-job.ts';
import { exportingWorkspaces } from '../../export/workspace-export-job.ts';
import { openFileStore } from '../../files/file-store.ts';
import type { EventFeeds } from '../../flow/events/event-feed.ts';
import { changingMany } from '../../flow/jobs/bulk-job.ts';
import { findingDuplicates } from '../../flow/jobs/duplicates-job.ts';
import { erasing } from '../../flow/jobs/erasure-job.ts';
import { startJobs } from '../../flow/jobs/job-runner.ts';
import { sweeping } from '../../flow/jobs/sweeper.ts';
import { replayingWebhooks } from '../../flow/webhooks/replay-job.ts';
import { openCounter } from '../../http/answer/metrics.ts';
import { type MetricsSource, serveMetrics } from '../../http/route/operations.ts';
import { describeDescriptors, loadDescriptorLimit } from '../../http/socket/descriptors.ts';
import { importing } from '../../import/import-job.ts';
import { openDatabases } from '../../postgres/places.ts';
import { loadServerVersion } from '../../workspaces/migrations.ts';
import { type Connected, connect } from '../connect.ts';
import { messageOf } from '../reason.ts';
import { type Answering, answerAsWorker, startAnswering } from '../service/answering.ts';
import { applyingDefinitions } from '../service/applying-definitions.ts';
import { openFeeds } from '../service/assemble.ts';
import {
  JOB_CONNECTIONS,
  MAIL_CONNECTIONS,
  WEBHOOK_CONNECTIONS,
} from '../service/connection-budget.ts';
import type { AnnounceDemo, AtEnd } from '../service/demo.ts';
import { CRASHES, ENDING_SIGNALS, stopOnSignals, stopWithNpm } from '../service/ending.ts';
import { describeNode } from '../service/node-release.ts';
import { explainListen, metricsPort, requireFreePorts } from '../service/ports.ts';
import { describePostgres } from '../service/postgres-release.ts';
import { readRelease } from '../service/release.ts';
import { sendMail } from '../service/sending-mail.ts';
import { sendWebhooks } from '../service/sending-webhooks.ts';
import { openStateMetrics } from '../service/state-metrics.ts';
import { SUMMARIES } from './summaries.ts';

interface StartArguments {
  readonly host?: string;
  readonly port?: string;
  readonly workers?: string;
}

/** Puts first data into an empty database before the service listens. */
export type LoadDemo = (connected: Connected, atEnd: AtEnd) => Promise<AnnounceDemo>;

const NO_TRIGRAMS =
  'Note: the extension pg_trgm is missing; text in lists of large tables is searched without an index.\n';
const NO_PUBLIC_URL =
  'Note: links in mails lead to the address that the service listens on. Set PUBLIC_URL to lead elsewhere.\n';
/** Bytes of log that are written together; the rest is written every second. */
const LOG_BLOCK = 12_288;
/**
 * The bytes of a block when several processes share an output: a pipe does not mix a block of this size with other
 * lines.
 */
const SHARED_LOG_BLOCK = 4095;
/** Milliseconds from the signal to the forced end. */
const GRACE = 10_000;
/** The signal that replaces the processes that answer. */
const RELOAD = 'SIGUSR2';

export function addStartCommand(
  program: Command,
  loadDemo: LoadDemo = async () => () => undefined,
): void {
  program
    .command('start')
    .description(SUMMARIES.start)
    .option('--host <address>', 'address to listen on (default: HOST or 127.0.0.1)')
    .option('--port <number>', 'port to listen on (default: PORT or 3000)')
    .option('--workers <number>', 'processes that answer requests (default: WORKERS or auto)')
    .action((options: StartArguments) => start(options, loadDemo));
}

/** The started parts, to be stopped in the opposite order. */
interface Running {
  closing: boolean;
  /** The part that answers requests, once it does. */
  answering?: Pick<Answering, 'drain'>;
  readonly parts: { stop(): void | Promise<void> }[];
}

async function start({ host, port, workers }: StartArguments, loadDemo: LoadDemo): Promise<void> {
  // A worker is given its place by the first process.
  const config = readConfig({
    ...process.env,
    ...(cluster.isWorker || host === undefined ? {} : { HOST: host }),
    ...(cluster.isWorker || port === undefined ? {} : { PORT: port }),
    ...(workers === undefined ? {} : { WORKERS: workers }),
  });
  const log = openLog(config);
  const onIdleError = (error: Error) =>
    log.logger.warn({ reason: messageOf(error) }, 'idle database connection failed');
  if (cluster.isPrimary) await requireFreePorts(config);
  const connected = await connect({ purpose: 'service', config, onIdleError });
  const running: Running = { closing: false, parts: [{ stop: connected.close }] };
  const grace = closeWithGrace(
    {
      delay: GRACE,
      logger: false,
      skip: [...ENDING_SIGNALS, ...CRASHES, RELOAD],
    },
    async ({ err }) => {
      running.closing = true;
      if (err !== undefined) log.logger.fatal({ stack: err.stack }, 'stopping after a failure');
      await stopAll(running);
      log.flush();
    },
  );
  const stop = () => {
    if (!running.closing) grace.close();
  };
  const forgetSignals = stopOnSignals(stop, () => drain(running, config, log));
  // Sent to all processes, or before there is one to replace, it must not end any.
  process.on(RELOAD, () => undefined);
  if (cluster.isPrimary) stopWithNpm(stop);
  try {
    if (cluster.isWorker) {
      const server = await answerAsWorker({ connected, logger: log.logger }, stop);
      running.answering = server;
      running.parts.push({ stop: server.close });
    } else {
      await lead({ connected, log, running }, loadDemo);
    }
  } catch (error) {
    // A signal during the start: what failed, failed because the database is being closed.
    if (running.closing) return;
    grace.uninstall();
    forgetSignals();
    await stopAll(running);
    throw error;
  }
}

/** Answer requests for a while, so that proxies notice that the process will stop. */
async function drain({ answering }: Running, { drainSeconds }: Config, log: Log): Promise<void> {
  if (answering === undefined || drainSeconds === 0) return;
  log.logger.info({ seconds: drainSeconds }, 'draining');
  answering.drain();
  await sleep(drainSeconds * 1000);
}

async function stopAll({ parts }: Running): Promise<void> {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.stop();
}

interface Process {
  readonly connected: Connected;
  readonly log: Log;
  readonly running: Running;
}

/** The only process, or the first of several. */
async function lead(process_: Process, loadDemo: LoadDemo): Promise<void> {
  const { connected, running, log } = process_;
  const { config, db } = connected;
  if ((await loadTrigrams(db)) === undefined) process.stderr.write(NO_TRIGRAMS);
  const { secretsKeys: keys, secretsKeyFile: file } = config;
  const keyNote = await prepareSecretKeys(db, { keys, file });
  const notes = [
    ...misspeltSettings(),
    ...connected.notes,
    ...(keyNote === undefined ? [] : [keyNote]),
  ];
  for (const note of notes) process.stderr.write(`Note: ${note}\n`);
  const announceDemo = await loadDemo(connected, (stop) => running.parts.push({ stop }));
  // One process has one set of feeds, so that its writes are sent at once.
  const feeds = openFeeds({ ...connected, logger: log.logger });
  const { changes } = feeds;
  const answering = await startAnswering({ connected, logger: log.logger }, feeds);
  running.answering = answering;
  running.parts.push(answering);
  if (config.workers > 1) await followChanges(connected.listeners, changes);
  const { port, requestsInFlight } = answering;
  await runJobs(process_);
  await runWebhooks(process_, { feeds, requestsInFlight });
  const ofMail = await runMail(process_, changes);
  const metricsPlace = metricsPort(config);
  if (metricsPlace !== undefined) {
    const release = readRelease().version;
    const ofState = openStateMetrics(db, { release, quota: config.filesQuotaBytes });
    const metrics = withMetrics(answering.metrics, [ofMail, ofState]);
    const server = await serveMetrics(metrics, metricsPlace).catch((error: unknown) => {
      throw explainListen(error, metricsPlace);
    });
    running.parts.push({ stop: server.close });
    process.stderr.write(
      `Metrics on ${addressOf({ ...metricsPlace, port: server.port })}/metrics\n`,
    );
  }
  const aboutNode = describeNode(process.versions.node, new Date());
  const isBundled = config.databaseUrl === undefined;
  const aboutPostgres = describePostgres(await loadServerVersion(db), isBundled);
  const aboutDescriptors = describeDescriptors(loadDescriptorLimit());
  for (const note of [aboutNode, aboutPostgres, aboutDescriptors]) {
    if (note !== undefined) process.stderr.write(`Note: ${note}\n`);
  }
  const address = addressOf({ host: config.host, port });
  await putListeningOrigin(db, address);
  process.stderr.write(`Listening on ${address}/v1 (reference: ${address}/reference)\n`);
  replaceOnSignal(answering, log);
  await announceDemo(address);
}

/** Apart from the requests, on connections of their own: statements of jobs may take longer than a request. */
async function runJobs({ connected, log, running }: Process): Promise<void> {
  const { db, listeners, connection, hasPlaces, config } = connected;
  const pooled = config.databasePooled;
  const jobDb = openDatabases({
    connection,
    hasPlaces,
    poolSize: JOB_CONNECTIONS,
    statementTimeout: 0,
    pooled,
  });
  running.parts.push({ stop: jobDb.close });
  const store = openFileStore(config);
  const jobs = await startJobs({
    db,
    listeners,
    kinds: [
      sweeping(db, store),
      { kind: INDEX_JOBS, run: (job, signal) => runIndexJob(jobDb, job, signal) },
      { kind: LEFTOVER_JOBS, run: (job, signal) => runLeftoverJob(jobDb, job, signal) },
      importing(jobDb),
      exporting(jobDb),
      changingMany(jobDb),
      findingDuplicates(jobDb),
      replayingWebhooks(jobDb),
      erasing(jobDb, { store }),
      exportingWorkspaces(jobDb, { store, release: readRelease().version }),
      applyingDefinitions(jobDb),
    ],
    onError: (error, kind) =>
      log.logger.warn({ reason: messageOf(error), job: kind }, 'a job has failed'),
  });
  running.parts.push(jobs);
}

interface Beside {
  readonly feeds: EventFeeds;
  readonly requestsInFlight: () => number;
}

async function runWebhooks({ connected, log, running }: Process, beside: Beside): Promise<void> {
  const { connection, hasPlaces, config } = connected;
  const db = openDatabases({
    connection,
    hasPlaces,
    poolSize: WEBHOOK_CONNECTIONS,
    statementTimeout: config.statementTimeout,
    pooled: config.databasePooled,
  });
  running.parts.push({ stop: db.close });
  running.parts.push(await sendWebhooks({ ...connected, ...beside, db, logger: log.logger }));
}

type MetricsText = MetricsSource['text'];

/** The metrics with further ones, without those that fail because the database does not answer. */
function withMetrics(
  { contentType, text }: MetricsSource,
  further: readonly MetricsText[],
): MetricsSource {
  const all = async () => {
    const texts = await Promise.all([text(), ...further.map((read) => read().catch(() => ''))]);
    return texts.join('\n');
  };
  return { contentType, text: all };
}

/** With a mail server; answers its metrics. */
async function runMail(
  { connected, log, running }: Process,
  changes: Changes,
): Promise<MetricsText> {
  const { connection, hasPlaces, config } = connected;
  const { mail, statementTimeout, databasePooled: pooled } = config;
  if (mail === undefined) return async () => '';
  if (config.baseDomain === undefined && config.publicUrl === undefined) {
    process.stderr.write(NO_PUBLIC_URL);
  }
  const db = openDatabases({
    connection,
    hasPlaces,
    poolSize: MAIL_CONNECTIONS,
    statementTimeout,
    pooled,
  });
  running.parts.push({ stop: db.close });
  const outcomes = { label: 'outcome', values: ['sent', 'skipped', 'failed', 'retried'] };
  const counter = openCounter('mails_total', 'Attempts at mails, by outcome.', outcomes);
  running.parts.push(await sendMail({ db, changes, config, mail, logger: log.logger, counter }));
  return counter.text;
}

/** Replace the processes that answer at SIGUSR2, one time after the other. */
function replaceOnSignal({ replace }: Answering, { logger }: Log): void {
  let state: 'idle' | 'replacing' | 'again' = 'idle';
  process.removeAllListeners(RELOAD).on(RELOAD, async () => {
    if (state !== 'idle') {
      state = 'again';
      logger.info('the processes are replaced once more after the present replacement');
      return;
    }
    do {
      state = 'replacing';
      await replace().catch((error: unknown) =>
        logger.error({ reason: messageOf(error) }, 'the processes could not be replaced'),
      );
    } while ((state as string) === 'again');
    state = 'idle';
  });
}

/** The address at which to look for the program that listens there. */
const REACHED: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function addressOf(place: { readonly host: string; readonly port: number }): string {
  const { port } = place;
  const host = REACHED[place.host] ?? place.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

interface Log {
  readonly logger: Logger;
  readonly flush: () => void;
}

/**
 * Written in blocks unless a person reads along: a write for each line costs more than the line.
 */
function openLog({ logLevel }: Config): Log {
  const live = process.stdout.isTTY === true;
  const block = cluster.isWorker ? SHARED_LOG_BLOCK : LOG_BLOCK;
  const stream = destination({
    dest: 1,
    sync: live,
    minLength: live ? 0 : block,
    ...(cluster.isWorker ? { maxWrite: block + 1 } : {}),
  });
  // A log that cannot be written, a full disk or a closed pipe, must not stop the service.
  stream.on('error', () => undefined);
  const flush = () => {
    try {
      stream.flushSync();
    } catch {
      // The output is not open, or cannot be written.
    }
  };
  if (!live) setInterval(() => stream.flush(), 1000).unref();
  return { logger: pino({ level: logLevel, base: null }, stream), flush };
}
