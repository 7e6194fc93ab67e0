// Metrics in the format of Prometheus: requests by route and status, their durations, gauges of other parts,
// and the event loop and memory of the process. No values, no
// workspaces and no people: labels are few and known beforehand.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Note an answer; `seconds`: from the arrival of the request, without waits and transfers at the speed of the client. */
  observe(route: string, status: number, seconds: number): void;
  /** Register a gauge whose value is read when the metrics are scraped. */
  gauge(name: string, help: string, read: () => number): void;
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
  readonly registry: Registry;
}

/** A counter of its own, for work of the first process. */
export interface LabelledCounter {
  count(label: string): void;
  text(): Promise<string>;
}

export function openCounter(
  name: string,
  help: string,
  { label, values }: { readonly label: string; readonly values: readonly string[] },
): LabelledCounter {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({ name: `${PREFIX}${name}`, help, labelNames: [label], registers });
  for (const value of values) counter.labels(value).inc(0);
  return {
    count: (value) => counter.labels(value).inc(),
    text: () => registry.metrics(),
  };
}

const PREFIX = 'workspace_records_';
/** Seconds: from a read of one record to the statement timeout. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Not served: without those of the process, whose clock for the event loop wakes it a hundred times a second. */
export function openMetrics(isServed = true): Metrics {
  const registry = new Registry();
  if (isServed) collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: `${PREFIX}requests_total`,
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: `${PREFIX}request_duration_seconds`,
    help: 'Time of the service for a request, by route, without waits and arriving bodies.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers: [registry],
  });
  // Labels are looked up once: by name it costs more than counting.
  const counters = new Map<string, Counter.Internal>();
  const timers = new Map<string, Histogram.Internal<'route'>>();
  return {
    observe(route, status, seconds) {
      const name = `${status} ${route}`;
      const counter = counters.get(name) ?? requests.labels(route, String(status));
      const timer = timers.get(route) ?? durations.labels(route);
      counters.set(name, counter);
      timers.set(route, timer);
      counter.inc();
      timer.observe(seconds);
    },
    gauge(name, help, read) {
      new Gauge({
        name: `${PREFIX}${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    registry,
  };
}
