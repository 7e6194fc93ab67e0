// Requests at a constant rate, however slowly they are answered: the time of an answer counts from the
// moment its request was planned for, so a service that stalls cannot hide it.

import { setTimeout as sleep } from 'node:timers/promises';
import { RECORDS_PATH, type Site } from './site.ts';

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

/** The sending of reads of short pages, with the keys in turn. */
export function readsOf({ wire, url, keys }: Site): Pick<OpenLoad, 'send'> {
  const sent = { method: 'GET', path: `${RECORDS_PATH}?limit=5` } as const;
  return {
    async send(number) {
      const { secret = '' } = keys[number % keys.length] ?? {};
      return { kind: 'read', status: (await wire.send(url, secret, sent)).status };
    },
  };
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

/** Send at a constant rate until `stop`, which waits for the answers; a request may fail. */
export function sendSteadily(perSecond: number, send: (number: number) => Promise<unknown>) {
  const waiting = new Set<Promise<unknown>>();
  let number = 0;
  const timer = setInterval(() => {
    number += 1;
    const sent = send(number).catch(() => undefined);
    waiting.add(sent);
    void sent.finally(() => waiting.delete(sent));
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(waiting);
    },
  };
}
