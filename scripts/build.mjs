// Bundles the service to dist/cli and the application to dist/app, compiles the client to packages/client/dist/, writes
// docs/openapi.json, and puts the script of the reference page next to the service, so that an installation without development dependencies
// serves both. With --if-needed it skips each output that is newer than all its inputs, and with --if-possible it
// skips the build where its tools are not installed.

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

requireNode();
const root = join(import.meta.dirname, '..');
const isLazy = process.argv.includes('--if-needed');
const TABLES = join('packages', 'tables', 'src');
const SETTINGS = [
  ...['package.json', join('scripts', 'build.mjs'), join('packages', 'mcp', 'src'), TABLES],
];
const { resolve } = createRequire(import.meta.url);
requireTools();

/**
 * Packages that stay packages: pino starts threads from its own files, and traces come from the copies of the other two
 * that a watching process has loaded before it.
 */
const PACKAGES = ['@opentelemetry/api', 'pg', 'pino'];

const CLIENT = join('packages', 'client', 'src');
await build({ folder: 'packages/client', settings: ['tsconfig.json'] }, () =>
  compile('packages/client/tsconfig.json'),
);
await build({ folder: '.', settings: SETTINGS }, async () => {
  removeStale(await bundleService());
  writeOpenApi();
  copyReference();
  chmodSync(join(root, 'dist', 'cli', 'index.js'), 0o755);
});
await build(
  {
    folder: 'packages/app',
    settings: [
      'package.json',
      'vite.config.ts',
      'index.html',
      join('..', '..', CLIENT),
      join('..', '..', TABLES),
    ],
    made: join('dist', 'app'),
  },
  bundleApplication,
);

await build(
  {
    folder: 'docs',
    source: '.',
    settings: [join('..', 'scripts', 'build-docs.mjs')],
    made: join('dist', 'docs'),
  },
  async () => {
    const { buildDocs } = await import('./build-docs.mjs');
    for (const file of buildDocs(root, join(root, 'dist', 'docs')))
      compress(file, readFileSync(file));
  },
);

// `npm start` runs the service in place of its shell, which would keep signals to itself. The shell of
// Windows has no word for that; npm looks for commands in this folder.
if (process.platform === 'win32') {
  writeFileSync(join(root, 'node_modules', '.bin', 'exec.cmd'), '@%*\r\n');
}

/** With the words of src/cli/service/node-release.ts; an older Node.js does not get as far as the rest of this file. */
function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  const needed = 'Node.js 20.19 or newer is needed';
  process.stderr.write(`${needed}, this is ${process.versions.node}; Node.js 24 is recommended.\n`);
  process.exit(process.argv.includes('--if-possible') ? 0 : 1);
}

/** `npm ci --omit=dev` installs no build tools; with --if-needed an earlier build is enough. */
function requireTools() {
  const missing = ['typescript', 'rolldown', 'vite', 'marked', 'tsx'].filter(
    (name) => !existsSync(join(root, 'node_modules', name)),
  );
  if (missing.length === 0) return;
  if (isLazy && existsSync(join(root, 'dist', 'cli', 'index.js'))) process.exit(0);
  const remedy = 'run "npm ci" without --omit=dev, or install the file of "npm pack"';
  process.stderr.write(`Nothing is built: ${missing.join(', ')} missing; ${remedy}.\n`);
  process.exit(process.argv.includes('--if-possible') ? 0 : 1);
}

/** Build the output of a folder, unless it is there and newer than the sources and settings. */
async function build({ folder, source = 'src', settings, made = join(folder, 'dist') }, make) {
  const stamp = join(root, made, '.built');
  if (isLazy && isCurrent(stamp, folder, [source, ...settings])) return;
  await make();
  writeFileSync(stamp, '');
}

/**
 * The command with its modules, and apart those that only some commands load: finding and opening hundreds of files
 * costs more than running them. Paths from these files to the files next to `dist` are those from the sources.
 */
async function bundleService() {
  const { build: bundleWith } = await import('rolldown');
  const { output } = await bundleWith({
    input: {
      index: join(root, 'src', 'cli', 'index.ts'),
      'format-worker': join(root, TABLES, 'node', 'format-worker.ts'),
    },
    platform: 'node',
    external: PACKAGES,
    transform: { define: { 'process.env.BUILT_FROM_COMMIT': JSON.stringify(commit()) } },
    output: {
      dir: join(root, 'dist', 'cli'),
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  });
  writeSbom('service', output);
  return output.map(({ fileName }) => join('cli', fileName));
}

/**
 * dist/sbom: the packages of a bundle as CycloneDX, for tools that look for known holes. They are no dependencies of an
 * installation.
 */
function writeSbom(name, output) {
  const folders = new Set(
    output.flatMap(({ moduleIds = [] }) =>
      moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0]),
    ),
  );
  const components = [...folders]
    .filter((folder) => folder !== undefined)
    .map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    .map(({ name: of, version, license }) => ({
      ...{
        type: 'library',
        name: of,
        version,
        purl: `pkg:npm/${of.replace('@', '%40')}@${version}`,
      },
      licenses: [{ license: { id: license } }],
    }))
    .sort((one, other) => (one.purl < other.purl ? -1 : 1));
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };
  mkdirSync(join(root, 'dist', 'sbom'), { recursive: true });
  writeFileSync(join(root, 'dist', 'sbom', `${name}.json`), `${JSON.stringify(bom, null, 2)}\n`);
}

/** docs/openapi.json, from the routes. */
function writeOpenApi() {
  const script = join(root, 'scripts', 'write-openapi.ts');
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', script], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Of the repository that is built; empty outside of one. */
function commit() {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    ...{ cwd: root, encoding: 'utf8' },
  });
  return stdout?.trim() ?? '';
}

/** The application for browsers. Its libraries are development dependencies: a server needs only their output. */
async function bundleApplication() {
  // A run of tests says `test`, and React would be bundled as for its own developers.
  process.env.NODE_ENV = 'production';
  const { build: bundleWith } = await import('vite');
  const { output } = await bundleWith({
    configFile: join(root, 'packages', 'app', 'vite.config.ts'),
    logLevel: 'warn',
  });
  writeSbom('application', output);
}

function isCurrent(stamp, folder, inputs) {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return inputs
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

/** Output of an earlier build must not be packed. */
function removeStale(made) {
  const dist = join(root, 'dist');
  const parts = ['app', 'cli', 'docs', 'reference', 'sbom', '.built'];
  const stale = readdirSync(dist).filter((name) => !parts.includes(name));
  const files = readdirSync(join(dist, 'cli')).map((name) => join('cli', name));
  for (const name of [...stale, ...files.filter((file) => !made.includes(file))]) {
    rmSync(join(dist, name), { recursive: true });
  }
}

/** The script of the reference page, and as compressed answers have it. */
function copyReference() {
  const script = join(dirname(resolve('@scalar/fastify-api-reference')), 'js', 'standalone.js');
  const copied = join(root, 'dist', 'reference', 'standalone.js');
  if (existsSync(copied) && readFileSync(script).equals(readFileSync(copied))) return;
  mkdirSync(dirname(copied), { recursive: true });
  compress(copied, readFileSync(script));
  // Last, so that the file next to it is there as well.
  copyFileSync(script, copied);
}

/** The compressed forms of a file, next to it. */
function compress(file, bytes) {
  // Quality 9 saves 3 % more and takes three times as long, 11 thirty times.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
