// The files of the built application (dist/app) that browsers load, against their budgets: the files that every page
// begins with, and each part that comes later. Sizes are those of gzip, which every browser takes.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Bytes. */
const BUDGETS = { script: 260_000, style: 45_000, font: 100_000, part: 60_000 };

const folder = resolve(import.meta.dirname, '..', 'dist', 'app');
const assets = join(folder, 'assets');
const page = readFileSync(join(folder, 'index.html'), 'utf8');
const named = [...page.matchAll(/(?:src|href)="\/app\/assets\/([^"]+)"/g)].map(
  ([, name]) => name as string,
);
const first = new Set(named.flatMap(withImports));
const all = readdirSync(assets).filter((name) => /\.(?:js|css)$/.test(name));
const fonts = readdirSync(assets).filter(isFont);

const rows = [
  { what: 'scripts at first', bytes: sum([...first].filter(isScript)), budget: BUDGETS.script },
  { what: 'styles at first', bytes: sum([...first].filter(isStyle)), budget: BUDGETS.style },
  { what: 'fonts at first', bytes: sum([...first].filter(isFont)), budget: BUDGETS.font },
  ...fonts.map((name) => ({ what: name, bytes: sizeOf(name), budget: BUDGETS.font })),
  ...all
    .filter((name) => !first.has(name))
    .map((name) => ({ what: name, bytes: sizeOf(name), budget: BUDGETS.part })),
];
for (const { what, bytes, budget } of rows
  .sort((one, other) => other.bytes - one.bytes)
  .slice(0, 8)) {
  console.log(`${what.padEnd(40)} ${kilobytes(bytes)} of ${kilobytes(budget)} KB`);
}
const over = rows.filter(({ bytes, budget }) => bytes > budget);
for (const { what } of over) console.error(`${what} is over its budget.`);
process.exitCode = over.length > 0 ? 1 : 0;

/** A script, and the modules it imports before it runs. */
function withImports(name: string): readonly string[] {
  const found = new Set([name]);
  for (const one of found) {
    if (!isScript(one)) continue;
    const text = readFileSync(join(assets, one), 'utf8');
    for (const [, next] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
      found.add(next as string);
  }
  return [...found];
}

function isScript(name: string): boolean {
  return name.endsWith('.js');
}

function isStyle(name: string): boolean {
  return name.endsWith('.css');
}

function isFont(name: string): boolean {
  return name.endsWith('.woff2');
}

function sum(names: readonly string[]): number {
  return names.reduce((bytes, name) => bytes + sizeOf(name), 0);
}

/** Files that are not worth compressing are sent unchanged. */
function sizeOf(name: string): number {
  const gz = join(assets, `${name}.gz`);
  return (statSync(gz, { throwIfNoEntry: false }) ?? statSync(join(assets, name))).size;
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(6);
}
