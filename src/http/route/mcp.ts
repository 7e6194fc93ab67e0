// `POST /mcp`: the way of a message of an MCP client to the tools of packages/mcp, and of their operations to the routes.
// A key is required; checks, limits and audit of the operations are those of their routes (docs/design/mcp.md).

import type { Invoke as CallOperation, Mcp, McpMessage } from '../../../packages/mcp/src/index.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { Caller } from '../../model/rights/access.ts';
import { keyOf, ofMcp } from '../../model/rights/principal.ts';
import { answerError, answerJson } from '../answer/answer.ts';
import { type JsonBody, requireJsonBody } from '../request/body.ts';
import type { Answer, Call } from '../request/call.ts';
import { authenticateCall } from '../request/call-credential.ts';
import type { Cors } from '../request/cors.ts';
import { compileShape } from '../request/validate.ts';
import { type Invoke, presentAnswer } from './invoke.ts';
import { admit, type Pipeline, requireBudget } from './pipeline.ts';
import type { Authenticated, Route } from './route.ts';

export const MCP = '/mcp';

/** The parts of the server that messages of MCP clients need. */
export interface McpDoor<Context> {
  readonly routes: readonly Route<Context>[];
  readonly invoke: Invoke<Context>;
  readonly pipeline: Pipeline;
  readonly cors: Pick<Cors, 'isAllowed'>;
  /** True: clients that have no key find out how to get access. */
  readonly oauth: boolean;
  /** The version of the service. */
  readonly version: string;
  /** Called with failures of tools. */
  onFailure(error: unknown): void;
}

/** Answer the message of a call; undefined when the client is gone. Never rejects. */
export type AnswerMcp = (call: Call) => Promise<Answer | undefined>;

export function openMcpDoor<Context>(door: McpDoor<Context>): AnswerMcp {
  const { pipeline } = door;
  const load = openLoad(door);
  const operations = new Map(door.routes.map((route) => [route.operationId, route]));
  return async (call) => {
    call.route = `POST ${MCP}`;
    try {
      requireKnownOrigin(call, door.cors);
      await admitKey(call, pipeline);
      const body = await requireMessage(call, pipeline);
      if (body === undefined) return undefined;
      const calling = openCalling(call, operations, door);
      const message = messageOf(call, body.value, calling);
      const { status, body: answered } = await (await load()).answer(message);
      // Operations have been counted as their routes are; every other message is a request as well.
      if (!calling.isCounted()) await requireBudget(call, pipeline);
      return answerJson(call, { status, headers: calling.rateHeaders(), body: answered });
    } catch (error) {
      return answerError(call, door.oauth ? withMetadata(call, error) : error);
    }
  };
}

/** The refusal of a missing key names the metadata of the resource (RFC 9728 §5.1). */
function withMetadata({ headers, transport }: Call, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  const wrong = headers.authorization === undefined ? '' : 'error="invalid_token", ';
  const address = `${transport.site().origin}/.well-known/oauth-protected-resource${MCP}`;
  const challenge = `Bearer ${wrong}resource_metadata="${address}"`;
  return new ApiError(error.code, { cause: error, headers: { 'WWW-Authenticate': challenge } });
}

/** The library is loaded at the first message: most services have no MCP client. */
function openLoad<Context>({ version, onFailure }: McpDoor<Context>): () => Promise<Mcp> {
  let loading: Promise<Mcp> | undefined;
  const compile = (schema: object) => {
    const check = compileShape(schema, { subject: 'The arguments' });
    return (value: unknown) =>
      check(value).map(({ message, ...part }) => ({ ...part, message: message.text }));
  };
  return () => {
    loading ??= import('../../../packages/mcp/src/index.ts').then(({ openMcp }) =>
      openMcp({ version, compile, onFailure }),
    );
    return loading;
  };
}

/** Pages of other sites cannot use a key that they do not have; a page that has one is refused too. */
function requireKnownOrigin({ headers, transport }: Call, cors: McpDoor<never>['cors']): void {
  const { origin } = headers;
  if (origin === undefined || origin === transport.site().origin || cors.isAllowed(origin)) return;
  throw new ApiError('cross_site_request', {
    message: say('mcp_origin_refused', { origin: origin.slice(0, 100) }),
  });
}

/** Errors: those of authentication; `missing_api_key` for a session, which is for browsers. */
async function admitKey(call: Call, pipeline: Pipeline): Promise<void> {
  await admit(call, undefined, pipeline);
  const { caller } = call.authenticated as Authenticated;
  if (keyOf(caller.principal) === undefined) throw new ApiError('missing_api_key');
}

/** Bytes of a message that is still read when its key has no requests left: its tools say so in words. */
const SPENT_KEY_BYTES = 16 * 1024;

/** The body; one that is refused counts as a request. Errors: those of bodies, `rate_limited`. */
async function requireMessage(call: Call, pipeline: Pipeline): Promise<JsonBody | undefined> {
  const { principal } = (call.authenticated as Authenticated).caller;
  const limit = pipeline.limiter.isSpent(principal) ? SPENT_KEY_BYTES : pipeline.batchBodyBytes;
  const reading = requireJsonBody(call, { limit, nodes: LIMITS.batchJsonNodes, optional: false });
  return reading.catch(async (error: unknown) => {
    await requireBudget(call, pipeline);
    throw error;
  });
}

function messageOf(
  call: Call,
  body: unknown,
  { invoke, count }: Pick<McpMessage, 'invoke' | 'count'>,
): McpMessage {
  const { caller } = call.authenticated as Authenticated;
  return { body, headers: call.headers, scopes: caller.scopes, invoke, count };
}

/** Operations of one message, with the rights that its key has at each of them. */
function openCalling<Context>(
  call: Call,
  operations: ReadonlyMap<string, Route<Context>>,
  { invoke, pipeline }: McpDoor<Context>,
) {
  let last: Readonly<Record<string, string>> | undefined;
  const signal = call.transport.signal();
  const caller = async () => asMcp(await authenticateCall(call, pipeline));
  const callOperation: CallOperation = async (operation, request) => {
    const route = operations.get(operation) as Route<Context>;
    const { requestId } = call;
    const answer = await invoke(route, { ...request, caller, signal, requestId });
    last = answer.headers;
    if (!('start' in answer)) return answer;
    answer.discard();
    throw new Error(`${operation} answers a stream`);
  };
  const isCounted = () => last !== undefined || call.rate !== undefined;
  return {
    invoke: callOperation,
    async count() {
      if (isCounted()) return undefined;
      return requireBudget(call, pipeline).then(
        () => undefined,
        (error: unknown) => presentAnswer(call, answerError(call, error)),
      );
    },
    isCounted,
    rateHeaders: () =>
      Object.fromEntries(
        Object.entries(last ?? {}).filter(([name]) => /^(?:x-)?ratelimit-/.test(name)),
      ),
  };
}

/** The MCP caller of each caller; it stays the same object because plans are cached by it. */
const callers = new WeakMap<Caller, Caller>();

function asMcp({ caller, model }: Authenticated): Authenticated {
  const key = keyOf(caller.principal);
  if (key === undefined) throw new ApiError('invalid_api_key');
  const known = callers.get(caller) ?? Object.freeze({ ...caller, principal: ofMcp(key) });
  callers.set(caller, known);
  return { caller: known, model };
}
