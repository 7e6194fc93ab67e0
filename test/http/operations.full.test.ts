// The interface for operators: health, metrics, spans, and one clear message under overload.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openMetrics } from '../../src/http/answer/metrics.ts';
import { serveMetrics } from '../../src/http/route/operations.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { makeSecret } from '../../src/model/rights/api-key-form.ts';
import { expectNoCanary } from '../access/canary.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture, TOYS } from '../server-fixture.ts';

let fixture: ServerFixture;
let port: number;
let ann: string;

beforeAll(async () => {
  fixture = await openServerFixture();
  ({ port } = await fixture.start());
  ann = await fixture.key('ann');
});
afterAll(() => fixture.close());

describe('health', () => {
  test.each(['/healthz', '/readyz'])('%s needs no key', async (path) => {
    const answer = await call(port, path);
    expect([answer.status, answer.json.status]).toEqual([200, 'ok']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await call(port, path, { method: 'HEAD' })).status).toBe(200);
    expect((await call(port, path, { method: 'POST' })).status).toBe(401);
  });
});

test('/readyz says version and commit, /healthz only that the process lives', async () => {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  );
  expect((await call(port, '/readyz')).json).toEqual({ status: 'ok', version, commit: null });
  expect((await call(port, '/healthz')).json).toEqual({ status: 'ok' });
});

describe('/.well-known/security.txt', () => {
  const PLACE = '/.well-known/security.txt';

  test('has the contact, and is valid for a year', async () => {
    const contact = 'mailto:security@example.com';
    const other = await fixture.start({ config: { securityContact: contact } });
    const answer = await call(other.port, PLACE);
    await other.close();
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const [, said, until] =
      /^Contact: (.*)\nExpires: (.*)\nPreferred-Languages: en\n$/.exec(answer.text) ?? [];
    expect(said).toBe(contact);
    const days = (Date.parse(until ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(363);
    expect(days).toBeLessThan(367);
  });

  test('is not there without a contact', async () => {
    expect((await call(port, PLACE)).status).toBe(404);
  });

  test.each(['security@example', 'http://example.com', 'mailto:x', 'mailto:a@b\nExpires: never'])(
    'SECURITY_CONTACT %j is refused',
    (text) => {
      expect(() => readConfig({ SECURITY_CONTACT: text })).toThrow(/^SECURITY_CONTACT must be/);
    },
  );

  test('takes an address without mailto:', () => {
    const { securityContact } = readConfig({ SECURITY_CONTACT: ' security@example.com ' });
    expect(securityContact).toBe('mailto:security@example.com');
  });
});

test('a deprecated operation says since when and until when', async () => {
  const deprecated = { since: '2027-03-01', sunset: '2028-03-01', instead: 'Use GET /games.' };
  const routes = TOYS.map((route) =>
    route.operationId === 'listToys' ? { ...route, deprecated } : route,
  );
  const other = await fixture.start({ routes });
  const answer = await call(other.port, '/v1/toys', { key: ann });
  const sibling = await call(other.port, '/v1/toys/1', { key: ann });
  const document = await call(other.port, '/v1/openapi.json');
  await other.close();
  expect(answer.headers).toMatchObject({
    deprecation: `@${Date.UTC(2027, 2, 1) / 1000}`,
    sunset: 'Wed, 01 Mar 2028 00:00:00 GMT',
  });
  expect(sibling.headers).not.toHaveProperty('deprecation');
  const { get, post } = document.json.paths['/toys'];
  expect(get).toMatchObject({
    deprecated: true,
    description:
      'Deprecated since 2027-03-01, to be removed not before 2028-03-01. Use GET /games.',
  });
  expect(post).not.toHaveProperty('deprecated');
});

describe('metrics', () => {
  test('requests by route and status, never a path or a workspace', async () => {
    const metrics = openMetrics();
    metrics.observe('GET /toys/{toy_id}', 200, 0.002);
    metrics.observe('GET /toys/{toy_id}', 200, 0.004);
    metrics.observe('GET /toys/{toy_id}', 404, 0.2);
    metrics.gauge('answers', 'Test.', () => 42);
    const served = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 });
    try {
      const response = await fetch(`http://127.0.0.1:${served.port}/metrics`);
      const text = await response.text();
      expectNoCanary(undefined, text);
      expect(response.headers.get('content-type')).toContain('text/plain');
      const route = 'route="GET /toys/{toy_id}"';
      expect(text).toContain(`workspace_records_requests_total{${route},status="200"} 2`);
      expect(text).toContain(`workspace_records_requests_total{${route},status="404"} 1`);
      expect(text).toContain(`workspace_records_request_duration_seconds_count{${route}} 3`);
      expect(text).toContain(`_seconds_bucket{le="0.005",${route}} 2`);
      expect(text).toContain('workspace_records_answers 42');
      expect(text).toContain('process_resident_memory_bytes');
      expect((await fetch(`http://127.0.0.1:${served.port}/`)).status).toBe(404);
    } finally {
      await served.close();
    }
  });
});

