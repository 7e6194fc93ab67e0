// The door: the checks that every request passes, always in this order (D1), and then its handler.
// Who a key belongs to and how requests are counted it is told from outside.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, errorFromProblems, type Problem, unavailable } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { hasDeveloperAccess, hasOneScope, type Scope } from '../model/access.ts';
import type { RateState } from '../model/api-key-form.ts';
import type { Principal } from '../model/principal.ts';
import { type JsonBody, readJsonBody, skipBody } from './body.ts';
import { type CompiledRoute, requireParams, requireQuery } from './compiled-route.ts';
import type { Outlets } from './outlet.ts';
import { type Exchange, requireRead, sendError, sendReply } from './reply.ts';
import type { Authenticated, Reply, StreamReply } from './route.ts';
import type { Shares } from './shares.ts';
import type { HostCheck } from './tenant-host.ts';

/** Counts requests by their principal; undefined for one without a limit. */
export interface RateLimiter {
  /** Count one request. */
  count(principal: Principal): Promise<RateState | undefined>;
  /** The state of the window without counting. */
  peek(principal: Principal): Promise<RateState | undefined>;
  /** True when the window was used up when it was read last. */
  isSpent(principal: Principal): boolean;
}

/** What the door is told from outside. */
export interface Door {
  /** Errors: `invalid_api_key`, `api_key_expired`. */
  authenticate(secret: string): Authenticated | Promise<Authenticated>;
  /** Which requests are counted, and how many there may be. */
  readonly limiter: RateLimiter;
  /** Told after the answer to a request that may have written to the workspace. */
  onWritten(workspaceId: number): void;
  readonly isHostOf: HostCheck;
  readonly outlets: Outlets;
  /** Of bodies that are on their way. */
  readonly arriving: Shares;
  /** Take the place again that was left while the body came. False: there is none. */
  enterAgain(exchange: Exchange): boolean;
  readonly bodyBytes: number;
  readonly batchBodyBytes: number;
  /** One line a request. */
  log(exchange: Exchange, status: number, failure?: unknown): void;
}

/** What the router found. */
export interface Routed {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: string;
}

/** Answer a request to a route. Never rejects. */
export async function serve<Context>(
  exchange: Exchange,
  compiled: CompiledRoute<Context>,
  routed: Routed,
  { door, context }: { readonly door: Door; readonly context: Context },
): Promise<void> {
  exchange.route = compiled.label;
  try {
    await admit(exchange, compiled.scopes, door);
    const counted = requireBudget(exchange, door);
    const reply = isFree(exchange, compiled, door)
      ? await inOrder(counted, run(exchange, compiled, routed, { door, context }))
      : await counted.then(() => run(exchange, compiled, routed, { door, context }));
    if (reply === undefined) return;
    if ('stream' in reply) {
      door.outlets.open(exchange, compiled.route.status, reply);
      door.log(exchange, compiled.route.status);
      return;
    }
    const status = await sendReply(exchange, compiled.route, reply, !compiled.writes);
    if (compiled.writes) noteWrite(exchange, door);
    door.log(exchange, status);
  } catch (error) {
    fail(exchange, error, door);
  }
}

/** A read of a key that had requests left lately: it is answered while it is counted. */
function isFree<Context>(
  { expectation, authenticated }: Exchange,
  { route, writes }: CompiledRoute<Context>,
  { limiter }: Door,
): boolean {
  if (writes || expectation !== undefined || route.events === true) return false;
  return !limiter.isSpent((authenticated as Authenticated).caller.principal);
}

