// The commands of docs/operations.md that bring workspaces from before the first release: run as the page has them, with
// a data directory that is not there yet.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase } from '../own-database.ts';
import { COMMAND, startProgram } from './command-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'from-before-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the steps for workspaces from before the first release', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const [, section = ''] =
    /^### From a version that was not published\n([\s\S]*?)^Records keep/m.exec(page) ?? [];
  const commands = [...section.matchAll(/`npx workspace-records ([^`]*)`/g)].map(([, line = '']) =>
    line.split(' '),
  );
  expect(commands.map(([first, second]) => `${first} ${second ?? ''}`.trim())).toEqual([
    'workspaces export',
    'migrate',
    'workspaces restore',
  ]);
  const own = await createMigratedDatabase();
  await createWorkspace(own.db, { slug: 'acme', document: {} });
  const environments = [own.environment, { DATA_DIRECTORY: join(folder, 'new') }];
  const run = async (args: readonly string[], environment: NodeJS.ProcessEnv) => {
    const program: readonly [string, ...string[]] = [process.execPath, COMMAND, ...args];
    const { code, out, err } = await startProgram(program, environment, folder).outcome;
    expect(code, `${args.join(' ')}: ${err}`).toBe(0);
    return out;
  };
  // The export is the old version's; the others are run with the new database.
  for (const [index, args] of commands.entries()) {
    await run(args, environments[Math.min(index, 1)] ?? {});
  }
  expect(await run(['workspaces', 'list'], environments[1] ?? {})).toContain('acme');
  await own.drop();
});
