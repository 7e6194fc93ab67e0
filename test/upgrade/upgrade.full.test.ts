// Data of each release, made by scripts/make-upgrade-artefact.ts, in this one: its database is migrated and its file of a
// workspace restored, all rows and answers stay, and clients write while a later release migrates.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openFileStore } from '../../src/files/file-store.ts';
import { packageVersion } from '../../src/package-folder.ts';
import type { Row } from '../../src/postgres/db.ts';
import { CONTROL_SCHEMA } from '../../src/sql/sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { LATER_FILES, makeLaterRelease } from '../cli/later-release.ts';
import { sendBytes } from '../file-world.ts';
import { catalogOf, openSite, restored, type Site } from '../moved-workspace.ts';
import { createMigratedDatabase, lacks, type OwnDatabase } from '../own-database.ts';
import { restoreDump } from '../restored-dump.ts';

interface Artefact {
  readonly slug: string;
  /** Of an administrator, made for these tests. */
  readonly key: string;
  readonly answers: readonly { readonly path: string; readonly body: unknown }[];
}

type Tables = Readonly<Record<string, readonly Row[]>>;

const HOOK = 'https://hooks.upgrade.example/x';
const COMPANIES = '/objects/companies/records';
const versions = readdirSync(import.meta.dirname).flatMap(
  (name) => /^(.*)\.sql\.gz$/.exec(name)?.slice(1) ?? [],
);
const pathOf = (version: string, part: string) =>
  join(import.meta.dirname, `${version}.${part}.gz`);
const unpacked = (version: string, part: string) => gunzipSync(readFileSync(pathOf(version, part)));

/** All rows of a workspace; counts of words and positions of senders follow from others. */
async function rowsOf({ rows }: OwnDatabase, schema: string): Promise<Tables> {
  const tables = await rows(
    `select tablename as name from pg_tables where schemaname = $1
      and tablename not in ('_search_words', '_webhook_positions') order by 1`,
    [schema],
  );
  const found: Record<string, readonly Row[]> = {};
  for (const { name } of tables) {
    const all = await rows(`select to_jsonb(t) as row from "${schema}"."${name}" t`);
    found[String(name)] = all.map(({ row }) => row as Row);
  }
  return found;
}

/** The rows are still there, with these values in these columns. */
function expectKept(before: Tables, after: Tables): void {
  for (const [name, rows] of Object.entries(before)) {
    const columns = Object.keys(rows[0] ?? {});
    const kept = (after[name] ?? []).map((row) =>
      Object.fromEntries(columns.map((column) => [column, row[column]])),
    );
    expect(kept, name).toEqual(expect.arrayContaining([...rows]));
  }
}

/** Constraints that the rows of before are not checked for count as all others. */
async function shapeOf(own: OwnDatabase, schema: string): Promise<readonly string[]> {
  const lines = await catalogOf(own, schema);
  return lines.map((line) => line.replace(/ NOT VALID$/, ''));
}

async function expectAnswers(
  site: Site,
  { key, answers }: Artefact,
  changed: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const client = site.client(key);
  expect(answers.length).toBeGreaterThan(20);
  for (const { path, body } of answers) {
    const answer = await client.get(path);
    expect(answer.status, path).toBe(200);
    expect(answer.body, path).toMatchObject((changed[path] ?? body) as object);
  }
}

test('this release has data of its own', () => {
  expect(versions).toContain(packageVersion());
});

