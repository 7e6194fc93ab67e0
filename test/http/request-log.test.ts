// The log line of a request: its level says whose failure it is.

import { pino } from 'pino';
import { expect, test } from 'vitest';
import document from '../../docs/openapi.json' with { type: 'json' };
import { ROUTES } from '../../src/api/index.ts';
import { ApiError } from '../../src/errors.ts';
import type { Call } from '../../src/http/call.ts';
import { requestLogger } from '../../src/http/request-log.ts';

const CALL = {
  ...{ requestId: 'req_1', route: 'none', startedAt: performance.now(), authenticated: undefined },
  stats: { statements: 0, roundTrips: 0 },
} as unknown as Call;

function lineOf(status: number): { readonly level: number; readonly err?: unknown } {
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(line) });
  const failure = new ApiError('validation_failed', { message: { id: 'test', text: 'not implemented' } });
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

test('answers of routes without a caller promise no rate headers', () => {
  const open = ROUTES.filter((route) => route.open === true);
  expect(open.length).toBeGreaterThan(3);
  const paths = document.paths as unknown as Record<string, Record<string, { responses: object }>>;
  for (const { path, method } of open) {
    const operation = paths[path]?.[method.toLowerCase()];
    expect(JSON.stringify(operation?.responses), path).not.toMatch(/RateLimit|RateLimited/);
  }
});
