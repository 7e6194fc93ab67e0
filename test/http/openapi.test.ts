// The OpenAPI document and the reference page. test/api/workspace-openapi.full.test.ts runs the linter.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ABOUT, ROUTES } from '../../src/api/index.ts';
import { ERROR_CATALOGUE } from '../../src/errors.ts';
import { buildOpenApi, errorCodesOf } from '../../src/http/documents/openapi.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at as plain JSON
const document = buildOpenApi(ROUTES, ABOUT) as any;

describe('the document', () => {
  test('has every route once, with its codes', () => {
    for (const route of ROUTES) {
      const operation = document.paths[route.path][route.method.toLowerCase()];
      expect(operation.operationId).toBe(route.operationId);
      expect(Object.keys(ABOUT.tags)).toContain(route.tag);
      const codes = Object.values(operation.responses).flatMap((response) => codesIn(response));
      expect(codes.sort()).toEqual([...errorCodesOf(route)].sort());
      for (const code of route.errors) expect(codes).toContain(code);
    }
    const ids = ROUTES.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('codes are listed under their status', () => {
    for (const item of Object.values<Record<string, { responses: object }>>(document.paths)) {
      for (const { responses } of Object.values(item)) {
        for (const [status, response] of Object.entries(responses)) {
          for (const code of codesIn(response)) {
            expect(ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].status).toBe(
              Number(status),
            );
          }
        }
      }
    }
  });

  test('a default makes a parameter optional; filters are deep objects', () => {
    const list = document.paths['/users'].get.parameters;
    expect(list.find(({ name }: { name: string }) => name === 'limit')).toMatchObject({
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    });
    expect(document.components.parameters.filter).toMatchObject({
      style: 'deepObject',
      explode: true,
    });
  });

  test('a download of a file has its parts, its address, and their headers', () => {
    const path = '/objects/{object_type}/records/{record_id}/files/{field}/{file_id}';
    const { responses } = document.paths[path].get;
    const saved = ['ETag', 'Content-Disposition', 'Accept-Ranges'];
    const headersOf = (status: number) => Object.keys(responses[status].headers);
    expect(headersOf(200)).toEqual(expect.arrayContaining(saved));
    expect(headersOf(206)).toEqual(expect.arrayContaining([...saved, 'Content-Range']));
    expect(headersOf(302)).toEqual(expect.arrayContaining(['Location', 'RateLimit-Limit']));
  });

  test('a property named like a keyword is a property', () => {
    expect(document.components.schemas.Field.properties.required).toEqual({ type: 'boolean' });
  });
});

function codesIn(response: unknown): readonly string[] {
  const { $ref, 'x-error-codes': codes = [] } = response as {
    readonly $ref?: string;
    readonly 'x-error-codes'?: readonly string[];
  };
  if ($ref === undefined) return codes;
  return codesIn(document.components.responses[$ref.split('/').at(-1) ?? '']);
}

describe('served without a key', () => {
  let fixture: ServerFixture;
  let port: number;
  beforeAll(async () => {
    fixture = await openServerFixture();
    ({ port } = await fixture.start());
  });
  afterAll(() => fixture.close());

  test('the document', async () => {
    const answer = await call(port, '/v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('max-age=0, must-revalidate');
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
    expect(answer.json.paths['/toys'].get.operationId).toBe('listToys');
    const head = await call(port, '/v1/openapi.json', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    const headers = { 'if-none-match': answer.headers.etag };
    const again = await call(port, '/v1/openapi.json', { headers });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('the reference page needs no other host', async () => {
    const page = await call(port, '/reference');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
    expect(page.text).not.toMatch(/https?:\/\//);
    const scripts = [...page.text.matchAll(/<script src="([^"]+)">/g)];
    const loaded = await Promise.all(scripts.map(([, path = '']) => call(port, path)));
    expect(loaded.map(({ status }) => status)).toEqual([200, 200]);
    for (const { headers } of loaded) {
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    }
    expect(loaded[1]?.text.length).toBeGreaterThan(1_000_000);
  });

  test('its first script refuses code made from text before the viewer tests the browser', async () => {
    const { text } = await call(port, '/reference/no-eval.js');
    const page = createContext();
    runInContext(text, page);
    for (const asked of ["new Function('')", "Function('')"]) {
      expect(() => runInContext(asked, page)).toThrow('makes no code');
    }
    expect(runInContext('Array instanceof Function', page)).toBe(true);
  });
});

describe('names of schemas', () => {
  // Generators of clients make a type of each: one called `Record` hides the global type that the rest of their code
  // uses.
  test('none is that of a global of the language or of browsers', () => {
    const globals = globalsOfTypeScript();
    for (const known of [
      'Record',
      'Error',
      'Comment',
      'Object',
      'Event',
      'Notification',
      'fetch',
    ]) {
      expect(globals).toContain(known);
    }
    const taken = Object.keys(document.components.schemas).filter((name) => globals.has(name));
    expect(taken).toEqual([]);
  });
});

/** All that the libraries of the compiler declare. */
function globalsOfTypeScript(): ReadonlySet<string> {
  const folder = libraryFolder();
  const files = readdirSync(folder).filter((name) =>
    /^lib\.(dom|es|webworker|decorators)/.test(name),
  );
  const declared = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const found = text.matchAll(
      /^(?:declare )?(?:var|let|const|function|class|interface|type|namespace) (\w+)/gm,
    );
    return [...found].map(([, one = '']) => one);
  });
  return new Set(declared);
}

/** The compiler is a program for each platform, and its libraries are next to it. */
function libraryFolder(): string {
  const scope = join(import.meta.dirname, '..', '..', 'node_modules', '@typescript');
  const folders = readdirSync(scope).map((name) => join(scope, name, 'lib'));
  const found = folders.find((folder) => existsSync(join(folder, 'lib.dom.d.ts')));
  if (found === undefined) throw new Error('the compiler has no libraries');
  return found;
}