describe('too much to do', () => {
  test('a client with many slow requests gets 503 at once; others and health are answered', async () => {
    const { TOYS } = await import('../server-fixture.ts');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const [first] = TOYS;
    const slow = {
      ...first,
      handle: async ({ caller }: { readonly caller: Caller }) => {
        if (caller.user.name === 'Ann') await held;
        return { body: { data: null } };
      },
    };
    const server = await fixture.start({ routes: [slow as unknown as (typeof TOYS)[number]] });
    const busy = await fixture.key('ann', { rpm: 100_000 });
    const path = `/v1${slow.path}`;
    const waiting: ReturnType<typeof call>[] = [];
    const refusals: Awaited<ReturnType<typeof call>>[] = [];
    // More and more until one is refused.
    while (refusals.length === 0 && waiting.length < LIMITS.requestsInFlight + 100) {
      for (let number = 0; number < 20; number += 1) {
        const sent = call(server.port, path, { key: busy });
        waiting.push(sent);
        void sent.then((answer) => answer.status === 503 && refusals.push(answer));
      }
      await pause();
    }
    expect(waiting.length).toBeGreaterThan(100);
    const [refusal] = refusals;
    expect(refusal?.json.error.code).toBe('service_unavailable');
    expect(Number(refusal?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(server.port, '/healthz')).status).toBe(200);
    const hal = await fixture.key('hal');
    expect((await call(server.port, path, { key: hal })).status).toBe(200);
    release();
    const answers = await Promise.all(waiting);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(100);
    expect((await call(server.port, path, { key: busy })).status).toBe(200);
  });

  test('unknown callers share with their address: anonymous requests, wrong keys, other spellings', async () => {
    const { TOYS } = await import('../server-fixture.ts');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = {
      ...TOYS[0],
      ...{ open: true, scope: null, path: '/sign-in-slowly', operationId: 'signInSlowly' },
      handle: async ({ site }: { readonly site: () => { readonly address: string } }) => {
        if (site().address === '192.0.2.1') await held;
        return { body: { data: null } };
      },
    };
    const config = { trustedProxies: ['127.0.0.1'] };
    const routes = [...TOYS, slow as unknown as (typeof TOYS)[number]];
    const { port } = await fixture.start({ routes, config });
    const key = await fixture.key('bob', { rpm: 100_000 });
    expect((await call(port, '/v1/me', { key })).status).toBe(200);
    const from = (address: string, headers: Readonly<Record<string, string>> = {}) =>
      call(port, '/v1/sign-in-slowly', { headers: { 'x-forwarded-for': address, ...headers } });
    const waiting: ReturnType<typeof call>[] = [];
    let refused = 0;
    for (let round = 0; refused === 0 && waiting.length < LIMITS.requestsInFlight; round += 1) {
      for (let at = 0; at < 20; at += 1) {
        const random = `${round}x${at}`;
        const spelled = [
          {},
          { authorization: `Bearer wrs_p_${random}` },
          { cookie: `wrs-1=${random}; x=${random}` },
        ][at % 3];
        const sent = from('192.0.2.1', spelled);
        waiting.push(sent);
        void sent.then(({ status }) => {
          if (status === 503) refused += 1;
        });
      }
      await pause();
    }
    expect(refused).toBeGreaterThan(0);
    expect((await from('192.0.2.2')).status).toBe(200);
    const known = { key, headers: { 'x-forwarded-for': '192.0.2.1' } };
    expect((await call(port, '/v1/toys', known)).status).toBe(200);
    release();
    await Promise.all(waiting);
    expect((await from('192.0.2.1')).status).toBe(200);
  });

  test('requests in flight when the server closes are answered, and close their connections', async () => {
    const { TOYS } = await import('../server-fixture.ts');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHere: () => void = () => undefined;
    const here = new Promise<void>((resolve) => {
      isHere = resolve;
    });
    const [first] = TOYS;
    const slow = {
      ...first,
      handle: async () => {
        isHere();
        await held;
        return { body: { data: null } };
      },
    };
    const server = await fixture.start({ routes: [slow as unknown as (typeof TOYS)[number]] });
    const answered = call(server.port, `/v1${slow.path}`, { key: ann });
    await here;
    const closed = server.close();
    release();
    const answer = await answered;
    expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    await closed;
  });

  test('a flood of wrong keys costs few statements, and good keys do not wait for it', async () => {
    await call(port, '/v1/toys', { key: ann });
    const before = fixture.own.stats.statements;
    const wrong = Array.from({ length: 400 }, () =>
      call(port, '/v1/toys', { key: makeSecret('personal') }),
    );
    const good = await Promise.all(
      Array.from({ length: 20 }, () => call(port, '/v1/toys', { key: ann })),
    );
    expect(good.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const refused = await Promise.all(wrong);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
    expect(fixture.own.stats.statements - before).toBeLessThan(400);
  });

  const pause = () =>
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 200));
});

describe('spans', () => {
  afterEach(() => {
    trace.disable();
    propagation.disable();
    context.disable();
  });

  test('one a request, below that of the caller', async () => {
    const spans: { name: string; attributes: Record<string, unknown>; caller: unknown }[] = [];
    const startSpan: Tracer['startSpan'] = (name, options, caller) => {
      const attributes: Record<string, unknown> = { ...options?.attributes };
      const span = {
        isRecording: () => true,
        setAttributes: (more: object) => Object.assign(attributes, more),
        setStatus: () => span,
        spanContext: () => ({ traceId: '1', spanId: '2', traceFlags: 1 }),
        end: () => spans.push({ name, attributes, caller: caller?.getValue(CALLER) }),
      };
      return span as unknown as Span;
    };
    const tracer = { startSpan } as Tracer;
    trace.setGlobalTracerProvider({ getTracer: () => tracer });
    propagation.setGlobalPropagator({
      inject: () => undefined,
      extract: (present: Context, carrier) =>
        present.setValue(CALLER, (carrier as Record<string, string>).traceparent),
      fields: () => [],
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { status } = await call(port, '/v1/toys/7', { key: ann, headers: { traceparent } });
    expect(spans).toEqual([
      {
        name: expect.stringMatching(/^GET \/toys/),
        caller: traceparent,
        attributes: expect.objectContaining({ 'http.response.status_code': status }),
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain('toys/7');
    expect(ROOT_CONTEXT.getValue(CALLER)).toBeUndefined();
  });
});

const CALLER = Symbol('caller');
