// The handler of each path: the routes of the interface, documents of the service itself, the health of the
// process. Whether a request comes this far is decided in dispatcher.ts.

import { ApiError } from '../../errors.ts';
import { traced } from '../answer/tracing.ts';
import { APPLICATION, type Application, isBrowser } from '../documents/application.ts';
import type { PublicDocument } from '../documents/reference.ts';
import type { Exchange } from '../socket/http-exchange.ts';
import {
  respond,
  respondError,
  type Writer,
  writeFile,
  writeHealth,
  writeLocation,
  writePage,
} from '../socket/write-answer.ts';
import type { CompiledRoute } from './compiled-route.ts';
import type { Routing } from './dispatcher.ts';
import { answerEndpoint, type Endpoint } from './endpoint.ts';
import { type AnswerMcp, MCP } from './mcp.ts';
import { answerCall, answerUnrouted, type CallEnvironment } from './pipeline.ts';
import type { Route } from './route.ts';
import { openRouter, type PathEntry } from './router.ts';

export const PREFIX = '/v1';
export const ALIVE = '/healthz';
export const READY = '/readyz';

export interface Served<Context> extends CallEnvironment<Context> {
  readonly routes: readonly Route<Context>[];
  compiledOf(route: Route<Context>): CompiledRoute<Context>;
  readonly documents: readonly PublicDocument[];
  /** Undefined: there is none. */
  readonly application: Application | undefined;
  readonly answerMcp: AnswerMcp;
  readonly endpoints: readonly Endpoint<Context>[];
  /** True when requests can be answered. */
  isReady(): Promise<boolean>;
  /** Version and commit, which `/readyz` says. */
  readonly release: object;
  readonly writer: Writer;
}

export function openRouting<Context>(served: Served<Context>): Routing {
  const { routes, documents, pipeline, writer, application } = served;
  const routed = new Set(routes.map(({ path }) => PREFIX + path));
  const routeNone = (exchange: Exchange, allowed: readonly string[]) =>
    void respond(exchange, answerUnrouted(exchange.call, allowed, pipeline), writer);
  const router = openRouter(
    [
      ...routes.map((route) => routeEntry(route, served)),
      ...documents
        .filter(({ path }) => !routed.has(path))
        .map((document) => documentEntry(document, writer)),
      mcpEntry(served),
    ],
    [
      ...mcpRefusals(writer),
      ...served.endpoints.map((endpoint) => endpointEntry(endpoint, served)),
      healthEntry(ALIVE, async () => true, {}),
      healthEntry(READY, served.isReady, served.release),
      ...(application === undefined ? [] : applicationEntries(application, writer, routeNone)),
    ],
  );
  const refusals = new Map(served.endpoints.map(({ path, refuse }) => [path as string, refuse]));
  return {
    route(exchange) {
      const { method = '', url = '' } = exchange.request;
      const found = router.find(method, url);
      if (found === undefined) routeNone(exchange, router.allowedAt(url));
      else found.handle(exchange, found.routed);
    },
    refuse(exchange, error) {
      const [path = ''] = exchange.request.url?.split('?', 1) ?? [];
      respondError(exchange, error, writer, refusals.get(path));
    },
  };
}

function routeEntry<Context>(route: Route<Context>, served: Served<Context>): PathEntry {
  const { documents, compiledOf, writer } = served;
  const compiled = compiledOf(route);
  const path = PREFIX + route.path;
  // Without a query string it is answered in place of the route, and needs no key.
  const document = documents.find((one) => one.path === path);
  return {
    method: route.method,
    path,
    handle(exchange, routed) {
      if (document !== undefined && routed.query === '') {
        respondDocument(exchange, document, writer);
        return;
      }
      const { call } = exchange;
      traced(call, compiled.label, () => {
        void respond(exchange, answerCall(call, compiled, routed, served), writer);
      });
    },
  };
}

function documentEntry(document: PublicDocument, writer: Writer): PathEntry {
  const handle = (exchange: Exchange) => respondDocument(exchange, document, writer);
  return { method: 'GET', path: document.path, handle };
}

function respondDocument(exchange: Exchange, document: PublicDocument, writer: Writer): void {
  exchange.call.route = `GET ${document.path}`;
  try {
    writer.log(exchange, writeFile(exchange, document.load()));
  } catch (error) {
    respondError(exchange, error, writer);
  }
}

function mcpEntry<Context>({ answerMcp, writer }: Served<Context>): PathEntry {
  const handle = (exchange: Exchange) => {
    const { call } = exchange;
    traced(call, `POST ${MCP}`, () => void respond(exchange, answerMcp(call), writer));
  };
  return { method: 'POST', path: MCP, handle };
}

function endpointEntry<Context>(endpoint: Endpoint<Context>, served: Served<Context>): PathEntry {
  const { method, path } = endpoint;
  return {
    method,
    path,
    handle(exchange, routed) {
      const { call } = exchange;
      traced(call, `${method} ${path}`, () => {
        void respond(exchange, answerEndpoint(call, endpoint, routed, served), served.writer);
      });
    },
  };
}

/**
 * Paths that clients of MCP try, with and without a key: there are no streams and no sessions to end, and nothing to sign
 * in to. 401 would send a client to look for a sign-in (D600).
 */
function mcpRefusals(writer: Writer): readonly PathEntry[] {
  const refuse = (error: ApiError) => (exchange: Exchange) => respondError(exchange, error, writer);
  const noMethod = refuse(new ApiError('method_not_allowed', { headers: { Allow: 'POST' } }));
  const noDocument = refuse(new ApiError('route_not_found'));
  return [
    ...(['GET', 'DELETE', 'PUT', 'PATCH'] as const).map(
      (method): PathEntry => ({ method, path: MCP, handle: noMethod }),
    ),
    { method: 'GET', path: '/.well-known/*', handle: noDocument },
  ];
}

/** `/` shows the application to browsers only; all paths below its own are of the application. */
function applicationEntries(
  application: Application,
  writer: Writer,
  routeNone: (exchange: Exchange, allowed: readonly string[]) => void,
): readonly PathEntry[] {
  const answer = (exchange: Exchange) => {
    const target = application.find(exchange.request);
    if (target === undefined) throw new ApiError('route_not_found');
    if ('file' in target) return writeFile(exchange, target.file);
    return 'page' in target
      ? writePage(exchange, target.page)
      : writeLocation(exchange, target.location);
  };
  const handle = (exchange: Exchange) => {
    exchange.call.route = `GET ${APPLICATION}`;
    try {
      writer.log(exchange, answer(exchange));
    } catch (error) {
      respondError(exchange, error, writer);
    }
  };
  const handleRoot = (exchange: Exchange) =>
    isBrowser(exchange.request) ? handle(exchange) : routeNone(exchange, []);
  const below = ['', '/', '/*'].map((rest) => APPLICATION + rest);
  const entries = below.map((path): PathEntry => ({ method: 'GET', path, handle }));
  return [{ method: 'GET', path: '/', handle: handleRoot }, ...entries];
}

/** A path for load balancers, without a key: whether the process is alive, or whether it can answer. */
function healthEntry(path: string, check: () => Promise<boolean>, more: object): PathEntry {
  return {
    method: 'GET',
    path,
    handle: (exchange) => void check().then((isGood) => writeHealth(exchange, isGood, more)),
  };
}
