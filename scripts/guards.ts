// Switches off one guard of the service after the other, in a copy of the project, and runs the tests that have to see it:
// a test may be moved or removed as long as its guards are seen. Prints the table of docs/design/testing.md; exits 1 when
// a test passes without its guard. Words are the names of guards to try, instead of all.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { type Tier, tierOf } from '../test/tiers.ts';
import { GUARDS, type Guard, withoutGuard } from './guard-list.ts';

interface Seen {
  readonly guard: Guard;
  /** The files of tests that failed. */
  readonly by: readonly string[];
}

const root = resolve(import.meta.dirname, '..');
const TIERS: readonly Tier[] = ['test', 'full', 'nightly'];

const words = process.argv.slice(2);
const tried = GUARDS.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const copy = copyProject();
try {
  const all = tried.map((guard) => ({ guard, by: switchOff(guard) }));
  process.stdout.write(`\n${tableOf(all)}\n`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** The files of git, as they are now, with the installed packages of the project. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guards-'));
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    ...{ cwd: root, encoding: 'utf8' },
  });
  const built = ['dist', 'packages/client/dist'];
  for (const name of [...stdout.split('\0'), ...built]) {
    // A removed file that is not committed.
    if (name === '' || !existsSync(join(root, name))) continue;
    // With the times, so that what is built stays newer than its sources.
    const options = { recursive: true, preserveTimestamps: true };
    cpSync(join(root, name), join(folder, name), options);
  }
  for (const name of ['node_modules', 'packages/app/node_modules']) {
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(folder, name));
  }
  return folder;
}

/**
 * The tests that fail without the guard, which is there again afterwards. Only the application is built again: the
 * service of these tests runs from its sources.
 */
function switchOff(guard: Guard): readonly string[] {
  const path = join(copy, guard.file);
  const [text, { atime, mtime }] = [readFileSync(path, 'utf8'), statSync(path)];
  writeFileSync(path, withoutGuard(guard, text));
  if (!guard.file.startsWith('packages/app/')) utimesSync(path, atime, mtime);
  const by = failedOf(guard.tests);
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
  const missed = guard.tests.filter((test) => !by.includes(test));
  process.stdout.write(`${guard.name}: ${by.map((test) => `seen by ${test}`).join(', ')}\n`);
  if (missed.length > 0) {
    process.stdout.write(`  NOT seen by ${missed.join(', ')}\n`);
    process.exitCode = 1;
  }
  return by;
}

function failedOf(tests: readonly string[]): readonly string[] {
  const report = join(copy, 'guards.json');
  rmSync(report, { force: true });
  const command = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['run', '--reporter=json', `--outputFile=${report}`, ...tests];
  const { stderr } = spawnSync(process.execPath, [command, ...options], {
    ...{ cwd: copy, encoding: 'utf8', env: { ...process.env, FAILED_FILES: '' } },
  });
  if (!existsSync(report)) throw new Error(stderr);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly testResults: readonly { readonly name: string; readonly status: string }[];
  };
  const ran = testResults.map(({ name }) => relative(copy, name));
  const absent = tests.filter((test) => !ran.includes(test));
  if (absent.length > 0) throw new Error(`these tests did not run: ${absent.join(', ')}`);
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(copy, name));
}

function tableOf(all: readonly Seen[]): string {
  const rows = all.map(({ guard, by }) => {
    const cells = TIERS.map((tier) => by.filter((test) => tierOf(test) === tier).map(shortName));
    return `| ${guard.kind} | ${guard.name} | ${cells.map((names) => names.join(', ')).join(' | ')} |`;
  });
  const head = [
    '| Kind | Guard | `npm test` | `test:full` | `test:nightly` |',
    '| --- | --- | --- | --- | --- |',
  ];
  return [...head, ...rows].join('\n');
}

/** `api/keys` for `test/api/keys.test.ts`. */
function shortName(path: string): string {
  const folder = path.startsWith('test/') ? 'test' : dirname(dirname(path));
  return `\`${relative(folder, path).replace(/\.test\.ts$/, '')}\``;
}
