// Several processes behind one port: the first one has the database server, the sweeping and the
// metrics, the others answer requests. One that fails is replaced; on SIGUSR2 all are, one by one.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { operatorError } from '../errors.ts';
import type { MetricsSource } from '../http/operations.ts';
import { connectionUrl } from '../postgres/connection-url.ts';
import type { ConnectionOptions } from '../postgres/db.ts';

export interface Workers {
  /** The port that all of them listen on. */
  readonly port: number;
  readonly metrics: MetricsSource;
  /** Start new ones and stop the old ones, one after the other. */
  replace(): Promise<void>;
  stop(): Promise<void>;
}

interface WorkerSettings {
  readonly connection: ConnectionOptions;
  /** Connections of each for requests. */
  readonly poolSize: number;
}

export interface WorkersOptions extends WorkerSettings {
  readonly count: number;
  /** Called when a worker has ended unexpectedly and is replaced. */
  onFailure(reason: string): void;
}

/** The messages of the first process to a worker. */
export const STOP = 'stop';
/** Milliseconds a worker has to end; less than the first process has. */
const GRACE = 8000;
/** Milliseconds before one that has failed is replaced. */
const PAUSE = 1000;

/** Start so many workers; resolves when all of them listen. */
export async function startWorkers({
  count,
  onFailure,
  ...settings
}: WorkersOptions): Promise<Workers> {
  const running = new Set<Worker>();
  const starting = new Set<Promise<number>>();
  const registry = new AggregatorRegistry();
  let stopping = false;

  function startOne(): Promise<number> {
    const start = fork().finally(() => starting.delete(start));
    starting.add(start);
    return start;
  }

  async function fork(): Promise<number> {
    const { worker, port, ended } = await forkWorker(settings);
    running.add(worker);
    void ended.then((reason) => {
      if (running.delete(worker) && !stopping) void replaceFailed(reason);
    });
    return port;
  }

  async function replaceFailed(reason: string): Promise<void> {
    onFailure(reason);
    await sleep(PAUSE, undefined, { ref: false });
    if (!stopping) await startOne().catch((error: Error) => replaceFailed(error.message));
  }

  async function stopOne(worker: Worker): Promise<void> {
    running.delete(worker);
    await endWorker(worker);
  }

  async function stop(): Promise<void> {
    stopping = true;
    await Promise.all([...running].map(stopOne));
  }

  try {
    const ports = await Promise.all(Array.from({ length: count }, startOne));
    return {
      port: ports[0] as number,
      metrics: { text: () => registry.clusterMetrics(), contentType: registry.contentType },
      async replace() {
        await Promise.allSettled(starting);
        for (const worker of [...running]) {
          await startOne();
          await stopOne(worker);
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Forked {
  readonly worker: Worker;
  readonly port: number;
  /** Why it has ended, when it has. */
  readonly ended: Promise<string>;
}

/** Start a worker; resolves when it listens. */
async function forkWorker({ connection, poolSize }: WorkerSettings): Promise<Forked> {
  const worker = cluster.fork({
    DATABASE_URL: connectionUrl(connection),
    POOL_SIZE: String(poolSize),
  });
  const listening = once(worker, 'listening').then(([address]) => address.port as number);
  const ended = once(worker, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`);
  const first = await Promise.race([listening, ended]);
  if (typeof first !== 'number') throw operatorError(`A worker could not start (${first}).`);
  return { worker, port: first, ended };
}

async function endWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, 'exit');
  if (worker.isConnected()) worker.send(STOP);
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), GRACE);
  await ended;
  clearTimeout(timer);
}

/** Let the first process collect the metrics of this one. */
export function shareMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries([registry]);
  // It listens to the first process from here on.
  new AggregatorRegistry();
}
