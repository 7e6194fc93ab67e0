// Clients that the generators of docs/guide/openapi.md make from the document of a running world, called against it. The
// generators come from npm, by exact version, into a temporary folder.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoCanary } from '../access/canary.ts';
import { startProgram, TSX } from '../cli/command-process.ts';
import { openWorld, type World } from '../world.ts';
import { CALLS, GENERATORS, PRELUDE } from './generated-programs.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guide/openapi.md');

let world: World;
let folder: string;

beforeAll(async () => {
  world = await openWorld();
  folder = mkdtempSync(join(tmpdir(), 'generated-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const packages = new Set(GENERATORS.flatMap((generator) => generator.packages));
  await run(folder, ['npm', 'install', ...QUIET, ...packages]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.close();
});

const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--save-exact'];

async function run(
  within: string,
  command: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { HOME, PATH } = process.env;
  const path = `${join(folder, 'node_modules', '.bin')}:${PATH}`;
  const { outcome } = startProgram(command, { HOME, ...environment, PATH: path }, within);
  const { code, out, err } = await outcome;
  expect(code, `${out}${err}`).toBe(0);
  return out;
}

test.each(GENERATORS)(
  '$name: a client lists, gets, creates and updates, and reads errors',
  async (generator) => {
    const { secret } = await world.key('ada');
    const base = `http://127.0.0.1:${world.port}/v1`;
    const within = join(folder, generator.name.replaceAll(/\W+/g, '-'));
    mkdirSync(within);
    writeFileSync(join(within, 'openapi.json'), await (await fetch(`${base}/openapi.json`)).text());
    await run(within, generator.command);
    const program = join(within, 'program.ts');
    writeFileSync(program, `${PRELUDE}${generator.program}${CALLS}`);
    const loader = pathToFileURL(TSX).href;
    const environment = { BASE: base, KEY: secret };
    const said = await run(within, [process.execPath, '--import', loader, program], environment);
    expectNoCanary(secret, said);
    const [equality, operator] = generator.sent;
    const [status, names] = equality === 'filter=[object Object]' ? [400, null] : [200, ['Second']];
    expect(JSON.parse(said)).toEqual({
      made: [201, 201],
      isReplayed: true,
      updated: [200, 5],
      stale: [412, 'stale_record'],
      missing: [404, 'record_not_found'],
      plain: [200, 'Second'],
      equality: [status, names],
      queries: [expect.stringContaining(equality), expect.stringContaining(operator)],
      cookies: 0,
    });
  },
);

test('the guide names the generators with these versions', () => {
  const text = readFileSync(GUIDE, 'utf8');
  const versions = GENERATORS.flatMap(({ packages }) => packages)
    .filter((one) => !/^(?:typescript|@oazapfts)/.test(one))
    .map((one) => one.slice(one.lastIndexOf('@') + 1));
  for (const version of versions) expect(text).toContain(version);
});
