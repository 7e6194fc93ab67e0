// Clients that write all the time: each performs one operation after the other, and sends unanswered requests again,
// under the same Idempotency-Key, until the outcome is known. The seed decides the operations.

import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../bench/records-definition.ts';
import { type Entry, type Ledger, openLedger } from './ledger.ts';
import { OPERATIONS, seedGround } from './operations.ts';
import type { Answer } from './recorder.ts';
import type { Key, Site } from './site.ts';
import type { Outcome, Sent } from './wire.ts';
import type { Client, Ground } from './workload-client.ts';

export interface Workload {
  readonly ledger: Ledger;
  readonly ground: Ground;
  /** Times of answers that a key is in use (`performance.now()`). */
  readonly inUseAt: readonly number[];
  /** When writes were acknowledged. */
  readonly ackedAt: readonly number[];
  /** Attempts to write: when they were begun, and the milliseconds until they were over. */
  readonly attempts: readonly { readonly begun: number; readonly took: number }[];
  /** Let each client finish its operation. */
  stop(): Promise<void>;
  /** End them without the outcome of their writes, which is no longer needed. */
  abandon(): void;
}

/** The longest time that one write is tried before it counts as never answered. */
const SETTLE_WITHIN = 120_000;

/** The clients' notes of their attempts. */
interface Notes {
  readonly site: Site;
  readonly ledger: Ledger;
  readonly inUseAt: number[];
  readonly ackedAt: number[];
  readonly attempts: { begun: number; took: number }[];
  readonly abandoned: AbortSignal;
}

/** Make what all write to, then start the clients. The service must be well. */
export async function startWorkload(site: Site, seed: number): Promise<Workload> {
  const ledger = openLedger(seed);
  const stop = new AbortController();
  const abandoned = new AbortController();
  const noted = { ledger, inUseAt: [], ackedAt: [], attempts: [] };
  const notes: Notes = { ...noted, site, abandoned: abandoned.signal };
  const settle = (client: number) => (entry: Entry, sent: Sent) =>
    settleWrite(notes, site.keys[client] as Key, { entry, sent });
  const first = { index: 0, key: site.keys[0] as Key, site, ledger, settle: settle(0) };
  const ground = await seedGround(first);
  const clients = site.keys.map((key, index): Client => {
    const shared = { index, key, site, ledger, ground, settle: settle(index) };
    return { ...shared, random: randomOf(index, seed), mine: new Map(), items: [] };
  });
  const running = clients.map(async (client) => {
    while (!stop.signal.aborted) await pick(client.random())(client);
  });
  return {
    ...noted,
    ground,
    async stop() {
      stop.abort();
      await Promise.all(running);
    },
    abandon() {
      abandoned.abort();
      stop.abort();
      for (const client of running) client.catch(() => undefined);
    },
  };
}

/** Send until the fate of the write is known. */
async function settleWrite(
  { site, ledger, inUseAt, ackedAt, attempts, abandoned }: Notes,
  { secret }: Key,
  { entry, sent }: { readonly entry: Entry; readonly sent: Sent },
): Promise<Answer | undefined> {
  const giveUp = Date.now() + SETTLE_WITHIN;
  for (let tries = 1; Date.now() < giveUp && !abandoned.aborted; tries += 1) {
    const begun = performance.now();
    const outcome = await site.wire.send(site.url, secret, sent);
    attempts.push({ begun, took: performance.now() - begun });
    if (isInUse(outcome)) {
      inUseAt.push(performance.now());
      if (tries === 1) ledger.complain(`V5 the key of ${entry.token} was in use at once`);
    }
    if (outcome.status !== undefined && !isUnknown(outcome)) {
      noteFate(entry, outcome);
      if (entry.outcome === 'acked') ackedAt.push(performance.now());
      return outcome;
    }
    entry.unknowns += 1;
    await sleep(Math.min(200, 10 * tries) * (0.5 + Math.random()));
  }
  ledger.complain(`V9 ${entry.token} (${entry.kind}) was never answered`);
  return undefined;
}

function noteFate(entry: Entry, { status, headers }: Answer): void {
  entry.outcome = status < 300 ? 'acked' : 'refused';
  entry.replayed = headers['idempotent-replayed'] === 'true';
}

/** No answer, or one that leaves open whether the write was made. */
function isUnknown(outcome: Outcome): boolean {
  const { status } = outcome;
  return status === undefined || status === 429 || status >= 500 || isInUse(outcome);
}

function isInUse(outcome: Outcome): boolean {
  return outcome.status === 409 && outcome.body.includes('"idempotency_key_in_use"');
}

const TOTAL = OPERATIONS.reduce((sum, [, weight]) => sum + weight, 0);

function pick(random: number): (client: Client) => Promise<void> {
  let left = random * TOTAL;
  for (const [operation, weight] of OPERATIONS) {
    left -= weight;
    if (left < 0) return operation;
  }
  return OPERATIONS[0][0];
}