describe.each(versions)('of %s', (version) => {
  const artefact: Artefact = JSON.parse(unpacked(version, 'answers.json').toString('utf8'));
  const schema = `ws_${artefact.slug}`;

  // Triggers of a dump cannot be made on a cluster.
  describe.skipIf(lacks('triggers'))('the database', () => {
    let site: Site;
    let before: Tables;

    beforeAll(async () => {
      site = await openSite({}, async (own) => {
        await restoreDump(own, pathOf(version, 'sql'));
        before = await rowsOf(own, schema);
      });
    });
    afterAll(() => site?.close());

    test('has rows in the tables of records and of what is kept beside them', () => {
      const filled = Object.keys(before).filter((name) => before[name]?.length);
      expect(filled).toEqual(
        expect.arrayContaining([
          ...['companies', 'deals', 'samples', 'work_items', '_links', '_comments', '_history'],
          ...['_trash', '_status_requests', '_status_decisions', '_views', '_view_orders'],
          ...['_dashboards', '_webhooks', '_webhook_deliveries', '_files', '_notifications'],
          ...['_follows', '_notification_settings', '_audit', '_search', '_definitions'],
        ]),
      );
    });

    test('is migrated, with all rows and answers', async () => {
      expectKept(before, await rowsOf(site.own, schema));
      await expectAnswers(site, artefact);
    });

    test('has the shape of a new one', async () => {
      const fresh = await createMigratedDatabase();
      try {
        const [{ document } = {}] = await site.own.rows(
          `select patch as document from "${schema}"._definitions where in_force`,
        );
        await createWorkspace(fresh.db, { slug: artefact.slug, document: document as object });
        for (const name of [schema, CONTROL_SCHEMA]) {
          expect(await shapeOf(site.own, name), name).toEqual(await shapeOf(fresh, name));
        }
      } finally {
        await fresh.drop();
      }
    });

    test('keeps them, and what clients write, while a later release migrates it', async () => {
      const later = makeLaterRelease(LATER_FILES);
      const client = site.client(artefact.key);
      const run = { written: 0, isOver: false };
      const writing = (async () => {
        for (; !run.isOver; run.written += 1) {
          const fields = { name: `During ${run.written}` };
          expect((await client.post(COMPANIES, { fields })).status).toBe(201);
        }
      })();
      const reach = (count: number) =>
        vi.waitFor(() => expect(run.written).toBeGreaterThanOrEqual(count), 60_000);
      try {
        await reach(3);
        const { code, out, err } = await later.run(site.own.environment, 'migrate');
        expect([code, out, err]).toEqual([
          0,
          `migrated workspace_records\nmigrated ${schema}\n`,
          '',
        ]);
        await reach(run.written + 3);
      } finally {
        run.isOver = true;
        await writing;
        later.remove();
      }
      const after = await rowsOf(site.own, schema);
      expect(after._teams).toEqual(before._teams?.map((row) => ({ ...row, colour: 'none' })));
      expectKept(before, after);
      const during = after.companies?.filter(({ name }) => String(name).startsWith('During '));
      expect(during).toHaveLength(run.written);
    });
  });

  test.skipIf(lacks('triggers') || version !== '1.0.0-rc.1')(
    'abbreviations of time zones become names with the same offset',
    async () => {
      const query = {
        where: { field: 'created_at', op: 'gt', value: { relative: 'start_of_day' } },
        timezone: 'bst',
        filters: { name: { eq: 'says "timezone":"BST" himself' } },
      };
      const site = await openSite({}, async (own) => {
        await restoreDump(own, pathOf(version, 'sql'));
        await own.rows(
          `update "${schema}"._webhooks set timezone = 'BST', object_types = '{companies}', "where" = $1`,
          [JSON.stringify(query.where)],
        );
        await own.rows(`update "${schema}"._views set query = $1`, [JSON.stringify(query)]);
        await own.rows(`update "${schema}"._notification_settings set time_zone = 'IST'`);
      });
      try {
        const client = site.client(artefact.key);
        const rows = (table: string, column: string) =>
          site.own.rows(`select distinct ${column}::text as value from "${schema}".${table}`);
        expect(await rows('_webhooks', 'timezone')).toEqual([{ value: 'Etc/GMT-1' }]);
        expect(await rows('_notification_settings', 'time_zone')).toEqual([{ value: 'Etc/GMT-2' }]);
        const [{ value = '' } = {}] = await rows('_views', 'query');
        const stored = JSON.parse(String(value));
        expect(stored).toEqual({ ...query, timezone: 'Etc/GMT-1' });
        const webhooks = (await client.get('/webhooks')).body.data;
        expect(webhooks.length).toBeGreaterThan(0);
        for (const { id } of webhooks) {
          const changed = await client.patch(`/webhooks/${id}`, { payload: 'thin' });
          expect(changed.status, JSON.stringify(changed.body)).toBe(200);
        }
        const { where, timezone } = stored;
        const read = await client.post('/objects/companies/records/query', { where, timezone });
        expect(read.status, JSON.stringify(read.body)).toBe(200);
      } finally {
        await site.close();
      }
    },
  );

  describe('the file of a workspace', () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'upgrade-'));
    let site: Site;

    beforeAll(async () => {
      const settings = { DATA_DIRECTORY: dataDirectory };
      site = await openSite(settings);
      const store = openFileStore(readConfig(settings));
      const { keys } = await restored(site.own, unpacked(version, 'workspace'), { store });
      expect(keys).toEqual({ restored: 2, left_out: 0 });
    });
    afterAll(async () => {
      await site?.close();
      rmSync(dataDirectory, { recursive: true });
    });

    test('is restored, with all answers but the state of webhooks', () =>
      expectAnswers(site, artefact, {
        '/webhooks': { data: [{ url: HOOK, events: ['record.*'], state: 'paused' }] },
      }));

    test('is restored with the bytes of its files', async () => {
      const text = `select record_id, id from "${schema}"._files`;
      const [{ record_id, id } = {}] = await site.own.rowsNear(schema, text);
      const path = `/v1/objects/deals/records/${record_id}/files/papers/${id}`;
      const sent = { port: site.port, method: 'GET', path, secret: artefact.key, headers: {} };
      const { status, bytes } = await sendBytes(sent);
      expect([status, bytes.toString()]).toEqual([200, 'A paper.']);
    });
  });
});
