// Compiles to dist/ and puts the script of the reference page beside it, so that an installation
// without development dependencies serves the page too. With --if-needed it does nothing while
// dist/ is newer than all it is made from.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'dist', '.built');
if (process.argv.includes('--if-needed') && isCurrent()) process.exit(0);

const { resolve } = createRequire(import.meta.url);

const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

const script = join(dirname(resolve('@scalar/fastify-api-reference')), 'js', 'standalone.js');
const copied = join(root, 'dist', 'reference', 'standalone.js');
if (!isSame(script, copied)) {
  mkdirSync(dirname(copied), { recursive: true });
  const bytes = readFileSync(script);
  // Quality 9 saves 3 % more and takes three times as long, 11 thirty times.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  writeFileSync(`${copied}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${copied}.gz`, gzipSync(bytes, { level: 9 }));
  copyFileSync(script, copied);
}
const command = join(root, 'dist', 'cli', 'index.js');
if (existsSync(command)) chmodSync(command, 0o755);
writeFileSync(stamp, '');

/** Copied last, so that what is beside it is there as well. */
function isSame(from, to) {
  return existsSync(to) && readFileSync(from).equals(readFileSync(to));
}

function isCurrent() {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((name) =>
    join(root, 'src', name),
  );
  const settings = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
  const files = [...sources, ...settings.map((name) => join(root, name))];
  return files.every((file) => statSync(file).mtimeMs <= built);
}
