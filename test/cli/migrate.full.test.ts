// Migrations by commands of several releases. A later release is a copy of the package with another file for each
// schema; an earlier one, from before the first release, has left a database (test/data).

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { catalogOf } from '../moved-workspace.ts';
import {
  createMigratedDatabase,
  createOwnDatabase,
  lacks,
  type OwnDatabase,
} from '../own-database.ts';
import { restoreDump } from '../restored-dump.ts';
import { COMMAND, type Outcome, startCommand } from './command-process.ts';
import { LATER_FILES, makeLaterRelease } from './later-release.ts';

const ROOT = join(COMMAND, '..', '..', '..');

const release = makeLaterRelease(LATER_FILES);
const { folder } = release;
let own: OwnDatabase;

beforeAll(() => mkdirSync(join(folder, 'files')));
afterAll(() => release.remove());

const now = (...args: readonly string[]): Promise<Outcome> =>
  startCommand(own.environment, ...args).outcome;

const later = (...args: readonly string[]): Promise<Outcome> =>
  release.run(own.environment, ...args);

const document = { teams: { North: { members: [] } } };

async function made(...slugs: readonly string[]): Promise<void> {
  own = await createMigratedDatabase();
  for (const slug of slugs) await createWorkspace(own.db, { slug, document });
}

const coloursOf = async (slug: string) =>
  (await own.rows(`select name, colour from ws_${slug}._teams order by name`)).map(
    ({ name, colour }) => [name, colour],
  );

/** Those of the later release. */
const migrationFiles = (name: 'control' | 'workspace') =>
  readdirSync(join(folder, 'migrations', name)).sort();

const filesOf = async () =>
  (await own.rows('select schema_name, file from workspace_records.migrations order by 1, 2')).map(
    ({ schema_name, file }) => `${schema_name} ${file}`,
  );

describe('a later file', () => {
  const file = join(folder, 'files', 'one.gz');

  beforeAll(async () => {
    await made('one', 'two');
    expect(await now('workspaces', 'export', 'one', '--out', file)).toMatchObject({ code: 0 });
  });

  afterAll(() => own?.drop());

  test('is applied once to each schema that is there, however many processes start', async () => {
    const checking = { ...own.environment, MIGRATIONS: 'check' };
    const refused = await release.run(checking, 'workspaces', 'list');
    expect([refused.code, refused.err]).toEqual([
      1,
      'The database is older than this release in 3 schemas. Run "workspace-records migrate" first.\n',
    ]);
    const files900 = [
      'workspace_records: 900-later.sql',
      'ws_one: 900-later.sql',
      'ws_two: 900-later.sql',
    ];
    expect((await later('migrate', '--plan')).out).toBe(`${files900.join('\n')}\n`);
    expect((await later('migrate', '--status')).out).toMatch(
      /needs 900-later\.sql and, .*900-later\.sql\.\nThe database is behind in: workspace_records, ws_one, ws_two\.\n$/,
    );
    expect((await now('migrate', '--plan')).out).toBe('The database is up to date.\n');
    expect((await now('migrate', '--status')).out).toMatch(/\nThe database has its shape\.\n$/);
    expect((await later('migrate', '--plan', '--status')).code).toBe(2);
    const all = await Promise.all([
      later('migrate'),
      later('workspaces', 'list'),
      later('migrate'),
    ]);
    expect(all.map(({ code, err }) => [code, err])).toEqual(Array(3).fill([0, '']));
    const files = (schema: string, folder: 'control' | 'workspace') =>
      migrationFiles(folder).map((name) => `${schema} ${name}`);
    expect(await filesOf()).toEqual([
      ...files('workspace_records', 'control'),
      ...files('ws_one', 'workspace'),
      ...files('ws_two', 'workspace'),
    ]);
    expect(await coloursOf('two')).toEqual([['North', 'none']]);
    expect(await later('migrate')).toMatchObject({ out: 'The database is up to date.\n' });
  });

  test('is part of a workspace that is made by it', async () => {
    const definition = join(folder, 'files', 'teams.json');
    writeFileSync(definition, JSON.stringify(document));
    const args = ['workspaces', 'create', 'three', '--definition', definition];
    expect(await later(...args)).toMatchObject({ code: 0, err: '' });
    expect(await coloursOf('three')).toEqual([['North', 'new']]);
    expect(await catalogOf(own, 'ws_three')).toEqual(await catalogOf(own, 'ws_one'));
  });

  test('is applied to a file of this release that is restored', async () => {
    const args = ['workspaces', 'restore', file, '--slug', 'four'];
    expect(await later(...args)).toMatchObject({ code: 0 });
    expect(await coloursOf('four')).toEqual([['North', 'none']]);
    expect(await catalogOf(own, 'ws_four')).toEqual(await catalogOf(own, 'ws_one'));
  });

  test('keeps its files from releases without it, which continue with theirs', async () => {
    const newer = join(folder, 'files', 'newer.gz');
    expect(await later('workspaces', 'export', 'two', '--out', newer)).toMatchObject({ code: 0 });
    const { code, err } = await now('workspaces', 'restore', newer, '--slug', 'five');
    expect([code, err]).toEqual([1, expect.stringContaining('another version')]);
    expect(await now('workspaces', 'create', 'old')).toMatchObject({ code: 0, err: '' });
    expect(await later('migrate')).toMatchObject({ code: 0, out: 'migrated ws_old\n' });
  });
});

