// Maps a request target to its handler, and a path to its methods. Paths are matched by find-my-way, exactly: case
// and a slash at the end count.

import findMyWay, { type HTTPMethod, type HTTPVersion } from 'find-my-way';
import type { Routed } from '../request/call.ts';
import type { Exchange } from '../socket/http-exchange.ts';

export type Handler = (exchange: Exchange, routed: Routed) => void;

export interface PathEntry {
  readonly method: HTTPMethod;
  /** Parameters in braces. */
  readonly path: string;
  readonly handle: Handler;
}

export interface Router {
  /** Undefined when no entry has this method and path. */
  find(
    method: string,
    target: string,
  ): { readonly handle: Handler; readonly routed: Routed } | undefined;
  /** The methods of a path, in the order of the entries, HEAD last; empty for an unknown path. */
  allowedAt(target: string): readonly string[];
}

/** The limit of the router, above any request target: the schemas check lengths. */
const PARAMETER_LENGTH = 32_768;

/** `unlisted`: paths that are answered but not part of the interface. */
export function openRouter(entries: readonly PathEntry[], unlisted: readonly PathEntry[]): Router {
  const paths = findMyWay<HTTPVersion.V1>({
    maxParamLength: PARAMETER_LENGTH,
    // The query string is parsed by the pipeline.
    querystringParser: (text) => text as unknown as Record<string, unknown>,
  });
  for (const { method, path, handle } of [...entries, ...unlisted]) {
    const methods: HTTPMethod[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
    paths.on(methods, path.replaceAll(/\{(\w+)\}/g, ':$1'), unused, { handle });
  }
  return {
    find(method, target) {
      const found = paths.find(method as HTTPMethod, target);
      if (found === null) return undefined;
      const { params, searchParams, store } = found;
      // A value between two slashes is never empty (D12).
      if (Object.values(params).includes('')) return undefined;
      const path = target.split('?', 1)[0] ?? '';
      const query = searchParams as unknown as string;
      return {
        handle: (store as { readonly handle: Handler }).handle,
        routed: { path, params, query },
      };
    },
    allowedAt: compileAllowed(entries),
  };
}

/** find-my-way calls it only from `lookup`, which is not used: handlers here take an exchange. */
function unused(): never {
  throw new Error('a request was handled by the router itself');
}

function compileAllowed(entries: readonly PathEntry[]): (target: string) => readonly string[] {
  const known = entries.map(({ method, path }) => ({ method, pattern: pathPattern(path) }));
  return (target) => {
    const path = target.split('?', 1)[0] ?? '';
    const fitting = known.filter(({ pattern }) => path === '*' || pattern.test(path));
    const methods = new Set<string>(fitting.map(({ method }) => method));
    return methods.has('GET') ? [...methods, 'HEAD'] : [...methods];
  };
}

function pathPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
