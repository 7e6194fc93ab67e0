// Reads a small JSON document at an address that a stranger has named, by the same guard as webhooks: public addresses
// and those of WEBHOOK_ALLOW_NETWORKS only, checked where the connection is made. It follows no redirect.

import * as http from 'node:http';
import * as https from 'node:https';
import { LIMITS } from '../limits.ts';
import type { AddressRules, Scheme } from './addresses.ts';
import { openReceiverAgents } from './receiver-agents.ts';
import { openHostResolver, type ResolveHost } from './resolve-host.ts';
import { type FailureReason, failureOf, sendError } from './send-failure.ts';
import { hostProblem } from './webhook-rules.ts';

export interface FetchedDocument {
  /** Parsed JSON. */
  readonly value: unknown;
  /** Seconds for which it may be used without fetching it again. */
  readonly freshSeconds: number;
}

/** Never rejects: the reason in place of a document. */
export type FetchDocument = (
  address: string,
) => Promise<FetchedDocument | { readonly reason: FailureReason }>;

export interface FetchOptions {
  readonly rules: AddressRules;
  /** As in WEBHOOK_PROXY. */
  readonly proxy: string | undefined;
  readonly userAgent: string;
  readonly resolve?: ResolveHost;
  /** Milliseconds until the end of the document. */
  readonly timeLimit?: number;
}

/** Seconds for a document whose answer says nothing about caching. */
const USUAL_SECONDS = 300;

export function openDocumentFetch(options: FetchOptions): FetchDocument {
  const { resolve = openHostResolver(), timeLimit = LIMITS.clientDocumentSeconds * 1000 } = options;
  return async (address) => {
    // The connections of a document end with it: nobody else's are waited for or kept.
    const agents = openReceiverAgents({ ...options, resolve, timeLimit });
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(TIMEOUT), timeLimit);
    try {
      const url = new URL(address);
      const problem = hostProblem(url, options.rules);
      if (problem !== undefined) throw sendError('address_refused', problem.text);
      const agent = agents.agentOf('', url.protocol as Scheme);
      const headers = { Accept: 'application/json', 'User-Agent': options.userAgent };
      const response = await get(url, { agent, headers, signal: end.signal });
      const text = await readWhole(response);
      end.signal.throwIfAborted();
      return { value: JSON.parse(text), freshSeconds: freshSecondsOf(response.headers) };
    } catch (error) {
      if (error instanceof SyntaxError) return { reason: 'bad_answer' };
      return { reason: failureOf(end.signal.aborted ? end.signal.reason : error).reason };
    } finally {
      clearTimeout(timer);
      end.abort(TIMEOUT);
      agents.close();
    }
  };
}

const TIMEOUT = sendError('timeout', 'The document did not arrive in time.');

function get(url: URL, options: https.RequestOptions): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).get(url, options);
    request.on('response', resolve);
    request.on('error', reject);
    // An answer that switches protocols has no response.
    request.on('close', () => reject(new Error('closed without an answer')));
  });
}

/** Errors: of `sendError` for anything but 200, JSON and few bytes. */
async function readWhole(response: http.IncomingMessage): Promise<string> {
  const type = (response.headers['content-type'] ?? '').toLowerCase();
  const isJson = /^application\/(?:[\w.-]+\+)?json[ \t]*(?:;|$)/.test(type);
  const isPlain = (response.headers['content-encoding'] ?? 'identity') === 'identity';
  if (response.statusCode !== 200 || !isJson || !isPlain) throw UNUSABLE;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LIMITS.clientDocumentBytes) throw UNUSABLE;
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

const UNUSABLE = sendError('bad_answer', 'The answer is not a small JSON document.');

/** Of `Cache-Control` (RFC 9111 §5.2.2), at most a day. */
function freshSecondsOf(headers: http.IncomingHttpHeaders): number {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return 0;
  const age = /\bmax-age=(\d{1,9})\b/.exec(control)?.[1];
  return Math.min(Number(age ?? USUAL_SECONDS), LIMITS.clientDocumentHours * 3600);
}
