// The request pipeline: the checks that every call of a route passes, always in this order (D1), and then its
// handler. It uses no socket; keys, rate limits and streams are arguments.

import { ApiError, errorFromProblems, type Problem } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { hasDeveloperAccess, hasOneScope, lacksScope } from '../../model/rights/access.ts';
import type { RateState } from '../../model/rights/api-key-form.ts';
import {
  isFreshSignIn,
  type Principal,
  sendingSession,
  viewingOf,
} from '../../model/rights/principal.ts';
import { answerError, answerReply, answerStream } from '../answer/answer.ts';
import {
  arrivingBody,
  type JsonBody,
  requireFileBody,
  requireJsonBody,
  serveOthers,
} from '../request/body.ts';
import type { Answer, Call, CallAnswer, Routed } from '../request/call.ts';
import {
  authenticateCall,
  isCrossSite,
  readViewed,
  requireOperator,
} from '../request/call-credential.ts';
import { fingerprintOf, requireIdempotencyKey } from '../request/fingerprint.ts';
import type { SseConnections } from '../socket/sse-connections.ts';
import { type CompiledRoute, requireParams, requireQuery } from './compiled-route.ts';
import { repeatByDefinition } from './repeat-by-definition.ts';
import type {
  Authenticate,
  Authenticated,
  LaterReply,
  Reply,
  RouteRequest,
  StreamReply,
  View,
} from './route.ts';

/** Counts requests by their principal; undefined for one without a limit. */
export interface RateLimiter {
  /** Count one request. */
  count(principal: Principal): Promise<RateState | undefined>;
  /** The state of the window without counting. */
  peek(principal: Principal): Promise<RateState | undefined>;
  /** True when the window was used up when it was read last. */
  isSpent(principal: Principal): boolean;
}

export interface Pipeline {
  readonly authenticate: Authenticate;
  readonly view: View;
  /** Check for changes of credentials and rights before the next request. */
  lookAgain(): void;
  /** Milliseconds since 1970 by the clock of the database. */
  databaseTime(): number;
  readonly limiter: RateLimiter;
  /** Undefined: routes of the operator do not exist. */
  readonly operatorKey: string | undefined;
  /** Called after a request that may have written to the workspace. */
  onWritten(workspaceId: number): void;
  readonly streams: Pick<SseConnections, 'reserve' | 'closing'>;
  readonly bodyBytes: number;
  readonly batchBodyBytes: number;
}

/** The environment of a call. */
export interface CallEnvironment<Context> {
  readonly pipeline: Pipeline;
  /** Given to every handler. */
  readonly context: Context;
}

/** Answer a call of a route. Never rejects; undefined when the client is gone. */
export async function answerCall<Context>(
  call: Call,
  compiled: CompiledRoute<Context>,
  routed: Routed,
  { pipeline, context }: CallEnvironment<Context>,
): Promise<CallAnswer | undefined> {
  call.route = compiled.label;
  const { route, writes } = compiled;
  if (route.operator === true && pipeline.operatorKey === undefined) {
    return answerUnrouted(call, [], pipeline);
  }
  if (route.open === true) return answerOpen(call, compiled, routed, { pipeline, context });
  if (route.feed === true) call.feedSecret = routed.params.secret;
  try {
    await admit(call, compiled, pipeline);
    const counted = requireBudget(call, pipeline);
    const handle = () => run(call, compiled, routed, { pipeline, context });
    const reply = mayRunWhileCounted(call, compiled, pipeline)
      ? await bothInOrder(counted, handle())
      : await counted.then(handle);
    if (reply === undefined) return undefined;
    if ('stream' in reply) {
      const release = pipeline.streams.reserve(call.authenticated as Authenticated);
      return answerStream(call, route, reply, release);
    }
    const given =
      'answer' in reply ? await answerLater(call, reply, { needed: compiled, pipeline }) : reply;
    if (given === undefined) return undefined;
    const answer = answerReply(call, route, given, !writes);
    if (compiled.administers) pipeline.lookAgain();
    if (writes) pipeline.onWritten((call.authenticated as Authenticated).model.workspace.id);
    return answer;
  } catch (error) {
    return answerError(call, error);
  }
}

