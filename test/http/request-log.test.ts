// The log line of a request: its level says whose failure it is.

import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ABOUT, ROUTES } from '../../src/api/index.ts';
import { ApiError } from '../../src/errors.ts';
import { requestLogger } from '../../src/http/answer/request-log.ts';
import { buildOpenApi } from '../../src/http/documents/openapi.ts';
import type { Call } from '../../src/http/request/call.ts';

const CALL = {
  ...{ requestId: 'req_1', route: 'none', startedAt: performance.now(), authenticated: undefined },
  stats: { statements: 0, roundTrips: 0 },
} as unknown as Call;

interface Line {
  readonly level: number;
  readonly err?: unknown;
  readonly reason?: string;
  readonly cause?: string;
}

const NOT_IMPLEMENTED = new ApiError('validation_failed', {
  message: { id: 'test', text: 'not implemented' },
});

function lineOf(status: number, failure: unknown = NOT_IMPLEMENTED): Line {
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(line) });
  requestLogger(logger, { observe: () => undefined })(CALL, status, failure);
  return JSON.parse(lines[0] as string);
}

test.each([
  [200, 'info', false],
  [400, 'info', false],
  [500, 'error', true],
  [501, 'info', false],
  [503, 'warn', true],
  [505, 'info', false],
] as const)('%i is logged as %s', (status, level, hasCause) => {
  const line = lineOf(status);
  expect(line.level).toBe(pino.levels.values[level]);
  expect('err' in line).toBe(hasCause);
});

test('a refused sign-in has its reason and its cause, other refusals have neither', () => {
  const details = { reason: 'email_not_verified', workspace: 'acme' };
  const cause = new Error('the claims are silent');
  const line = lineOf(401, new ApiError('invalid_credentials', { details, cause }));
  expect(line).toMatchObject({ reason: details.reason, cause: cause.message });
  expect(JSON.stringify(line)).not.toContain('acme');
  const others = [
    new ApiError('invalid_credentials', { cause }),
    new ApiError('validation_failed', { details, cause }),
    new Error('broken'),
  ];
  for (const other of others) {
    const { reason, cause: shown } = lineOf(400, other);
    expect([reason, shown]).toEqual([undefined, undefined]);
  }
});

test('answers of routes without a caller promise no rate headers', () => {
  const open = ROUTES.filter((route) => route.open === true);
  expect(open.length).toBeGreaterThan(3);
  const paths = buildOpenApi(ROUTES, ABOUT).paths as unknown as Record<
    string,
    Record<string, { responses: object }>
  >;
  for (const { path, method } of open) {
    const operation = paths[path]?.[method.toLowerCase()];
    expect(JSON.stringify(operation?.responses), path).not.toMatch(/RateLimit|RateLimited/);
  }
});
