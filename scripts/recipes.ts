// Proves rows of "Where to change what" of ARCHITECTURE.md. Each file of recipes/ is a change that a developer could make,
// as a patch under the name of its row. It is applied to a copy of the project: the row must name its files and no others,
// and the copy must compile and pass tests. A word on the command line chooses rows.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(import.meta.dirname, 'recipes');

interface Recipe {
  readonly row: string;
  readonly patch: string;
  /** The folders of a copy, from and to; none in most recipes. */
  readonly copied: readonly string[];
  readonly tests: readonly string[];
}

/** A recipe from its lines of the form `Row: …`, before those of the patch. */
function readRecipe(name: string): Recipe {
  const patch = readFileSync(join(folder, name), 'utf8');
  const wordOf = (key: string) => patch.match(new RegExp(`^${key}: (.*)$`, 'm'))?.[1] ?? '';
  const wordsOf = (key: string) => wordOf(key).split(' ').filter(Boolean);
  return { row: wordOf('Row'), patch, copied: wordsOf('Copy'), tests: wordsOf('Tests') };
}

/** The paths of a row: names in code marks with a slash. */
function pathsOf(row: string): readonly string[] {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const [, text] = page.split(`\n- **${row}**`);
  if (text === undefined) throw new Error(`ARCHITECTURE.md has no row "${row}"`);
  const [own = ''] = text.split(/\n(?:- \*\*|\n)/);
  return [...own.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, path = '']) => path);
}

/** The tracked files, with the installed packages; those of the project itself are the copied ones. */
function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'recipe-'));
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of tracked.split('\0').filter((name) => existsSync(join(root, name)))) {
    if (file !== '') cpSync(join(root, file), join(copy, file));
  }
  const own = '@workspace-records';
  mkdirSync(join(copy, 'node_modules', own), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => one !== own)) {
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const name of readdirSync(join(root, 'node_modules', own))) {
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules', own, name));
  }
  return copy;
}

function succeeds(copy: string, command: readonly string[]): boolean {
  const { status } = spawnSync('npx', ['--no-install', ...command], {
    cwd: copy,
    stdio: 'inherit',
  });
  return status === 0;
}

/** The problems of a row; none when it names the files of the change and these suffice. */
function problemsOf({ row, patch, copied, tests }: Recipe): readonly string[] {
  const named = pathsOf(row);
  const [from, to] = copied;
  const changed = [...patch.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path = '']) => path);
  const files = to === undefined ? changed : [...changed, to];
  const isIn = (file: string, path: string) => file === path || file.startsWith(`${path}/`);
  const unnamed = files.filter((file) => !named.some((path) => isIn(file, path)));
  const untouched = named.filter((path) => !files.some((file) => isIn(file, path)));
  const copy = copyProject();
  try {
    if (from !== undefined && to !== undefined) {
      cpSync(join(copy, from), join(copy, to), { recursive: true });
    }
    if (changed.length > 0) {
      execFileSync('git', ['apply', '-C1', '--recount', '-'], { cwd: copy, input: patch });
    }
    const commands = [
      ['tsx', 'scripts/generate.ts'],
      ['npm', 'run', '--silent', 'typecheck'],
      ['vitest', 'run', ...tests],
    ];
    return [
      ...unnamed.map((file) => `the row does not name ${file}`),
      ...untouched.map((path) => `the row names ${path}, which did not change`),
      ...commands.filter((one) => !succeeds(copy, one)).map((one) => `${one.join(' ')} fails`),
    ];
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const [, , word = ''] = process.argv;
for (const recipe of readdirSync(folder).map(readRecipe)) {
  if (!recipe.row.includes(word)) continue;
  const problems = problemsOf(recipe);
  if (problems.length > 0) process.exitCode = 1;
  process.stdout.write(`\n${recipe.row}: ${problems.join('; ') || 'as its row says'}\n`);
}
