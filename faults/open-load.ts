// Requests at a constant rate, however slowly they are answered: the time of an answer counts from the
// moment its request was planned for, so a service that stalls cannot hide it.

import { setTimeout as sleep } from 'node:timers/promises';

export interface Sample {
  readonly kind: string;
  /** undefined: no answer. */
  readonly status: number | undefined;
  /** Milliseconds since the start. */
  readonly planned: number;
  readonly latency: number;
}

export interface OpenLoad {
  readonly perSecond: number;
  readonly seconds: number;
  /** Sends request `number`; what kind it was and how it was answered. */
  send(number: number): Promise<Pick<Sample, 'kind' | 'status'>>;
}

/** Resolves when the last request is answered. */
export async function runOpenLoad({
  perSecond,
  seconds,
  send,
}: OpenLoad): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const waiting = new Set<Promise<void>>();
  const start = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let number = 0; number < total; number += 1) {
    const planned = (number * 1000) / perSecond;
    const wait = start + planned - performance.now();
    if (wait > 0) await sleep(wait);
    const sent = send(number).then(({ kind, status }) => {
      const latency = performance.now() - start - planned;
      samples.push({ kind, status, planned, latency });
      waiting.delete(sent);
    });
    waiting.add(sent);
  }
  await Promise.all(waiting);
  return samples;
}
