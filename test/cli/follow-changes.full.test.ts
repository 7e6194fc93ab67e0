// `changes --follow` as a process: it prints changes as others make them, until a signal, and says where it ended.

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from '../import/import-world.ts';
import { PATIENCE, startCommand } from './command-process.ts';

let world: ImportWorld;
let files: TestFiles;

beforeAll(async () => {
  world = await openImportWorld();
  files = openTestFiles();
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});

const load = (name: string) =>
  world.run(files.put('c.csv', `name,size\n${name},1`), { objectType: 'companies' });
const start = (...args: readonly string[]) =>
  startCommand(world.own.environment, 'changes', '-w', 'acme', '--json', ...args);

interface Line {
  readonly type: string;
  readonly source: string;
  readonly record_id: string;
}

function linesOf(out: string): readonly Line[] {
  const lines = out.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

test(
  'follows changes until a signal, and continues where it ended',
  async () => {
    const { child, outcome } = start('--follow');
    let out = '';
    child.stdout?.on('data', (chunk) => {
      out += chunk;
    });
    let rows = 0;
    await expect
      .poll(async () => {
        rows += 1;
        await load(`Followed ${rows}`);
        return linesOf(out).length;
      })
      .toBeGreaterThan(0);
    await load('At once');
    const [row] = await world.own.rows(`select id from ws_acme.companies where name = 'At once'`);
    // Not only one of those before it, which may come late.
    await expect.poll(() => linesOf(out).at(-1)?.record_id).toBe(row?.id);
    child.kill('SIGINT');
    const { code, err } = await outcome;
    expect([code, linesOf(out).at(-1)]).toMatchObject([
      0,
      { type: 'record.created', source: 'import' },
    ]);
    const [, cursor = ''] = /^Continue with --cursor (\S+)\n$/.exec(err) ?? [];
    await load('Later');
    const later = await start('--cursor', cursor).outcome;
    expect([later.code, linesOf(later.out).length]).toEqual([0, 1]);
  },
  PATIENCE,
);
