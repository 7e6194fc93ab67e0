// Loaded into a service that is measured: reports on request its memory after a garbage collection and the delay of
// its event loop, and moves its clock. Needs `--expose-gc`.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

export type Question =
  | { readonly ask: 'memory' }
  /** The delay since the last request of this kind. */
  | { readonly ask: 'delay' }
  /** From now on the clock is so many milliseconds ahead. */
  | { readonly ask: 'clock'; readonly ahead: number };

export interface Memory {
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
}

export interface Delay {
  /** Milliseconds. */
  readonly p99: number;
  readonly most: number;
  /** Share of the time that the process was computing. */
  readonly busy: number;
}

const RESOLUTION = 10;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
histogram.enable();
let since = performance.eventLoopUtilization();

let ahead = 0;
const TrueDate = globalThis.Date;
const now = TrueDate.now.bind(TrueDate);

/** All code of this process that reads the time gets the moved one. */
function moveClock(milliseconds: number): void {
  ahead = milliseconds;
  TrueDate.now = () => now() + ahead;
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, values) =>
      Reflect.construct(target, values.length === 0 ? [now() + ahead] : values),
    apply: () => new TrueDate(now() + ahead).toString(),
  });
}

function answer(question: Question): Memory | Delay | Record<string, never> {
  if (question.ask === 'clock') {
    moveClock(question.ahead);
    return {};
  }
  if (question.ask === 'delay') {
    const [p99, most] = [histogram.percentile(99), histogram.max];
    histogram.reset();
    const { utilization: busy } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    return { busy, p99: p99 / 1e6 - RESOLUTION, most: most / 1e6 - RESOLUTION };
  }
  const { gc } = globalThis as { readonly gc?: () => void };
  gc?.();
  gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { resident: rss, heap: heapUsed };
}

process.on('message', (question: Question) => void process.send?.(answer(question)));
// It must not keep the process alive after the signal to stop.
process.channel?.unref();