/** Both at once; a refusal of the first counts, whatever the second says. */
async function inOrder<Result>(first: Promise<void>, second: Promise<Result>): Promise<Result> {
  const [refusal, result] = await Promise.allSettled([first, second]);
  if (refusal.status === 'rejected') throw refusal.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

function noteWrite({ authenticated }: Exchange, door: Door): void {
  if (authenticated !== undefined) door.onWritten(authenticated.model.workspace.id);
}

/** Answer a request to no route: 401 first, then 405 with `Allow`, else 404 (D1, D4). */
export async function serveUnrouted(
  exchange: Exchange,
  allowed: readonly string[],
  door: Door,
): Promise<void> {
  const wrongMethod = new ApiError('method_not_allowed', {
    headers: { Allow: allowed.join(', ') },
  });
  try {
    await admit(exchange, undefined, door);
    await requireBudget(exchange, door);
    throw allowed.length > 0 ? wrongMethod : new ApiError('route_not_found');
  } catch (error) {
    // No client sends a key with these, and which methods a path has is no secret.
    const { method } = exchange.request;
    const asksOnly = allowed.length > 0 && (method === 'OPTIONS' || method === 'TRACE');
    fail(exchange, asksOnly && exchange.authenticated === undefined ? wrongMethod : error, door);
  }
}

/** Answer with an error and log it. Never throws: nobody is left to catch it. */
export function fail(exchange: Exchange, error: unknown, door: Pick<Door, 'log'>): void {
  // Answered as a request that did not come to its end, while this was found out.
  if (exchange.close && exchange.response.writableEnded) return;
  try {
    const failure = sendError(exchange, error);
    door.log(exchange, failure.status, failure);
  } catch (unsendable) {
    exchange.response.destroy();
    door.log(exchange, 500, unsendable);
  }
}

/** Made once: where they come from is known, and they must cost little. */
export const OVERLOADED = unavailable(new Error('too many requests wait for their answers'));
const TOO_MUCH = unavailable(new Error('too many bytes of bodies are on their way'));

/** The scopes a request needs one of; undefined: none. */
type Needed = readonly Scope[] | undefined;

async function admit(exchange: Exchange, needed: Needed, door: Door): Promise<void> {
  const { request } = exchange;
  const found = door.authenticate(requireSecret(request));
  const authenticated = found instanceof Promise ? await found : found;
  exchange.authenticated = authenticated;
  const refusal = findRefusal(request, authenticated, { needed, door });
  if (refusal !== undefined) {
    exchange.rate = await door.limiter.peek(authenticated.caller.principal);
    throw refusal;
  }
}

/** Count the request. */
async function requireBudget(exchange: Exchange, { limiter }: Door): Promise<void> {
  const { caller } = exchange.authenticated as Authenticated;
  exchange.rate = await limiter.count(caller.principal);
  if (exchange.rate?.exceeded === true) throw new ApiError('rate_limited');
}

/** The same checks for a request that was let in and counted before. */
function admitAgain(
  exchange: Exchange,
  needed: Needed,
  door: Door,
): Authenticated | Promise<Authenticated> {
  const { request } = exchange;
  const check = (authenticated: Authenticated) => {
    const refusal = findRefusal(request, authenticated, { needed, door });
    if (refusal !== undefined) throw refusal;
    // What it was before need not be kept as long as the answer is open.
    exchange.authenticated = authenticated;
    return authenticated;
  };
  const found = door.authenticate(requireSecret(request));
  return found instanceof Promise ? found.then(check) : check(found);
}

/** The text after `Bearer `. Two headers are as good as none: which one should count? */
function requireSecret({ headers, rawHeaders }: IncomingMessage): string {
  const header = headers.authorization;
  if (header === undefined || !/^bearer /i.test(header)) throw new ApiError('missing_api_key');
  if (isRepeated(rawHeaders, 'authorization')) throw new ApiError('invalid_api_key');
  return header.slice('bearer '.length);
}

interface Refusing {
  readonly needed: Needed;
  readonly door: Door;
}

function findRefusal(
  request: IncomingMessage,
  { caller, model }: Authenticated,
  { needed, door }: Refusing,
): ApiError | undefined {
  if (!door.isHostOf(request, model.workspace.slug)) return new ApiError('tenant_host_mismatch');
  if (!hasDeveloperAccess(caller)) return new ApiError('developer_access_revoked');
  if (needed === undefined || hasOneScope(caller, needed)) return undefined;
  return new ApiError('insufficient_scope', {
    message: `The API key lacks the scope ${needed.join(' or ')}.`,
    details: { required_scope: needed[0] },
  });
}

async function run<Context>(
  exchange: Exchange,
  compiled: CompiledRoute<Context>,
  routed: Routed,
  { door, context }: { readonly door: Door; readonly context: Context },
): Promise<Reply | StreamReply | undefined> {
  const { request, requestId } = exchange;
  const { caller, model } = exchange.authenticated as Authenticated;
  const { route } = compiled;
  const { headers } = request;
  // What is not read of earlier answers is what makes the next one too many.
  requireRead(exchange);
  const key = route.idempotent === true ? requireIdempotencyKey(request) : undefined;
  const params = requireParams(compiled, routed.params);
  const { values: query, filters } = requireQuery(compiled, routed.query);
  let body: JsonBody | undefined;
  if (compiled.checkBody !== undefined) {
    body = await requireBody(exchange, compiled, door);
    if (body === undefined) return undefined;
  } else if (!request.complete && !(await passBody(exchange, door))) return undefined;
  return route.handle(
    {
      caller,
      model,
      params,
      query,
      filters,
      body: body?.value,
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
      claim:
        key === undefined ? undefined : { key, fingerprint: fingerprintOf(request, body?.raw) },
      requestId,
      work: exchange.work,
      lastEventId: (headers['last-event-id'] as string | undefined) || undefined,
      admitAgain: () => admitAgain(exchange, compiled.scopes, door),
      signal: () => abortSignalOf(exchange.response),
    },
    context,
  );
}

/** Made only for those who ask for it; writes are not cancelled. */
function abortSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return controller.signal;
}