/** Undefined when the client has left meanwhile. */
async function answerLater(
  call: Call,
  { wait, answer }: LaterReply,
  needs: { readonly needed: Needed; readonly pipeline: Pipeline },
): Promise<Reply | undefined> {
  const { streams, limiter } = needs.pipeline;
  const { caller } = call.authenticated as Authenticated;
  const release = streams.reserve(call.authenticated as Authenticated);
  try {
    if (!(await call.transport.outsideAdmission(() => wait(streams.closing)))) return undefined;
  } finally {
    release();
  }
  call.rate = await limiter.peek(caller.principal);
  return byDefinition(call, needs, answer);
}

/** Answer a call of a route that needs no authentication, and is not counted. */
async function answerOpen<Context>(
  call: Call,
  compiled: CompiledRoute<Context>,
  routed: Routed,
  surroundings: CallEnvironment<Context>,
): Promise<CallAnswer | undefined> {
  try {
    if (isCrossSite(call, false)) throw new ApiError('cross_site_request');
    if (compiled.route.operator === true) requireOperator(call, surroundings.pipeline.operatorKey);
    const reply = await run(call, compiled, routed, surroundings);
    if (reply === undefined) return undefined;
    if (!('body' in reply)) throw new Error('an open route has not answered at once');
    if (compiled.administers) surroundings.pipeline.lookAgain();
    return answerReply(call, compiled.route, reply, false);
  } catch (error) {
    return answerError(call, error);
  }
}

/**
 * Answer a call of no route: 401 first, then 405 with `Allow`, else 404 (D1, D4). Never rejects.
 */
export async function answerUnrouted(
  call: Call,
  allowed: readonly string[],
  pipeline: Pipeline,
): Promise<Answer> {
  const wrongMethod = new ApiError('method_not_allowed', {
    headers: { Allow: allowed.join(', ') },
  });
  try {
    await admit(call, undefined, pipeline);
    await requireBudget(call, pipeline);
    throw allowed.length > 0 ? wrongMethod : new ApiError('route_not_found');
  } catch (error) {
    // Clients send no key with these, and the methods of a path are not secret.
    const isProbe = call.method === 'OPTIONS' || call.method === 'TRACE';
    const isOpen = isProbe && allowed.length > 0 && call.authenticated === undefined;
    return answerError(call, isOpen ? wrongMethod : error);
  }
}

/** A read is answered while it is counted, unless the window of its principal was used up. */
function mayRunWhileCounted<Context>(
  { transport, authenticated }: Call,
  { route, writes }: CompiledRoute<Context>,
  { limiter }: Pipeline,
): boolean {
  if (writes || transport.isBodyOnDemand || route.events === true) return false;
  return !limiter.isSpent((authenticated as Authenticated).caller.principal);
}

