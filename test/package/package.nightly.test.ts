// The one file that `npm pack` makes, installed into an empty folder without development dependencies: its command
// serves the interface and the application, on the Node.js of this run with the PostgreSQL that comes with it, and on
// each of those that NODES names (`NODES="22.23.3 24.21.0"`), which come from npm.

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { READY } from '../../src/http/route/routing.ts';
import { PATIENCE, startProgram } from '../cli/command-process.ts';
import { call } from '../http-client.ts';
import { createOwnDatabase } from '../own-database.ts';

const root = resolve(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'package-'));
const installed = join(folder, 'installed');
const program = join(installed, 'node_modules', 'workspace-records', 'dist', 'cli', 'index.js');
const children: ChildProcess[] = [];
const NODES = (process.env.NODES ?? '').split(' ').filter((version) => version !== '');
const DOCUMENT = {
  roles: { admin: { name: 'Administrator', administrator: true } },
  users: { 'ann@example.com': { name: 'Ann', roles: ['admin'] } },
};

async function npm(within: string, ...args: readonly string[]): Promise<void> {
  const { HOME } = process.env;
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  const { outcome } = startProgram(['npm', ...args, ...quiet], { HOME }, within);
  const { code, err } = await outcome;
  expect(code, err).toBe(0);
}