/** 1–255 visible ASCII characters (§8). */
function requireIdempotencyKey({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  const most = LIMITS.idempotencyKeyLength;
  if (typeof key === 'string' && key.length <= most && /^[\x21-\x7e]+$/.test(key)) return key;
  throw errorFromProblems([
    {
      param: 'Idempotency-Key',
      code: 'validation_failed',
      message: `The Idempotency-Key must have 1 to ${most} visible ASCII characters.`,
    },
  ]);
}

/**
 * Pass over a body that nobody reads. A request is answered when it has come to its end: a write must not
 * be done for one that breaks. Errors: `payload_too_large`; false when the client is gone.
 */
async function passBody(exchange: Exchange, door: Door): Promise<boolean> {
  const rules = { limit: door.bodyBytes, ...continuing(exchange) };
  return (await arrive(exchange, door, () => skipBody(exchange.request, rules))) === true;
}

/**
 * Wait for a body. The place is left meanwhile: who sends slowly keeps nobody out. Errors: those of
 * `read`; `service_unavailable` when too much is on its way already.
 */
async function arrive<Result>(
  exchange: Exchange,
  door: Door,
  read: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const { request, response, place } = exchange;
  if (response.writableEnded) return undefined;
  place?.leave();
  const holder = exchange.holder();
  const { arriving } = door;
  let bytes = 0;
  response.once('close', () => arriving.give(holder, bytes));
  const refused = new Promise<never>((_, reject) => {
    request.on('data', (chunk: Buffer) => {
      if (!arriving.admits(holder, chunk.length)) {
        request.pause();
        reject(TOO_MUCH);
        return;
      }
      arriving.take(holder, chunk.length);
      bytes += chunk.length;
    });
  });
  const result = await Promise.race([read(), refused]);
  if (result !== undefined && !door.enterAgain(exchange)) throw OVERLOADED;
  return result;
}

async function requireBody<Context>(
  exchange: Exchange,
  { route, checkBody }: CompiledRoute<Context>,
  door: Door,
): Promise<JsonBody | undefined> {
  const { request } = exchange;
  if (isRepeated(request.rawHeaders, 'content-type')) throw new ApiError('unsupported_media_type');
  const isBatch = route.bodyLimit === 'batch';
  const rules = {
    limit: isBatch ? door.batchBodyBytes : door.bodyBytes,
    nodes: isBatch ? LIMITS.batchJsonNodes : LIMITS.jsonNodes,
    optional: route.bodyOptional === true,
    ...continuing(exchange),
  };
  const read = () => readJsonBody(request, rules);
  const body = request.complete ? await read() : await arrive(exchange, door, read);
  if (body === undefined || checkBody === undefined) return undefined;
  const problems = checkBody(body.value);
  if (problems.length === 0) return body;
  const label = route.labelProblem ?? ((problem: Problem) => problem);
  throw errorFromProblems(problems.map((problem) => label(problem, body.value)));
}

/** The client is told to send the body it has announced. */
function continuing({ expectation, response }: Exchange): { readonly onRead?: () => void } {
  return expectation === 'continue' ? { onRead: () => response.writeContinue() } : {};
}

function fingerprintOf({ method, url = '' }: IncomingMessage, raw: Buffer | undefined): Buffer {
  const path = url.split('?', 1)[0];
  return createHash('sha256')
    .update(`${method} ${path}\n`)
    .update(raw ?? '')
    .digest();
}

/** Node keeps the first of repeated headers and says nothing. */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
