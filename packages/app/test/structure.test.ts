// The structure of the application: which part may import which, how large its files and functions are, and that
// everything goes to the server by way of the client.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

const source = resolve(import.meta.dirname, '..', 'src');
/** Each imports only the parts before it. */
/** Shared with the service. */
const TABLES = '../../tables/src/';
const LAYERS = ['lib', 'live', 'ui', 'fields', 'editing', 'actions', 'features', 'routes', 'app'];

const COMMENT_OR_GLOBAL = /\/\*[\s\S]*?\*\/|:global\([^)]*\)/g;

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const names = [...text.matchAll(/(?:from |import\(|^import )'(\.[^']+)'/gm)];
    const imports = names.map(([, name]) =>
      relative(source, resolve(dirname(path), name as string)),
    );
    return { path: relative(source, path), text, imports };
  });

test('there are files to look at', () => {
  expect(files.length).toBeGreaterThan(80);
});

test('parts import only the parts before them, and no feature imports another', () => {
  const rankOf = (path: string) => LAYERS.indexOf(path.split('/')[0] ?? '');
  const wrong = files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => {
        if (name.startsWith(TABLES)) return false;
        expect(rankOf(path), path).toBeGreaterThanOrEqual(0);
        const [layer, feature] = path.split('/');
        const [otherLayer, otherFeature] = name.split('/');
        if (rankOf(name) > rankOf(path)) return true;
        return layer === 'features' && otherLayer === 'features' && feature !== otherFeature;
      })
      .map((name) => `${path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('every import leads to a file that is there', () => {
  const known = new Set(readdirSync(source, { recursive: true, encoding: 'utf8' }));
  const lost = files.flatMap(({ imports }) =>
    imports.filter((name) =>
      name.startsWith(TABLES) ? !existsSync(resolve(source, name)) : !known.has(name),
    ),
  );
  expect(lost).toEqual([]);
});

test('components of Mantine have their styles', () => {
  const styles = readdirSync(resolve('node_modules/@mantine/core/styles'));
  const loaded = files.flatMap(({ text }) => [...text.matchAll(/core\/styles\/(\w+)/g)]);
  const names = new Set(loaded.map(([, name]) => name));
  const bare = files.flatMap(({ path, text }) =>
    [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)]
      .flatMap(([, parts = '']) => parts.split(',').map((part) => part.trim()))
      .filter((name) => styles.includes(`${name}.css`) && !names.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(bare).toEqual([]);
});

test('style sheets and components name the same classes', () => {
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const wrong = sheets
    .filter((sheet) => sheet.endsWith('.module.css'))
    .flatMap((sheet) => {
      const rules = readFileSync(join(source, sheet), 'utf8').replaceAll(COMMENT_OR_GLOBAL, '');
      const written = new Set(
        [...rules.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name as string),
      );
      const used = new Set(files.flatMap((file) => classesOf(file, sheet)));
      const unused = [...written].filter((name) => !used.has(name));
      const missing = [...used].filter((name) => !written.has(name));
      return [...unused, ...missing].map((name) => `${sheet}: ${name}`);
    });
  expect(wrong).toEqual([]);
});

test('closed items of menus take the focus', () => {
  const disabled = files.filter(({ text }) => /<Menu\.Item\b[^>]*\sdisabled/.test(text));
  expect(disabled.map(({ path }) => path)).toEqual([]);
});

test('the client is the only way to the server', () => {
  for (const { path, text } of files) {
    expect(text, path).not.toMatch(
      /(?<!\bquery\s*\.)\bfetch\(|XMLHttpRequest|EventSource|sendBeacon|WebSocket/,
    );
    expect(text, path).not.toMatch(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/);
  }
});

test('code that comes later does not suspend the page by `lazy`, unless a placeholder is shown until then', () => {
  const lazy = files.filter(({ text }) => /\blazy\b.* from 'react'/.test(text));
  expect(lazy.map(({ path }) => path)).toEqual(['app/navigation.tsx']);
});

test('files are small, and begin with their purpose unless they are one of a kind', () => {
  for (const { path, text } of files) {
    expect(text.split('\n').length, path).toBeLessThanOrEqual(401);
    const isOfFieldType = /^fields\/(?:file\/|[a-z_]+\.tsx$)/.test(path);
    if (path.startsWith('routes/') || isOfFieldType) continue;
    expect(text, path).toMatch(/^\/\/ \S/);
  }
});

test('no function is longer than 60 lines or takes more than four parameters', () => {
  const over = files.flatMap(({ path, text }) => {
    const { program, errors } = parseSync(path, text);
    expect(errors, path).toEqual([]);
    const found: string[] = [];
    const note = ({
      start,
      end,
      params,
    }: {
      start: number;
      end: number;
      params: readonly unknown[];
    }) => {
      const lines = text.slice(start, end).split('\n').length;
      if (lines > 60 || params.length > 4) found.push(`${path} ${lines} ${params.length}`);
    };
    new Visitor({
      FunctionDeclaration: note,
      FunctionExpression: note,
      ArrowFunctionExpression: note,
    }).visit(program);
    return found;
  });
  expect(over).toEqual([]);
});

test('drafts are read by way of the initial value', () => {
  const outside = files.filter(({ path }) => !path.startsWith('fields/'));
  for (const { path, text } of outside)
    expect(text, path).not.toMatch(/\bedit(?:Of\(\w+\))?\??\.parse\(/);
});

/** The classes of a style sheet that a file names. */
function classesOf({ text, imports }: SourceFile, sheet: string): readonly string[] {
  if (!imports.includes(sheet)) return [];
  const names = [...text.matchAll(/^import (\w+) from '[^']*?([^/']+\.module\.css)'/gm)];
  const alias = names.find(([, , name]) => name === basename(sheet))?.[1];
  return [...text.matchAll(new RegExp(`(?<![-/])\\b${alias}\\.(\\w+)`, 'g'))].map(
    ([, name]) => name as string,
  );
}