/** Runs both at once; a failure of the first wins over the result of the second. */
async function bothInOrder<Result>(first: Promise<void>, second: Promise<Result>): Promise<Result> {
  const [refusal, result] = await Promise.allSettled([first, second]);
  if (refusal.status === 'rejected') throw refusal.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** The requirements of a route; undefined: there is no route. */
type Needed = Pick<CompiledRoute<never>, 'scopes' | 'stores'> & {
  readonly route: Pick<CompiledRoute<never>['route'], 'fresh' | 'sessionOnly' | 'duringSetUp'>;
};

/** Find the caller. Errors: those of authentication, host, access and scope. */
export async function admit(
  call: Call,
  needed: Needed | undefined,
  pipeline: Pipeline,
): Promise<void> {
  const found = findCaller(call, pipeline);
  const authenticated = found instanceof Promise ? await found : found;
  call.authenticated = authenticated;
  call.transport.authenticatedAs(authenticated);
  const refusal = findRefusal(call, authenticated, needed, pipeline);
  if (refusal !== undefined) {
    call.rate = await pipeline.limiter.peek(authenticated.caller.principal);
    throw refusal;
  }
}

/** The caller of a call: the person of its credential, or the one as whom that person views. */
function findCaller(call: Call, pipeline: Pipeline): Authenticated | Promise<Authenticated> {
  const sender = authenticateCall(call, pipeline);
  return call.headers['x-view-as'] === undefined ? sender : viewed(call, sender, pipeline);
}

async function viewed(
  call: Call,
  found: Authenticated | Promise<Authenticated>,
  { view, limiter }: Pipeline,
): Promise<Authenticated> {
  const sender = await found;
  try {
    const userId = readViewed(call);
    return userId === undefined ? sender : await view(sender, userId);
  } catch (error) {
    call.rate = await limiter.peek(sender.caller.principal);
    throw error;
  }
}

/** Count the request. Errors: `rate_limited`. */
export async function requireBudget(call: Call, { limiter }: Pipeline): Promise<void> {
  const { caller } = call.authenticated as Authenticated;
  call.rate = await limiter.count(caller.principal);
  if (call.rate?.exceeded === true) throw new ApiError('rate_limited');
}

/** Checks a request again that was admitted and counted before. */
function admitAgain(
  call: Call,
  needed: Needed,
  pipeline: Pipeline,
): Authenticated | Promise<Authenticated> {
  const check = (authenticated: Authenticated) => {
    const refusal = findRefusal(call, authenticated, needed, pipeline);
    if (refusal !== undefined) throw refusal;
    // The earlier caller can be collected while the answer stays open.
    call.authenticated = authenticated;
    return authenticated;
  };
  const found = findCaller(call, pipeline);
  return found instanceof Promise ? found.then(check) : check(found);
}

function findRefusal(
  call: Call,
  { caller, model }: Authenticated,
  needed: Needed | undefined,
  { databaseTime }: Pipeline,
): ApiError | undefined {
  const { transport } = call;
  const session = sendingSession(caller.principal);
  if (!transport.isHostOf(model.workspace.slug)) return new ApiError('tenant_host_mismatch');
  if (!hasDeveloperAccess(caller)) return new ApiError('developer_access_revoked');
  const isCredited = session !== undefined && transport.caller === undefined;
  if (isCredited && isCrossSite(call, true)) return new ApiError('cross_site_request');
  const { scopes, route, stores } = needed ?? {};
  if (session?.isLimited && !route?.duringSetUp) return new ApiError('second_factor_missing');
  if (route === undefined) return undefined;
  const isViewing = viewingOf(caller.principal) !== undefined;
  if (isViewing && (stores || route.sessionOnly === true)) return viewedOnly(caller);
  if (scopes !== undefined && !hasOneScope(caller, scopes)) return lacksScope(scopes);
  if (session === undefined) return route.sessionOnly === true ? signedInOnly() : undefined;
  const isLate = route.fresh === true && !isFreshSignIn(session, databaseTime());
  return isLate ? new ApiError('fresh_sign_in_required') : undefined;
}

function viewedOnly({ user }: Authenticated['caller']): ApiError {
  const name = user.name ?? `user ${user.id}`;
  return new ApiError('permission_denied', { message: say('viewing_read_only', { name }) });
}

function signedInOnly(): ApiError {
  return new ApiError('permission_denied', { message: say('needs_session') });
}

async function run<Context>(
  call: Call,
  compiled: CompiledRoute<Context>,
  routed: Routed,
  { pipeline, context }: CallEnvironment<Context>,
): Promise<Reply | StreamReply | LaterReply | undefined> {
  const { transport } = call;
  const { route } = compiled;
  transport.requireRead();
  const key = route.idempotent === true ? requireIdempotencyKey(call) : undefined;
  const params = requireParams(compiled, routed.params);
  const { values: query, filters } = requireQuery(compiled, routed.query);
  let body: JsonBody | undefined;
  if (compiled.checkBody !== undefined || compiled.route.takesFile !== undefined) {
    body = await requireBody(call, compiled, { pipeline, query });
    if (body === undefined) return undefined;
  } else {
    // The handler runs when the request is complete: an incomplete one must not write anything.
    const skipped = transport.skipBody(pipeline.bodyBytes);
    if (skipped !== true && !(await skipped)) return undefined;
  }
  const claim =
    key === undefined ? undefined : { key, fingerprint: await fingerprintOf(call, routed, body) };
  const sent = { params, query, filters, body: body?.value, claim };
  const work = async () =>
    compiled.route.handle(requestOf(call, compiled, sent, pipeline), context);
  return byDefinition(call, { needed: compiled, pipeline }, work);
}

/** The parts of the request that a handler gets. */
type Sent = Pick<
  RouteRequest<unknown, unknown, unknown>,
  'params' | 'query' | 'filters' | 'body' | 'claim'
>;

/** The work of a call, by the definition and the rights of its time. */
function byDefinition<Result>(
  call: Call,
  { needed, pipeline }: { readonly needed: Needed; readonly pipeline: Pipeline },
  work: () => Promise<Result>,
): Promise<Result> {
  const revision = () => call.authenticated?.model.revision;
  return repeatByDefinition({ work, revision }, async () => {
    pipeline.lookAgain();
    await admitAgain(call, needed, pipeline);
  });
}

function requestOf<Context>(
  call: Call,
  compiled: CompiledRoute<Context>,
  { params, query, filters, body, claim }: Sent,
  pipeline: Pipeline,
): RouteRequest<unknown, unknown, unknown> {
  const { headers, transport } = call;
  // Handlers of open routes are not given them (`OpenRequest`).
  const { caller, model } = (call.authenticated ?? {}) as Authenticated;
  return {
    caller,
    model,
    params,
    query,
    filters,
    body,
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    range: headers.range,
    ifRange: headers['if-range'] as string | undefined,
    claim,
    requestId: call.requestId,
    stats: call.stats,
    lastEventId: (headers['last-event-id'] as string | undefined) || undefined,
    admitAgain: () => admitAgain(call, compiled, pipeline),
    signal: transport.signal,
    now: pipeline.databaseTime,
    site: () => transport.site(),
    isHostOf: (slug) => transport.isHostOf(slug),
    cookies: headers.cookie,
    accept: headers.accept,
    acceptLanguage: headers['accept-language'],
  };
}

async function requireBody<Context>(
  call: Call,
  { route, checkBody }: CompiledRoute<Context>,
  {
    pipeline,
    query,
  }: { readonly pipeline: Pipeline; readonly query: Readonly<Record<string, unknown>> },
): Promise<JsonBody | undefined> {
  const { takesFile } = route;
  if (takesFile?.arrives?.(query) === true) return arrivingBody(call);
  if (takesFile !== undefined) return requireFileBody(call, takesFile);
  const isBatch = route.bodyLimit === 'batch';
  const body = await requireJsonBody(call, {
    limit: isBatch ? pipeline.batchBodyBytes : pipeline.bodyBytes,
    nodes: isBatch ? LIMITS.batchJsonNodes : LIMITS.jsonNodes,
    optional: route.bodyOptional === true,
  });
  if (body === undefined || checkBody === undefined) return undefined;
  const problems = checkBody(body.value);
  await serveOthers(body.raw);
  if (problems.length === 0) return body;
  const label = route.labelProblem ?? ((problem: Problem) => problem);
  throw errorFromProblems(problems.map((problem) => label(problem, body.value)));
}
