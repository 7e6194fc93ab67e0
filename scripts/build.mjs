// Compiles the service to dist/ and the client to packages/client/dist/, and puts the script of the
// reference page beside the service, so that an installation without development dependencies serves the
// page too. With --if-needed it does nothing for what is newer than all it is made from.

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
const isLazy = process.argv.includes('--if-needed');
const SETTINGS = ['package.json', 'tsconfig.json', 'tsconfig.build.json'];
const { resolve } = createRequire(import.meta.url);

build('packages/client', ['tsconfig.json'], () => compile('packages/client/tsconfig.json'));
build('.', SETTINGS, () => {
  compile('tsconfig.build.json');
  copyReference();
  const command = join(root, 'dist', 'cli', 'index.js');
  if (existsSync(command)) chmodSync(command, 0o755);
});

// `npm start` runs the service in place of its shell, which would keep signals to itself. The shell of
// Windows has no word for that; npm looks for commands in this folder.
if (process.platform === 'win32') {
  writeFileSync(join(root, 'node_modules', '.bin', 'exec.cmd'), '@%*\r\n');
}

/** Make the dist/ of a folder, unless it is there and newer than the sources and settings. */
function build(folder, settings, make) {
  const stamp = join(root, folder, 'dist', '.built');
  if (isLazy && isCurrent(stamp, folder, settings)) return;
  make();
  writeFileSync(stamp, '');
}

function isCurrent(stamp, folder, settings) {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const names = readdirSync(join(root, folder, 'src'), { recursive: true });
  const sources = names.map((name) => join('src', name));
  const files = ['src', ...settings, ...sources].map((name) => join(root, folder, name));
  return files.every((file) => statSync(file).mtimeMs <= built);
}

function compile(project) {
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--singleThreaded'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The script of the reference page, and as compressed answers have it. */
function copyReference() {
  const script = join(dirname(resolve('@scalar/fastify-api-reference')), 'js', 'standalone.js');
  const copied = join(root, 'dist', 'reference', 'standalone.js');
  if (existsSync(copied) && readFileSync(script).equals(readFileSync(copied))) return;
  mkdirSync(dirname(copied), { recursive: true });
  const bytes = readFileSync(script);
  // Quality 9 saves 3 % more and takes three times as long, 11 thirty times.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  writeFileSync(`${copied}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${copied}.gz`, gzipSync(bytes, { level: 9 }));
  // Last, so that what is beside it is there as well.
  copyFileSync(script, copied);
}
