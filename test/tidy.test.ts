// The structure that ARCHITECTURE.md describes, enforced: who may import whom, how large a file may
// get, where the driver and the router may be named.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'src');

/** Layer → layers it may import; the files directly in src/ are a layer each. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  errors: ['limits'],
  limits: [],
  config: ['errors', 'limits'],
  model: ['errors', 'limits'],
  plan: ['model', 'errors', 'limits'],
  sql: ['plan', 'model', 'errors', 'limits'],
  store: ['sql', 'plan', 'model', 'errors', 'limits', 'config'],
  flow: ['store', 'sql', 'plan', 'model', 'errors', 'limits', 'config'],
  http: ['model', 'errors', 'limits', 'config'],
  api: ['flow', 'http', 'store', 'plan', 'model', 'errors', 'limits', 'config'],
  import: ['flow', 'store', 'sql', 'plan', 'model', 'errors', 'limits', 'config'],
  export: ['import', 'flow', 'store', 'sql', 'plan', 'model', 'errors', 'limits', 'config'],
  cli: [
    'export',
    'import',
    'api',
    'http',
    'flow',
    'store',
    'sql',
    'plan',
    'model',
    'errors',
    'limits',
    'config',
  ],
};

interface SourceFile {
  readonly path: string;
  readonly layer: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function layerOf(path: string): string {
  const [first = ''] = relative(source, path).split('/');
  return first.replace(/\.ts$/, '');
}

const files: readonly SourceFile[] = listFiles(source).map((path) => {
  const text = readFileSync(path, 'utf8');
  const imports = [...text.matchAll(/^(?:import|export)[^;]*?from '([^']+)';/gms)];
  return { path, layer: layerOf(path), text, imports: imports.map((match) => match[1] as string) };
});

test('there are files to look at', () => {
  expect(files.length).toBeGreaterThan(40);
});

test.each(files.map((file) => [relative(root, file.path), file] as const))(
  '%s imports only what its layer may',
  (_, file) => {
    const allowed = ALLOWED[file.layer];
    expect(allowed, `layer ${file.layer}`).toBeDefined();
    for (const name of file.imports.filter((item) => item.startsWith('.'))) {
      const layer = layerOf(resolve(dirname(file.path), name));
      expect([file.layer, ...(allowed ?? [])], name).toContain(layer);
    }
  },
);

test('the driver is named in store only, the router in http only', () => {
  for (const { path, layer, imports } of files) {
    for (const name of imports) {
      if (name === 'pg' || name.startsWith('pg-')) expect(layer, path).toBe('store');
      if (name === 'find-my-way') expect(path, name).toBe(join(source, 'http', 'router.ts'));
    }
  }
});

test('the pure middle never waits', () => {
  for (const { path, layer, text } of files) {
    if (['model', 'plan', 'sql'].includes(layer)) expect(text, path).not.toMatch(/\bawait\b/);
  }
});

test('files are small, named once, and say what they are for', () => {
  const names = new Set<string>();
  for (const { path, text } of files) {
    expect(text.split('\n').length, path).toBeLessThanOrEqual(401);
    expect(text.replace(/^#!.*\n/, ''), path).toMatch(/^\/\/ \S/);
    const name = basename(path);
    expect(names.has(name), `two files are named ${name}`).toBe(
      name === 'index.ts' && names.has(name),
    );
    names.add(name);
    expect(name).not.toMatch(/util|helper|common|manager|service|base/);
  }
});

test('no SQL text is put together outside sql/', () => {
  const concatenated = /`[^`]*\b(?:select|insert into|update|delete from)\b[^`]*\$\{/i;
  for (const { path, layer, text } of files) {
    if (layer === 'sql') continue;
    for (const line of text.split('\n')) {
      if (/\bsql`/.test(line)) continue;
      expect(line, path).not.toMatch(concatenated);
    }
  }
});

test('the project speaks of itself only', () => {
  const tracked = [...listFiles(join(root, 'test')), ...files.map((file) => file.path)];
  for (const path of tracked) {
    if (path === import.meta.filename) continue;
    expect(readFileSync(path, 'utf8'), path).not.toMatch(/\.\.\/shared|\/work\//);
  }
});

test('every decision is in one place, and every number that is mentioned is a decision', () => {
  const pages = readdirSync(join(root, 'docs', 'design')).map((name) => join('design', name));
  const texts = ['decisions.md', ...pages].map((name) =>
    readFileSync(join(root, 'docs', name), 'utf8'),
  );
  const defined = texts.flatMap((text) =>
    [...text.matchAll(/^\*\*D(\d+)\. /gm)].map((match) => Number(match[1])),
  );
  expect(defined.length).toBeGreaterThan(100);
  expect(defined.filter((number, index) => defined.indexOf(number) !== index)).toEqual([]);
  const list = texts[0]?.split('## Numbers on other pages')[1] ?? '';
  for (const [index, page] of pages.entries()) {
    for (const [, number] of texts[index + 1]?.matchAll(/^\*\*(D\d+)\. /gm) ?? []) {
      const line = list.split('\n').find((one) => one.includes(`(${page})`));
      expect(line?.split(/[ ,]+/), page).toContain(number);
    }
  }
  const folders = ['src', 'test', 'bench', 'faults', 'scripts', 'packages/client/src'];
  const sources = folders.flatMap((name) => listFiles(join(root, name)));
  const documents = ['ARCHITECTURE.md', 'STYLE.md', 'README.md', 'docs/security.md'];
  for (const path of [...sources, ...documents.map((name) => join(root, name))]) {
    for (const [, number] of readFileSync(path, 'utf8').matchAll(/(?<![\w+\\])D(\d{1,3})\b/g)) {
      expect(defined, `${relative(root, path)} mentions D${number}`).toContain(Number(number));
    }
  }
});
