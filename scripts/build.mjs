// Compiles the service to dist/ and the client to packages/client/dist/, bundles the application to dist/app,
// and puts the script of the reference page beside the service, so that an installation without development
// dependencies serves both. With --if-needed it does nothing for what is newer than all it is made from.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
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

const CLIENT = join('packages', 'client', 'src');
await build({ folder: 'packages/client', settings: ['tsconfig.json'] }, () =>
  compile('packages/client/tsconfig.json'),
);
await build({ folder: '.', settings: SETTINGS }, () => {
  compile('tsconfig.build.json');
  removeStale();
  copyReference();
  const command = join(root, 'dist', 'cli', 'index.js');
  if (existsSync(command)) chmodSync(command, 0o755);
});
await build(
  {
    folder: 'packages/app',
    settings: ['package.json', 'vite.config.ts', 'index.html', join('..', '..', CLIENT)],
    made: join('dist', 'app'),
  },
  bundle,
);

// `npm start` runs the service in place of its shell, which would keep signals to itself. The shell of
// Windows has no word for that; npm looks for commands in this folder.
if (process.platform === 'win32') {
  writeFileSync(join(root, 'node_modules', '.bin', 'exec.cmd'), '@%*\r\n');
}

/** Make what is made of a folder, unless it is there and newer than the sources and settings. */
async function build({ folder, settings, made = join(folder, 'dist') }, make) {
  const stamp = join(root, made, '.built');
  if (isLazy && isCurrent(stamp, folder, settings)) return;
  await make();
  writeFileSync(stamp, '');
}

/** The application for browsers. Its libraries are development dependencies: what they make is all a server needs. */
async function bundle() {
  // A run of tests says `test`, and React would be bundled as for its own developers.
  process.env.NODE_ENV = 'production';
  const { build: bundleWith } = await import('vite');
  await bundleWith({
    configFile: join(root, 'packages', 'app', 'vite.config.ts'),
    logLevel: 'warn',
  });
}

function isCurrent(stamp, folder, settings) {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return ['src', ...settings]
    .flatMap((name) => withContents(join(root, folder, name)))
    .every((file) => statSync(file).mtimeMs <= built);
}

/** A file; a folder with all that is in it. */
function withContents(path) {
  if (!statSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, name))];
}

function compile(project) {
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--singleThreaded'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** What was compiled of a source that is gone must not be packed. */
function removeStale() {
  const dist = join(root, 'dist');
  const compiled = readdirSync(dist, { recursive: true }).filter(
    (name) => /\.js(\.map)?$/.test(name) && !/^(app|reference)[/\\]/.test(name),
  );
  for (const name of compiled) {
    const source = join(root, 'src', name.replace(/\.js(\.map)?$/, '.ts'));
    if (!existsSync(source)) rmSync(join(dist, name));
  }
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
