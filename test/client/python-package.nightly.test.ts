// The Python client as a package: the wheel has the one file, its licence and its data, and is imported.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const python = (...args: readonly string[]) => spawnSync('python3', args, { encoding: 'utf8' });
const hasPip = python('-m', 'pip', '--version').status === 0;

test.skipIf(!hasPip)('a wheel has the client, its licence and the version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheel-'));
  try {
    // The tools write beside the sources.
    cpSync(join(ROOT, 'packages', 'python'), join(folder, 'source'), { recursive: true });
    const out = join(folder, 'out');
    const built = python(
      '-m',
      'pip',
      'wheel',
      '--quiet',
      '--no-deps',
      '-w',
      out,
      join(folder, 'source'),
    );
    expect(built.status, built.stderr).toBe(0);
    const [wheel = ''] = readdirSync(out).map((name) => join(out, name));
    const lines = python('-m', 'zipfile', '-l', wheel).stdout.trim().split('\n').slice(1);
    const names = lines.map((line) =>
      line.split(' ')[0]?.replace(/^workspace_records-[^/]+\//, ''),
    );
    expect(names.sort()).toEqual([
      ...['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE', 'top_level.txt'],
      'workspace_records.py',
    ]);
    const program =
      'import sys; sys.path.insert(0, sys.argv[1]); import workspace_records as w; print(w.__version__)';
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(python('-c', program, wheel).stdout.trim()).toBe(version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
