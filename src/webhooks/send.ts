// Sends one webhook: a signed POST, and the start of its answer. It follows no redirect, decodes no content and retries
// nothing, except on a connection that the receiver has closed meanwhile; schedule.ts decides what comes next.

import * as http from 'node:http';
import * as https from 'node:https';
import { LIMITS } from '../limits.ts';
import { storableText } from '../model/values/storable-text.ts';
import type { AddressRules, Scheme } from './addresses.ts';
import { openReceiverAgents, type ReceiverAgents } from './receiver-agents.ts';
import { openHostResolver, type ResolveHost } from './resolve-host.ts';
import { parseRetryAfter } from './retry-after.ts';
import { type FailureReason, failureOf, sendError } from './send-failure.ts';
import { signWebhook } from './signature.ts';
import { hostProblem } from './webhook-rules.ts';

export interface WebhookRequest {
  /** The id of the webhook; its connections are its own. */
  readonly receiver: string;
  readonly url: string;
  /** The id of the event, the same for each attempt. */
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** JSON. */
  readonly body: string;
  /** One, or two while it is rotated. */
  readonly secrets: readonly string[];
  /** Headers that `requireWebhookHeaders` accepts. */
  readonly headers: Readonly<Record<string, string>>;
}

export type SendResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The first KiB, as text that can be stored. */
      readonly answer: string;
      /** The name that the receiver has given to the request. */
      readonly request_id: string | null;
      /** The wait that an answer with 429 or 503 asks for. */
      readonly retry_after_ms: number | undefined;
      readonly duration_ms: number;
    }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      /** A sentence for the owner of the webhook. */
      readonly message: string;
      readonly duration_ms: number;
    };

export interface WebhookSender {
  /** Never rejects. Aborting the signal ends the attempt. */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<SendResult>;
  /** End all attempts and close all connections. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly rules: AddressRules;
  /** The proxy, as in WEBHOOK_PROXY. */
  readonly proxy: string | undefined;
  readonly userAgent: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly resolve?: ResolveHost;
  /** Milliseconds of an attempt. */
  readonly timeLimit?: number;
}

const REQUEST_IDS = ['x-request-id', 'request-id', 'cf-ray'];
const REQUEST_ID_LENGTH = 200;

export function openWebhookSender(options: SenderOptions): WebhookSender {
  const { resolve = openHostResolver(), now = Date.now } = options;
  const { timeLimit = LIMITS.webhookSeconds * 1000 } = options;
  const agents = openReceiverAgents({ ...options, resolve, timeLimit });
  const attempts = new Set<{ readonly end: AbortController; readonly over: Promise<unknown> }>();
  return {
    async send(request, signal) {
      const end = new AbortController();
      const started = performance.now();
      const over = post(request, { ...options, agents, now, signal: end.signal });
      const attempt = { end, over };
      attempts.add(attempt);
      const stop = limitAttempt(end, timeLimit, signal);
      try {
        return { ...(await over), duration_ms: Math.round(performance.now() - started) };
      } catch (error) {
        const failure = failureOf(end.signal.aborted ? end.signal.reason : error);
        const duration_ms = Math.round(performance.now() - started);
        return { kind: 'failed', ...failure, duration_ms };
      } finally {
        stop();
        attempts.delete(attempt);
      }
    },
    async close() {
      const running = [...attempts];
      for (const { end } of running) end.abort(CANCELLED);
      await Promise.allSettled(running.map(({ over }) => over));
      agents.close();
    },
  };
}

const CANCELLED = sendError('cancelled', 'The attempt was cancelled.');

/** Abort after a time, or with a signal; answers the end of both. */
function limitAttempt(end: AbortController, timeLimit: number, signal?: AbortSignal): () => void {
  const message = `The receiver did not answer completely within ${timeLimit / 1000} seconds.`;
  const timer = setTimeout(() => end.abort(sendError('timeout', message)), timeLimit);
  const cancel = () => end.abort(CANCELLED);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel);
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  };
}

interface Posting extends Pick<SenderOptions, 'rules' | 'userAgent'> {
  readonly agents: ReceiverAgents;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

type Answered = Omit<Extract<SendResult, { kind: 'answered' }>, 'duration_ms'>;

async function post(request: WebhookRequest, posting: Posting): Promise<Answered> {
  const url = new URL(request.url);
  // Node calls no `lookup` for hosts that are addresses.
  const problem = hostProblem(url, posting.rules);
  if (problem !== undefined) throw sendError('address_refused', problem.text);
  const options = {
    method: 'POST',
    agent: posting.agents.agentOf(request.receiver, url.protocol as Scheme),
    headers: headersOf(request, posting),
    signal: posting.signal,
  };
  const response = await exchange(url, options, request.body);
  const answer = await readStart(response);
  // An answer without a length ends like a complete one when its connection is closed.
  posting.signal.throwIfAborted();
  const { statusCode: status = 0, headers } = response;
  const waits = status === 429 || status === 503;
  return {
    kind: 'answered',
    ...{ status, answer, request_id: requestIdOf(headers) },
    retry_after_ms: waits ? parseRetryAfter(headers['retry-after'], posting.now()) : undefined,
  };
}

function headersOf(request: WebhookRequest, { userAgent, now }: Posting): http.OutgoingHttpHeaders {
  const { id, body, secrets, attempt } = request;
  const timestamp = Math.floor(now() / 1000);
  return {
    ...request.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook({ id, timestamp, body }, secrets),
    'webhook-attempt': String(attempt),
  };
}

/**
 * Send again when the connection was an old one that the receiver has closed: a server may do that at any time, and has
 * then not read the request. Each repetition uses up an old connection.
 */
async function exchange(
  url: URL,
  options: https.RequestOptions,
  body: string,
): Promise<http.IncomingMessage> {
  const response = await attemptExchange(url, options, body);
  return response === 'closed' ? exchange(url, options, body) : response;
}

function attemptExchange(
  url: URL,
  options: https.RequestOptions,
  body: string,
): Promise<http.IncomingMessage | 'closed'> {
  return new Promise((resolve, reject) => {
    const { request: start } = url.protocol === 'https:' ? https : http;
    const request = start(url, options);
    request.on('response', resolve);
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      if (request.reusedSocket && isClosed) resolve('closed');
      else reject(error);
    });
    // An answer that switches protocols has no response.
    request.on('close', () => reject(new Error('closed without an answer')));
    request.end(body);
  });
}

/** The rest is read as far as the limit, so that the connection can be used again; beyond it is closed. */
async function readStart(response: http.IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < LIMITS.webhookAnswerKept) {
      kept.push(chunk.subarray(0, LIMITS.webhookAnswerKept - bytes));
    }
    bytes += chunk.length;
    if (bytes > LIMITS.webhookAnswerBytes) break;
  }
  // A character that is cut off is left out.
  const isCut = bytes > LIMITS.webhookAnswerKept;
  return storableText(new TextDecoder().decode(Buffer.concat(kept), { stream: isCut }));
}

function requestIdOf(headers: http.IncomingHttpHeaders): string | null {
  const found = REQUEST_IDS.map((name) => headers[name]).find((value) => value !== undefined);
  return found === undefined ? null : storableText(String(found).slice(0, REQUEST_ID_LENGTH));
}
