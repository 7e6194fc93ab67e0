// The part of NOTICE.md about packages, from package.json and the installed packages: the licence of each comes from
// its own package.json, its copyright holder from its licence text.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const NOTICE = 'NOTICE.md';
/** The bundle of this package is copied next to the service (scripts/build.mjs). */
const REFERENCE_PAGES = ['@scalar/api-reference', '@scalar/fastify-api-reference', 'redoc'];

/** Tools that build and test; none of their code is in the build. */
const TOOLS = /^(?:@types\/|@vitejs\/|vite$|axe-core$|playwright-core$)/;

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

interface Locked {
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The sources of the bundle of the service. */
const SOURCES = ['src', 'packages/mcp/src', 'packages/tables/src'];

/** The page, with the installed packages between its marks. */
export function noticePage(): string {
  const own = readJson<Manifest>('package.json');
  const named = [...Object.keys(own.dependencies ?? {}), ...packagesOfService(own)].sort();
  const pages = REFERENCE_PAGES.filter(
    (name) => own.devDependencies?.[name] ?? own.dependencies?.[name],
  );
  if (pages.length !== 1)
    throw new Error('scripts/notice.ts does not know what the reference page is');
  const bundled = Object.keys(readJson<Manifest>('packages/app/package.json').devDependencies ?? {})
    .filter((name) => !TOOLS.test(name))
    .sort();
  const head = ['Package', 'Version', 'Licence', 'Copyright'];
  const rows = (names: readonly string[]) => alignedTable([head, ...names.map(rowOf)]);
  const sections = [
    ['### API reference page', '', 'Its script is served by the service.', '', ...rows(pages)],
    ['### Application', '', 'Parts of them are in its scripts and styles.', '', ...rows(bundled)],
    ['### Run-time dependencies', '', 'Parts of most are in the service.', '', ...rows(named)],
    [`Their own dependencies are under ${licencesOfOthers(named).join(', ')}.`],
  ];
  const made = sections.map((lines) => lines.join('\n')).join('\n\n');
  return replaceMarked(readFileSync(join(ROOT, NOTICE), 'utf8'), made);
}

function replaceMarked(page: string, made: string): string {
  const [start, end] = [
    '<!-- packages: made by scripts/generate.ts -->',
    '<!-- end of packages -->',
  ];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${NOTICE} has lost its marks`);
  return `${before}${start}\n\n${made}\n\n${end}${after}`;
}

function rowOf(name: string): readonly string[] {
  const { version, license, author } = readJson<Manifest>(`node_modules/${name}/package.json`);
  if (license === undefined) throw new Error(`${name} does not say its licence`);
  const writer = typeof author === 'string' ? author : author?.name;
  return [name, version, license, ownerOf(name) ?? writer?.replace(/ *[<(].*$/, '') ?? ''];
}

/** Behind `Copyright (c)` or a year in the text that the package has; not words about copyright. */
function ownerOf(name: string): string | undefined {
  const folder = join(ROOT, 'node_modules', name);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  const [, owner] = /^\W*copyright (?:(?:\(c\)|©) *|(?=\d))([^[\s].*)$/im.exec(text) ?? [];
  return owner
    ?.replaceAll(/ *<[^>]*>/g, '')
    .replace(/ \(https?:.*$/, '')
    .replace(/ listed at .*$/, '')
    .replaceAll('|', '/');
}

/** The development dependencies that the sources of the service import: the build bundles them. */
function packagesOfService({ devDependencies = {} }: Manifest): readonly string[] {
  const texts = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const isImported = (name: string) => {
    const written = new RegExp(`(?:from |import\\()'${name}(?:/[^']*)?'`);
    return texts.some((text) => written.test(text));
  };
  return Object.keys(devDependencies).filter((name) => !TOOLS.test(name) && isImported(name));
}

/** The licences of all packages that these need, but their own. */
function licencesOfOthers(named: readonly string[]): readonly string[] {
  const { packages } = readJson<Lock>('package-lock.json');
  const needed = new Set(named);
  // A set that grows is walked to its end.
  for (const name of needed) {
    const { dependencies = {} } = packages[`node_modules/${name}`] ?? {};
    for (const other of Object.keys(dependencies)) needed.add(other);
  }
  const others = [...needed].filter((name) => !named.includes(name));
  const licences = others.map((name) => packages[`node_modules/${name}`]?.license ?? 'UNKNOWN');
  return [...new Set(licences)].sort();
}

function alignedTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...others] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)];
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Content;
}
