// Answering requests: in this process, or in several (workers.ts). Both can be replaced while they answer; a process that
// answers itself then gives its port to a worker.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EventFeeds } from '../../flow/events/event-feed.ts';
import { type Metrics, openMetrics } from '../../http/answer/metrics.ts';
import type { MetricsSource } from '../../http/route/operations.ts';
import type { RunningServer } from '../../http/socket/server.ts';
import type { Connected } from '../connect.ts';
import { assembleService } from './assemble.ts';
import { explainListen, requestPort } from './ports.ts';
import { ASSEMBLED, type Order, shareMetrics, startWorkers } from './workers.ts';

interface Parts {
  readonly connected: Connected;
  readonly logger: Logger;
}

export interface Answering {
  readonly port: number;
  readonly metrics: MetricsSource;
  /** Requests without an answer, of this process. */
  requestsInFlight(): number;
  /** Start the code again that answers, as it is installed now. Calls must not overlap. */
  replace(): Promise<void>;
  /** Answer requests, and say that the service will stop. */
  drain(): void;
  stop(): Promise<void>;
}

/** Answer in this process or in workers, as the settings say. Errors: those of the system, explained. */
export async function startAnswering(parts: Parts, feeds: EventFeeds): Promise<Answering> {
  const { config } = parts.connected;
  if (config.workers > 1) return spread(parts, { count: config.workers, port: config.port });
  const first = await answerHere(parts, feeds);
  const open = new Set<Pick<Answering, 'stop' | 'drain'>>([first]);
  let workers: Answering | undefined;
  async function handOver(): Promise<void> {
    // For a moment nobody listens: the port cannot belong to both.
    workers = await spread(parts, { count: 1, port: first.port, makeRoom: first.leave });
    open.add(workers);
    await sleep(drainTimeOf(parts), undefined, { ref: false });
    await first.stop();
    open.delete(first);
  }
  return {
    port: first.port,
    metrics: {
      contentType: first.metrics.contentType,
      text: () => (workers ?? first).metrics.text(),
    },
    requestsInFlight: first.requestsInFlight,
    replace: () => (workers === undefined ? handOver() : workers.replace()),
    drain() {
      for (const one of open) one.drain();
    },
    async stop() {
      await Promise.all([...open].map((one) => one.stop()));
    },
  };
}

function drainTimeOf({ connected }: Parts): number {
  return connected.config.drainSeconds * 1000;
}

/** Answer requests in this process, without replacement. */
async function answerHere(parts: Parts, feeds: EventFeeds) {
  const { server, metrics } = await assemble(parts, feeds);
  const port = await listen(server, parts);
  const { requestsInFlight, drain, leave, close: stop } = server;
  return { port, metrics, requestsInFlight, drain, leave, stop };
}

async function assemble({ connected, logger }: Parts, events?: EventFeeds) {
  const metrics: Metrics = openMetrics(connected.config.metricsPort !== undefined);
  const given = events === undefined ? {} : { events };
  return { metrics, server: await assembleService({ ...connected, ...given, metrics, logger }) };
}

function listen(server: RunningServer, { connected: { config } }: Parts): Promise<number> {
  return server.listen(config).catch((error: unknown) => {
    throw explainListen(error, requestPort(config));
  });
}

interface Spread {
  readonly count: number;
  readonly port: number;
  readonly makeRoom?: () => void;
}

/** Have requests answered by several processes. */
async function spread(parts: Parts, { count, port, makeRoom }: Spread): Promise<Answering> {
  const { connected, logger } = parts;
  const workers = await startWorkers({
    ...{ count, port, host: connected.config.host },
    ...(makeRoom === undefined ? {} : { makeRoom }),
    poolSize: connected.config.poolSize,
    connection: connected.connection,
    drainTime: drainTimeOf(parts),
    onFailure: (reason) => logger.error({ reason }, 'a worker has failed and is replaced'),
  });
  return { ...workers, requestsInFlight: () => 0 };
}

/**
 * Answer in this process as one of several: it listens, drains and ends when the first process says so. Resolves when
 * it listens.
 */
export async function answerAsWorker(parts: Parts, stop: () => void): Promise<RunningServer> {
  const { server, metrics } = await assemble(parts);
  const mayListen = new Promise<void>((resolve) => {
    const obey: Record<Order, () => void> = {
      ...{ listen: resolve, drain: server.drain, leave: server.leave, stop },
    };
    process.on('message', (message) => obey[message as Order]?.());
  });
  process.on('disconnect', stop);
  process.send?.(ASSEMBLED);
  await mayListen;
  await listen(server, parts);
  shareMetrics(metrics.registry);
  return server;
}
