// Several processes behind one port: the first one has the database server, the sweeping and the
// metrics, the others answer requests. One that fails is replaced; `replace` starts all of them again, one by one.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { operatorError } from '../../errors.ts';
import type { MetricsSource } from '../../http/route/operations.ts';
import { connectionUrl } from '../../postgres/connection-url.ts';
import type { ConnectionOptions } from '../../postgres/db.ts';

export interface Workers {
  /** The port that all of them listen on. */
  readonly port: number;
  readonly metrics: MetricsSource;
  /** Start new ones and stop the old ones, one after the other. A second call waits for the first one to end. */
  replace(): Promise<void>;
  /** Let them answer, say that they will stop, and start no others. */
  drain(): void;
  stop(): Promise<void>;
}

interface WorkerSettings {
  readonly connection: ConnectionOptions;
  /** Connections of each for requests. */
  readonly poolSize: number;
  /** The address at which they listen. */
  readonly host: string;
  readonly port: number;
  /** Called when a worker is ready to listen, before it listens. */
  makeRoom?(): void;
}

export interface WorkersOptions extends WorkerSettings {
  readonly count: number;
  /** Milliseconds in which a replaced worker answers on the connections that it has. */
  readonly drainTime: number;
  /** Called when a worker has ended unexpectedly and is replaced. */
  onFailure(reason: string): void;
}

/** The messages of the first process to a worker. */
export type Order = 'listen' | 'drain' | 'leave' | 'stop';
/** The message of a worker that is ready to listen. */
export const ASSEMBLED = 'assembled';
/** Milliseconds a worker has to end; less than the first process has. */
const GRACE = 8000;
/** Milliseconds before one that has failed is replaced. */
const PAUSE = 1000;

interface Crew {
  readonly running: Set<Worker>;
  /** Workers that have a successor. */
  readonly leaving: Set<Worker>;
  readonly starting: Set<Promise<number>>;
  isStopping: boolean;
}

/** Start so many workers; resolves when all of them listen. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { count, drainTime } = options;
  const crew: Crew = {
    running: new Set(),
    leaving: new Set(),
    starting: new Set(),
    isStopping: false,
  };
  const { startOne, fill } = openStarts(crew, options);
  const registry = new AggregatorRegistry();

  async function replace(): Promise<void> {
    await Promise.allSettled(crew.starting);
    for (const worker of [...crew.running]) {
      // One that has failed has a successor already.
      if (crew.isStopping || !crew.running.has(worker)) continue;
      try {
        await startOne();
      } catch (error) {
        void fill();
        throw error;
      }
      await retire(worker, crew, drainTime);
    }
  }

  try {
    const ports = await Promise.all(Array.from({ length: count }, startOne));
    return {
      port: ports[0] as number,
      metrics: { text: () => registry.clusterMetrics(), contentType: registry.contentType },
      replace,
      drain() {
        crew.isStopping = true;
        for (const worker of crew.running) order(worker, 'drain');
      },
      stop: () => endCrew(crew),
    };
  } catch (error) {
    await endCrew(crew);
    throw error;
  }
}

/** Starts of workers; one that ends unexpectedly has a successor. */
function openStarts(crew: Crew, { count, onFailure, ...settings }: WorkersOptions) {
  const { running, leaving, starting } = crew;

  function startOne(): Promise<number> {
    const start = fork().finally(() => starting.delete(start));
    starting.add(start);
    return start;
  }

  async function fork(): Promise<number> {
    const { worker, port, ended } = await forkWorker(settings);
    running.add(worker);
    void ended.then((reason) => {
      leaving.delete(worker);
      if (running.delete(worker) && !crew.isStopping) void replaceFailed(reason);
    });
    return port;
  }

  async function replaceFailed(reason: string): Promise<void> {
    onFailure(reason);
    await fill();
  }

  /** Start another after a while, if there are too few then: a replacement may have started one. */
  async function fill(): Promise<void> {
    await sleep(PAUSE, undefined, { ref: false });
    if (crew.isStopping || running.size + starting.size >= count) return;
    await startOne().catch((error: Error) => replaceFailed(error.message));
  }

  return { startOne, fill };
}

/** Let a worker that has a successor answer on its connections for a while, and end it. */
async function retire(
  worker: Worker,
  { running, leaving }: Crew,
  drainTime: number,
): Promise<void> {
  if (!running.delete(worker)) return;
  leaving.add(worker);
  order(worker, 'leave');
  await sleep(drainTime, undefined, { ref: false });
  await endWorker(worker);
}

async function endCrew(crew: Crew): Promise<void> {
  const { running, leaving, starting } = crew;
  crew.isStopping = true;
  for (const worker of Object.values(cluster.workers ?? {})) {
    // One that starts obeys no order yet.
    const isOld = worker === undefined || running.has(worker) || leaving.has(worker);
    if (!isOld) worker.process.kill('SIGTERM');
  }
  await Promise.all([...running, ...leaving].map(endWorker));
  await Promise.allSettled(starting);
}

interface Forked {
  readonly worker: Worker;
  readonly port: number;
  /** Why it has ended, when it has. */
  readonly ended: Promise<string>;
}

/** Start a worker; resolves when it listens. */
async function forkWorker(settings: WorkerSettings): Promise<Forked> {
  const worker = cluster.fork({
    DATABASE_URL: connectionUrl(settings.connection),
    POOL_SIZE: String(settings.poolSize),
    HOST: settings.host,
    PORT: String(settings.port),
  });
  worker.on('message', (message) => {
    if (message !== ASSEMBLED) return;
    settings.makeRoom?.();
    order(worker, 'listen');
  });
  const listening = once(worker, 'listening').then(([address]) => address.port as number);
  const ended = once(worker, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`);
  const first = await Promise.race([listening, ended]);
  if (typeof first !== 'number') throw operatorError(`A worker could not start (${first}).`);
  return { worker, port: first, ended };
}

function order(worker: Worker, message: Order): void {
  if (worker.isConnected()) worker.send(message);
}

async function endWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, 'exit');
  order(worker, 'stop');
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
