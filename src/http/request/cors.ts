// Requests from pages of other origins: only those the configuration names, none by default (D12).

import type { IncomingMessage } from 'node:http';

const EXPOSED = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Range',
  'traceparent',
  'tracestate',
].join(', ');
const NOTHING: readonly string[] = Object.freeze([]);

export interface Cors {
  /** Headers for an answer, as a flat list of names and values. */
  headersFor(request: IncomingMessage): readonly string[];
  /** True for an origin that the configuration names. */
  isAllowed(origin: string | undefined): boolean;
  /** True when the request only tests whether another one would be allowed. */
  isPreflight(request: IncomingMessage): boolean;
  readonly preflightHeaders: readonly string[];
}

export function compileCors(origins: readonly string[]): Cors {
  const any = origins.includes('*');
  const known = new Set(origins);
  const isAllowed = (origin: string | undefined) =>
    origin !== undefined && (any || known.has(origin));
  return {
    isAllowed,
    headersFor({ headers }) {
      if (origins.length === 0) return NOTHING;
      if (!isAllowed(headers.origin)) return ['Vary', 'Origin'];
      const origin = ['Access-Control-Allow-Origin', any ? '*' : (headers.origin ?? '')];
      return [...origin, 'Access-Control-Expose-Headers', EXPOSED, 'Vary', 'Origin'];
    },
    isPreflight: ({ method, headers }) =>
      method === 'OPTIONS' &&
      headers['access-control-request-method'] !== undefined &&
      isAllowed(headers.origin),
    preflightHeaders: [
      'Access-Control-Allow-Methods',
      'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers',
      ALLOWED,
      'Access-Control-Max-Age',
      '600',
    ],
  };
}