beforeAll(async () => {
  mkdirSync(installed);
  await npm(root, 'pack', '--pack-destination', folder);
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(installed, 'package.json'), '{}');
  writeFileSync(join(installed, 'acme.json'), JSON.stringify(DOCUMENT));
  await npm(installed, 'install', '--omit=dev', join(folder, file));
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Serve a new workspace by this Node.js, and use its main functions. */
async function requireServing(node: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const run = (...args: readonly string[]) =>
    startProgram([node, program, ...args], { DEMO: 'off', ...environment }, installed);
  const say = async (...args: readonly string[]) => {
    const { code, out, err } = await run(...args).outcome;
    expect(code, err).toBe(0);
    return out;
  };
  const service = run('start', '--port', '0');
  children.push(service.child);
  let said = '';
  service.child.stderr?.on('data', (text) => {
    said += text;
  });
  const listening = /Listening on http:\/\/127\.0\.0\.1:(\d+)\/v1/;
  await vi.waitFor(() => expect(said).toMatch(listening), PATIENCE);
  const port = Number(listening.exec(said)?.[1]);

  await say('workspaces', 'create', 'acme', '--definition', 'acme.json');
  const made = await say(
    'keys',
    'create',
    '-w',
    'acme',
    '--user',
    'ann@example.com',
    '--name',
    'x',
  );
  const [key = ''] = /wrs_p_\w+/.exec(made) ?? [];
  const records = '/v1/objects/companies/records';
  const created = await call(port, records, {
    ...{ method: 'POST', key, body: { fields: { name: 'Ågård & Co' } } },
    headers: { 'idempotency-key': 'one' },
  });
  expect(created.status, created.text).toBe(201);
  const { id } = created.json.data;
  const [listed, found, counted] = await Promise.all([
    call(port, `${records}?fields=name`, { key }),
    call(port, '/v1/search?q=agard', { key }),
    call(port, `${records}/aggregate`, {
      ...{ method: 'POST', key, body: { metrics: [{ name: 'all', op: 'count' }] } },
    }),
  ]);
  expect(listed.json.data).toMatchObject([{ id, fields: { name: 'Ågård & Co' } }]);
  expect(found.json.data).toMatchObject([{ id }]);
  expect(counted.json.data).toEqual([{ all: 1 }]);
  const page = await call(port, '/app/acme/sign-in');
  const [script = ''] = /\/app\/assets\/[\w.-]+\.js/.exec(page.text) ?? [];
  expect(await call(port, script)).toMatchObject({ status: 200 });
  expect(await call(port, '/reference')).toMatchObject({ status: 200 });
  expect(await call(port, '/readyz')).toMatchObject({ status: 200 });

  service.child.kill('SIGTERM');
  expect(await service.outcome, said).toMatchObject({ code: 0 });
}

// Side by side: each mostly waits, for the registry and for processes that start.
test.concurrent('on this Node.js, with the PostgreSQL that comes with it', () =>
  requireServing(process.execPath, { DATA_DIRECTORY: join(installed, 'data') }));

test.concurrent.each(NODES)('on Node.js %s', async (version) => {
  const place = join(folder, version);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{}');
  const name = `node-${process.platform}-${process.arch}`;
  await npm(place, 'install', `${name}@${version}`);
  const own = await createOwnDatabase();
  await requireServing(join(place, 'node_modules', name, 'bin', 'node'), own.environment);
  await own.drop();
});

test.runIf(NODES.length > 0)(
  'on Node.js 18 each command and the build say what is needed',
  async () => {
    const place = join(folder, 'old');
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{}');
    const name = `node-${process.platform}-${process.arch}`;
    await npm(place, 'install', `${name}@18.20.8`);
    const old = join(place, 'node_modules', name, 'bin', 'node');
    const needed =
      'Node.js 20.19 or newer is needed, this is 18.20.8; Node.js 24 is recommended.\n';
    for (const args of [
      [program, 'start'],
      [program, '--version'],
      [join(root, 'scripts', 'build.mjs')],
      [join(root, 'scripts', 'build.mjs'), '--if-needed'],
    ]) {
      const { code, out, err } = await startProgram([old, ...args], {}, place).outcome;
      expect([code, out, err], args.join(' ')).toEqual([1, '', needed]);
    }
  },
);

test('it has only the build and the notices of the bundled packages', () => {
  const place = join(installed, 'node_modules', 'workspace-records');
  expect(readdirSync(place)).toContain('NOTICE.md');
  const dist = join(place, 'dist');
  expect(readdirSync(dist).sort()).toEqual(['app', 'cli', 'docs', 'reference', 'sbom']);
  const packagesOf = (name: string): readonly string[] => {
    const { components } = JSON.parse(readFileSync(join(dist, 'sbom', `${name}.json`), 'utf8'));
    return components.map(({ purl }: { purl: string }) => purl);
  };
  expect(packagesOf('service')).toContainEqual(expect.stringMatching(/^pkg:npm\/hucre@\d/));
  expect(packagesOf('application')).toContainEqual(
    expect.stringMatching(/^pkg:npm\/%40mantine\/core@\d/),
  );
  // Packages inside the bundles are not installed again.
  expect(readdirSync(join(installed, 'node_modules'))).not.toContain('hucre');
});

test('the image has a tested Node.js, and its health check is a route of the service', () => {
  const proven = /NODES="\$\{NODES-([^}"]*)\}"/.exec(
    readFileSync(join(root, 'scripts', 'nightly'), 'utf8'),
  )?.[1];
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  expect(proven?.split(' ')).toContain(/^FROM node:([\d.]+)-/m.exec(image)?.[1]);
  expect(image).toContain(`${READY}\``);
  const composed = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'));
  const { environment } = composed.services.service;
  const settings = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  for (const name of Object.keys(environment)) expect(settings).toContain(`| \`${name}\``);
  // The service is no superuser, and does not know the password of one.
  const { postgres } = composed.services;
  expect(environment.DATABASE_URL).toContain('://records:${POSTGRES_PASSWORD');
  expect(postgres.environment).not.toHaveProperty('POSTGRES_USER');
  expect(postgres.environment.POSTGRES_PASSWORD).toContain('POSTGRES_ADMIN_PASSWORD');
  expect(postgres.volumes.join(' ')).toContain('./deploy/postgres-role.sh:');
  // The key of stored secrets outlives the container.
  expect(image).toMatch(/^ENV .*\bDATA_DIRECTORY=\/data$/m);
  expect(image).toMatch(/^VOLUME \/data$/m);
  expect(composed.services.service.volumes).toEqual(['service:/data']);
  expect(Object.keys(composed.volumes)).toContain('service');
});
