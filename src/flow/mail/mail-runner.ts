// Sends the mails of all workspaces in one process at a time, whose lease is a row of `jobs` (docs/design/mail.md). It
// looks for digests every half minute and for mails every second, and hands a few mails at a time to the mail server.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  loadDueMails,
  type MailOutcome,
  putMailOutcome,
  type WaitingMail,
} from '../../control/events/mails.ts';
import { type Lease, openLease } from '../../control/jobs/job-lease.ts';
import { appendJob } from '../../control/jobs/jobs.ts';
import { retryPause } from '../../mail/mail-schedule.ts';
import type { MailResult, MailSender } from '../../mail/mail-sender.ts';
import { findDigests } from './find-digests.ts';
import { type ContentParts, contentOf } from './mail-content.ts';

export interface MailRunnerOptions extends Omit<ContentParts, 'since' | 'now'> {
  readonly sender: MailSender;
  /** Called with the outcome of each attempt, for metrics. */
  onOutcome(outcome: 'sent' | 'skipped' | 'failed' | 'retried'): void;
  onError(error: unknown): void;
  readonly now?: () => number;
  /** A random number from 0 to 1. */
  readonly random?: () => number;
  /** Milliseconds of a lease, between two looks for mails, and between two for digests. */
  readonly lease?: number;
  readonly poll?: number;
  readonly digestPoll?: number;
}

export interface MailRunner {
  /** Stop sending; mails in flight are given up after a moment and sent again later. */
  stop(): Promise<void>;
}

const KIND = 'mail';
const LEASE_MS = 10_000;
const POLL_MS = 1000;
const DIGEST_POLL_MS = 30_000;
/** Mails that are handed over at once, each on a connection of its own. */
const AT_ONCE = 5;
/** Milliseconds without an attempt after the server has failed. */
const SERVER_PAUSE_MS = 10_000;
/** Milliseconds for mails in flight when the process ends. */
const GRACE_MS = 2000;
/** Seconds after which a mail is no longer worth an attempt. */
const MOST_AGE: Readonly<Record<WaitingMail['kind'], number>> = {
  digest: 2 * 86_400,
  invitation: 86_400,
  sign_in_link: 1800,
  second_factor_reset: 2 * 86_400,
};

export async function startMail(options: MailRunnerOptions): Promise<MailRunner> {
  const { db, onError, lease: leaseMs = LEASE_MS, poll = POLL_MS } = options;
  const stopping = new AbortController();
  await appendJob(db, { kind: KIND, workspace_id: null, single: true });

  async function lead(): Promise<void> {
    let isFailing = false;
    while (!stopping.signal.aborted) {
      try {
        const lease = await openLease(db, { kinds: [KIND], lease: leaseMs });
        if (lease !== undefined) await sendWhileHeld(options, lease, stopping.signal);
        isFailing = false;
      } catch (error) {
        if (!isFailing && !stopping.signal.aborted) onError(error);
        isFailing = true;
      }
      await pause(poll, stopping.signal);
    }
  }

  const leading = lead();
  return {
    async stop() {
      stopping.abort();
      await leading;
    },
  };
}

/** Sends until the lease is lost or the process ends. */
async function sendWhileHeld(
  options: MailRunnerOptions,
  lease: Lease,
  stopping: AbortSignal,
): Promise<void> {
  const { now = Date.now } = options;
  const end = () => lease.end('stopping');
  stopping.addEventListener('abort', end, { once: true });
  try {
    // The process was told to stop while the lease was being taken.
    if (stopping.aborted) return;
    const { since = now() } = lease.job.progress as { readonly since?: number };
    await lease.report({ since });
    const sending = openSending({ ...options, now, since }, lease.signal);
    await sending.run();
  } finally {
    stopping.removeEventListener('abort', end);
    // Another process may continue at once.
    lease.end('stopping');
    await lease.fail(undefined, undefined).catch(() => undefined);
  }
}

type SendingOptions = MailRunnerOptions & ContentParts;

function openSending(options: SendingOptions, signal: AbortSignal) {
  const { db, poll = POLL_MS, digestPoll = DIGEST_POLL_MS, onError } = options;
  const flying = new Map<string, Promise<void>>();
  let pausedUntil = 0;
  let lookedAt = -Infinity;

  async function lookForDigests(): Promise<void> {
    if (performance.now() - lookedAt < digestPoll) return;
    lookedAt = performance.now();
    const { since, now } = options;
    await findDigests(db, { since, now: now(), signal });
  }

  async function fill(): Promise<void> {
    const room = AT_ONCE - flying.size;
    if (room <= 0 || performance.now() < pausedUntil) return;
    for (const mail of await loadDueMails(db, { except: [...flying.keys()], limit: room })) {
      const flight = deliver(options, mail, signal).then(
        (isServerFailing) => {
          if (isServerFailing) pausedUntil = performance.now() + SERVER_PAUSE_MS;
        },
        (error: unknown) => {
          if (!signal.aborted) onError(error);
        },
      );
      flying.set(
        mail.id,
        flight.finally(() => flying.delete(mail.id)),
      );
    }
  }

  return {
    async run(): Promise<void> {
      while (!signal.aborted) {
        await lookForDigests().catch((error: unknown) => {
          if (!signal.aborted) onError(error);
        });
        await fill();
        await Promise.race([pause(poll, signal), ...flying.values()]);
      }
      await Promise.race([
        Promise.all(flying.values()),
        sleep(GRACE_MS, undefined, { ref: false }),
      ]);
    },
  };
}

/** One attempt, and its outcome; true when the server itself has failed. */
async function deliver(
  options: SendingOptions,
  mail: WaitingMail,
  signal: AbortSignal,
): Promise<boolean> {
  const { sender, db, onOutcome, onError } = options;
  let result: MailResult | undefined;
  try {
    const content = await contentOf(options, mail);
    result = content && (await sender.send(content, signal));
  } catch (error) {
    // Later attempts may succeed: a definition was changed meanwhile, or the database did not answer.
    onError(error);
    result = { kind: 'failed', reason: 'content', isServer: false };
  }
  if (result?.kind === 'failed' && signal.aborted) return false;
  const outcome = outcomeOf(mail, result, options.random ?? Math.random);
  await persist(() => putMailOutcome(db, mail.id, outcome), signal);
  onOutcome(outcome.state === 'waiting' ? 'retried' : outcome.state);
  return result?.kind === 'failed' && result.isServer;
}

function outcomeOf(
  { kind, attempts, age }: WaitingMail,
  result: MailResult | undefined,
  random: () => number,
): MailOutcome {
  if (result === undefined) return { state: 'skipped' };
  if (result.kind === 'sent') return { state: 'sent' };
  const { reason: error } = result;
  const delay = result.kind === 'refused' ? undefined : retryPause(attempts + 1, random);
  if (delay === undefined || age > MOST_AGE[kind]) return { state: 'failed', error };
  return { state: 'waiting', error, pause: delay };
}

/** A mail that was sent must not be sent again because the database was away for a moment. */
async function persist(store: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (signal.aborted) throw error;
      await pause(POLL_MS, signal);
    }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