test('migrations before a failure stay, and the next start continues after them', async () => {
  await made('one', 'two', 'three');
  try {
    await own.rows('alter table ws_two._teams add column colour text');
    const { code, err } = await later('migrate');
    expect([code, err]).toEqual([1, expect.stringContaining('column "colour"')]);
    expect(await filesOf()).not.toContain('ws_two 900-later.sql');
    expect(await filesOf()).not.toContain('ws_three 900-later.sql');
    // The release before works with each of them, migrated or not.
    for (const slug of ['one', 'two', 'three']) {
      const file = join(folder, 'files', `${slug}-behind.gz`);
      expect(await now('workspaces', 'export', slug, '--out', file)).toMatchObject({ code: 0 });
    }
    await own.rows('alter table ws_two._teams drop column colour');
    const again = await later('migrate');
    expect(again).toMatchObject({ code: 0, out: 'migrated ws_two\nmigrated ws_three\n' });
    for (const slug of ['one', 'two', 'three']) {
      expect(await coloursOf(slug)).toEqual([['North', 'none']]);
    }
  } finally {
    await own.drop();
  }
});

/** All rows with the transaction that wrote each, and the structure of the schemas. */
async function wholeOf({ rows }: OwnDatabase): Promise<readonly unknown[]> {
  const ours = `relnamespace in (select oid from pg_namespace where nspname ~ '^(workspace_records|ws_)')`;
  const tables = await rows(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and ${ours}`,
  );
  const classes = await rows(
    `select relname, relkind, xmin::text, (select count(*) from pg_attribute a where a.attrelid = c.oid) as columns
      from pg_class c where ${ours} order by c.oid`,
  );
  const found: unknown[] = [...classes];
  for (const { name } of tables) {
    found.push(name, await rows(`select t.xmin::text, t::text as row from ${name} t order by 2`));
  }
  return found;
}

test('a database that a newer release has taken something from is refused and not changed', async () => {
  await made('one');
  const removal = `-- The description of teams is no longer used.
alter table {{workspace}}._teams drop column description;\n`;
  const file = '902-no-description-needs-901.sql';
  const newer = makeLaterRelease({ ...LATER_FILES, [`workspace/${file}`]: removal });
  try {
    expect(await newer.run(own.environment, 'migrate')).toMatchObject({ code: 0 });
    const before = await filesOf();
    for (const args of [['start', '--port', '0'], ['migrate'], ['migrate', '--status']]) {
      expect(await now(...args)).toEqual({
        ...{ code: 1, signal: null, out: '' },
        err: `The database was migrated by a newer release (${file}), and this one can no longer use it; nothing was changed. Use the newer release, or restore a backup.\n`,
      });
    }
    expect(await filesOf()).toEqual(before);
    expect(await newer.run(own.environment, 'workspaces', 'list')).toMatchObject({ code: 0 });
  } finally {
    newer.remove();
    await own.drop();
  }
});

test.skipIf(lacks('triggers'))(
  'a database of a version that was not published is refused and not changed',
  async () => {
    own = await createOwnDatabase();
    try {
      await restoreDump(own, join(ROOT, 'test', 'data', 'before-first-release.sql.gz'));
      const before = await wholeOf(own);
      expect(before.length).toBeGreaterThan(200);
      for (const args of [
        ['start', '--port', '0'],
        ['migrate'],
        ['workspaces', 'list'],
        ['workspaces', 'create', 'new'],
        ['workspaces', 'export', 'acme', '--out', join(folder, 'files', 'acme.gz')],
        ['keys', 'list', '--workspace', 'acme'],
      ]) {
        const { code, out, err } = await now(...args);
        expect([code, out]).toEqual([1, '']);
        expect(err).toMatch(
          /^The database was made by a version that was not published, .+ docs\/operations\.md.+\n$/,
        );
      }
      expect(await wholeOf(own)).toEqual(before);
    } finally {
      await own.drop();
    }
  },
);
