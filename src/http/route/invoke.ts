// Calls of routes from inside of the process, without sockets: the same pipeline, the same answers. Load
// shedding and limits of unread answers protect sockets and do not apply.

import { Readable } from 'node:stream';
import type { ApiError } from '../../errors.ts';
import type { CancelSignal } from '../../model/cancel-signal.ts';
import {
  type Answer,
  type Call,
  type CallAnswer,
  openCall,
  type StreamAnswer,
  type Transport,
} from '../request/call.ts';
import { newRequestId } from '../request/request-id.ts';
import type { Site } from '../request/site.ts';
import type { CompiledRoute } from './compiled-route.ts';
import { answerCall, type CallEnvironment } from './pipeline.ts';
import type { Authenticated, Route, SseConnection } from './route.ts';

export interface Invocation {
  /** Values of the path, not encoded. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** The query string without `?`, or names with values. */
  readonly query?: string | Readonly<Record<string, string | number>>;
  /** The headers that routes read, in lower case: `authorization`, `if-match`, `idempotency-key`, …. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A Buffer is taken as the bytes of a body, anything else as its JSON value. */
  readonly body?: unknown;
  /** The present caller, in place of an `authorization` header. Long answers call it again. */
  readonly caller?: () => Authenticated | Promise<Authenticated>;
  /** Cancels reads. */
  readonly signal?: CancelSignal;
  readonly requestId?: string;
}

/** The answer a client would get; names of headers in lower case. */
export interface InvokedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there is none (304). */
  readonly body: unknown;
}

/** An answer that stays open. Either `start` or `discard` is to be called, once. */
export interface InvokedStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  start(connection: SseConnection): void;
  discard(): void;
}

/** Call a route. Never rejects: failures are answers. */
export type Invoke<Context> = (
  route: Route<Context>,
  invocation?: Invocation,
) => Promise<InvokedAnswer | InvokedStream>;

export interface Invoking<Context> extends CallEnvironment<Context> {
  /** Path of all routes. */
  readonly prefix: string;
  compiledOf(route: Route<Context>): CompiledRoute<Context>;
  /** One line a call. */
  log(call: Call, status: number, failure?: ApiError): void;
}

export function openInvoke<Context>(invoking: Invoking<Context>): Invoke<Context> {
  return async (route, invocation = {}) => {
    const { params = {}, query = '', headers = {}, requestId = newRequestId() } = invocation;
    const type = invocation.body === undefined ? {} : { 'content-type': 'application/json' };
    const call = openCall({
      requestId,
      method: route.method,
      headers: { ...type, ...headers },
      transport: transportOf(invocation),
    });
    const texts = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
    const routed = {
      path: invoking.prefix + pathOf(route.path, new Map(texts)),
      params: Object.fromEntries(texts),
      query: typeof query === 'string' ? query : printQuery(query),
    };
    const answer = await answerCall(call, invoking.compiledOf(route), routed, invoking);
    if (answer === undefined) throw new Error('a body from inside of the process broke off');
    invoking.log(call, answer.status, 'failure' in answer ? answer.failure : undefined);
    return 'start' in answer ? presentStream(call, answer) : presentAnswer(call, answer);
  };
}

/** An answer as it is inside of the process. */
export function presentAnswer(call: Call, answer: Answer): InvokedAnswer {
  return { status: answer.status, headers: headersOf(call, answer), body: answer.body };
}

const NOT_ABORTED = new AbortController().signal;
const NOTHING = Buffer.alloc(0);
const HERE: Site = Object.freeze({
  origin: 'http://localhost',
  hostname: 'localhost',
  address: '',
  agent: '',
  cookies: 'plain',
});

function transportOf({ body, caller, signal = NOT_ABORTED }: Invocation): Transport {
  const bytes = bytesOf(body);
  return {
    caller,
    authenticatedAs: () => undefined,
    isRepeated: () => false,
    isHostOf: () => true,
    site: () => HERE,
    isBodyOnDemand: false,
    requireRead: () => undefined,
    async readBody({ limit, refuse }) {
      if (bytes.length > limit) throw refuse();
      return bytes;
    },
    async receiveBody({ limit, refuse }, receive) {
      if (bytes.length > limit) throw refuse();
      return receive(Readable.from(bytes.length === 0 ? [] : [bytes]));
    },
    skipBody: () => true,
    outsideAdmission: (wait) => wait().then(() => true),
    signal: () => signal,
  };
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return NOTHING;
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

function pathOf(pattern: string, values: ReadonlyMap<string, string>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(values.get(name) ?? ''));
}

function printQuery(query: Readonly<Record<string, string | number>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');
}

/** A lone surrogate has no UTF-8: its text becomes a byte that routes refuse by the name of the parameter (D11). */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED';
}

function presentStream(call: Call, answer: StreamAnswer): InvokedStream {
  const { status, start, discard } = answer;
  return { status, headers: headersOf(call, answer), start, discard };
}

function headersOf({ requestId }: Call, { headers }: CallAnswer): Readonly<Record<string, string>> {
  return recordOf(['X-Request-Id', requestId, ...headers]);
}

function recordOf(list: readonly string[]): Readonly<Record<string, string>> {
  const record: Record<string, string> = {};
  for (let at = 0; at < list.length; at += 2) {
    record[(list[at] as string).toLowerCase()] = list[at + 1] as string;
  }
  return record;
}
