// The package as others get it: built, found by its name, typed for each way of resolving modules, run by
// plain Node, and without anything that browsers do not have.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'packages', 'client');
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

let consumer: string;

beforeAll(() => {
  consumer = mkdtempSync(join(tmpdir(), 'client-'));
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
  // As its page says; the package is compiled with the types of browsers alone: Node's are not among them.
  npm(ROOT, 'pack', '--workspace', 'packages/client', '--pack-destination', consumer);
  const [file = ''] = readdirSync(consumer).filter((name) => name.endsWith('.tgz'));
  npm(consumer, 'install', '--offline', `./${file}`);
  writeFileSync(join(consumer, 'use.ts'), USE);
});
afterAll(() => rmSync(consumer, { recursive: true, force: true }));

const USE = `
  import { createClient, isRecordsError, type RecordsErrorCode } from '@workspace-records/client';
  import { isWebhookError, verifyWebhook, type WebhookMessage } from '@workspace-records/client/webhooks';
  const client = createClient({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key', maxRetries: 0 });
  const codes: RecordsErrorCode[] = [];
  try {
    const { data } = await client.records('deals').list({ filters: { amount: { gte: 1 } } });
    const ids: string[] = data.map(({ id }) => id);
    // @ts-expect-error an id is no number
    const wrong: number[] = data.map(({ id }) => id);
  } catch (error) {
    if (isRecordsError(error)) codes.push(error.code);
  }
  const message: Promise<WebhookMessage> = verifyWebhook(new Headers(), '{}', 'whsec_eA==');
  await message.catch((error) => isWebhookError(error) && codes.push(error.code as never));
  console.log(codes.join());
`;

function npm(cwd: string, ...args: readonly string[]): void {
  const quiet = ['--silent', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', [...args, ...quiet], { cwd, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

function compile(...args: readonly string[]): readonly [string, number | null] {
  const { stdout, status } = spawnSync(process.execPath, [COMPILER, '--singleThreaded', ...args], {
    cwd: consumer,
    encoding: 'utf8',
  });
  return [stdout, status];
}

test.each([
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
])('its types are found with %s', (moduleResolution, module) => {
  const settings = ['--strict', '--types', '', '--target', 'es2022', '--lib', 'es2022,dom'];
  const modules = ['--module', module, '--moduleResolution', moduleResolution];
  expect(compile('use.ts', '--outDir', 'out', ...settings, ...modules)).toEqual(['', 0]);
  const { stdout } = spawnSync(process.execPath, [join(consumer, 'out', 'use.js')], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('connection_failed,header_missing\n');
});

test('it has only the files it needs', () => {
  const installed = join(consumer, 'node_modules', '@workspace-records', 'client');
  expect(readdirSync(installed).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
    'src',
  ]);
  expect(readdirSync(join(installed, 'dist'))).not.toContain('.built');
});

test('it needs no other package', () => {
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  expect(Object.keys(manifest)).not.toContain('dependencies');
  expect(Object.keys(manifest)).not.toContain('peerDependencies');
  const files = ['index', 'client', 'connection', 'changes', 'events', 'request', 'records'];
  for (const file of files) {
    const text = readFileSync(join(PACKAGE, 'src', `${file}.ts`), 'utf8');
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    for (const name of imports) expect(name).toMatch(/^\.\/[a-z-]+\.ts$/);
  }
  // Browsers that only verify load nothing else.
  const webhooks = readFileSync(join(PACKAGE, 'src', 'verify-webhook.ts'), 'utf8');
  expect([...webhooks.matchAll(/^import (?!type)/gm)]).toEqual([]);
});
