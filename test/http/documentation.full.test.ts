// The site of the documents: made from the Markdown of the repository, and served without a key. Every link leads to a page
// and to a heading that is there.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDocs } from '../../scripts/build-docs.mjs';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'documents-'));
let fixture: ServerFixture;
let port: number;

beforeAll(async () => {
  buildDocs(join(import.meta.dirname, '../..'), folder);
  fixture = await openServerFixture();
  ({ port } = await fixture.start({ documentationFolder: folder }));
});
afterAll(async () => {
  await fixture?.close();
  rmSync(folder, { recursive: true });
});

const textOf = async (path: string) => {
  const answer = await call(port, path);
  expect(answer.status, path).toBe(200);
  return answer;
};

test('pages have a policy, a title, and the navigation with the page marked', async () => {
  const page = await textOf('/docs/guide/changes');
  expect(page.headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self';/,
  );
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.text).toMatch(/<title>[^<]+ · Workspace Records<\/title>/);
  expect(page.text).toContain('<a href="/docs/guide/changes" aria-current="page">');
  expect(page.text).not.toMatch(/ (?:style|on\w+)="/);
});

test('every link of every page leads to a page and a heading', async () => {
  const pages = new Map<string, string>();
  const queue = ['/docs'];
  const places: (readonly [string, string])[] = [];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (pages.has(path)) continue;
    const { text } = await textOf(path);
    pages.set(path, text);
    for (const [, target = '', place = ''] of text.matchAll(
      / (?:href|src)="(\/[^"#]*)?(?:#([^"]*))?"/g,
    )) {
      const to = target === '' ? path : target;
      if (/^\/docs(?:\/[^.]*)?$/.test(to)) queue.push(to);
      else if (to !== '/reference') await textOf(to);
      if (place !== '') places.push([to, place]);
    }
  }
  expect(pages.size).toBeGreaterThan(60);
  const lacking = places.filter(([path, place]) => !pages.get(path)?.includes(` id="${place}"`));
  expect(lacking).toEqual([]);
});

test('the search has the texts of all sections', async () => {
  const { json } = await textOf('/docs/sections.json');
  const hit = json.find(([, , heading]: readonly string[]) => heading === 'PgBouncer');
  expect(hit).toEqual([
    '/docs/operations#pgbouncer',
    'Operating the service',
    'PgBouncer',
    expect.stringContaining('DATABASE_POOLER=transaction'),
  ]);
});

test('/llms.txt lists the pages as Markdown', async () => {
  const { text, headers } = await textOf('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const links = [...text.matchAll(/\]\((\/docs\/[^)]+\.md)\): \S/g)].map(([, path = '']) => path);
  expect(links).toContain('/docs/guide/changes.md');
  for (const path of links) await textOf(path);
});

test('a page that does not exist is not found, and a path cannot leave the folder', async () => {
  for (const path of ['/docs/none', '/docs/../package.json', '/docs/%2e%2e/package.json']) {
    expect((await call(port, path)).status, path).not.toBe(200);
  }
});
