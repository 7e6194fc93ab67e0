// For the tests of whole workspaces: servers over databases of their own, a workspace with something of
// everything, and digests by which a workspace is known again wherever it is.

import { pino } from 'pino';
import { expect } from 'vitest';
import { createKey } from '../src/cli/commands/keys.ts';
import { assembleService } from '../src/cli/service/assemble.ts';
import { readConfig } from '../src/config.ts';
import { findWorkspace, type WorkspaceRow } from '../src/control/workspace/workspaces.ts';
import type { FileStore } from '../src/files/stored-bytes.ts';
import { mergePatch } from '../src/model/definition/definition.ts';
import { SCOPES } from '../src/model/rights/access.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { migrate } from '../src/workspaces/migrations.ts';
import { type Exported, exportWorkspace } from '../src/workspaces/workspace-export.ts';
import { type Restored, restoreWorkspace } from '../src/workspaces/workspace-restore.ts';
import { FLEET } from './api/fleet.ts';
import { type Client, openClient } from './client.ts';
import { NO_FILES } from './no-files.ts';
import { createOwnDatabase, type OwnDatabase } from './own-database.ts';

export interface Site {
  readonly own: OwnDatabase;
  readonly port: number;
  client(secret: string): Client;
  /** A key of `ada@acme.example`, or of somebody else. */
  key(slug: string, email?: string): Promise<string>;
  close(): Promise<void>;
}

/** A migrated database with a service over it; `prepare` comes before the migration. */
export async function openSite(
  settings: Readonly<Record<string, string>> = {},
  prepare: (own: OwnDatabase) => Promise<void> = async () => undefined,
): Promise<Site> {
  const own = await createOwnDatabase();
  await prepare(own);
  await migrate(own.db);
  const config = readConfig({ REQUESTS_PER_MINUTE: '1000000', ...settings });
  const logger = pino({ level: 'silent' });
  const server = await assembleService({ ...own, config, logger });
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    own,
    port,
    client: (secret) => openClient({ port, secret }),
    async key(slug, email = 'ada@acme.example') {
      const workspace = await workspaceOf(own, slug);
      const settings = { scopes: SCOPES, requests_per_minute: null, expires: null } as const;
      const request = { workspace, email, name: 'test', type: undefined, ...settings };
      return (await createKey(own.db, request)).secret;
    },
    async close() {
      await server.close();
      await own.drop();
    },
  };
}

export async function workspaceOf({ db }: OwnDatabase, slug: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(db, slug);
  if (workspace === undefined) throw new Error(`there is no ${slug}`);
  return workspace;
}

/** Texts that have broken formats before. */
export const HOSTILE: readonly string[] = [
  '😀 family 👨‍👩‍👧, e\u0301 and \u00e9',
  'line\u2028and\u2029paragraph',
  '\\. \\N \\n \\\\',
  '\\.',
  `quotes " ' \` and ; drop table x; --`,
  'tab\there, line\nand return\r\nhere',
  '{"not": "json"}',
  '\u0001\u001f\u007f\ufeff\ufffd',
  'عربى ‏and עברית',
  '{NULL,"NULL"}',
];

const FIELDS = {
  p_number: 123456789.012345,
  p_percent: 0.1,
  p_integer: -2147483648,
  p_boolean: false,
  p_date: '0001-01-01',
  p_datetime: '9999-12-31T23:59:59.999Z',
  p_multi_select: ['red', 'green'],
  p_json: { a: [null, 1.5, 'x\u2028', {}, []], '': null, 'k"\\': true },
};

const half = { type: 'formula', expression: 'p_number / 2', result_type: 'number' };
/** The definition of the workspace: FLEET with a computed field. */
export const COMPUTING = mergePatch(FLEET, {
  objects: { gauges: { fields: { half } } },
}) as typeof FLEET;

/** A workspace of FLEET with records, links, comments, notifications and work items. */
export async function fillWorkspace(site: Site, slug: string): Promise<Client> {
  await createWorkspace(site.own.db, { slug, document: COMPUTING });
  const ada = site.client(await site.key(slug));
  const make = async (object: string, fields: object): Promise<string> => {
    const { status, body } = await ada.post(`/objects/${object}/records`, { fields });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data.id;
  };
  for (const text of HOSTILE) {
    const custom_fields = { j_long_text: text, j_json: [null, text, { [text]: null }] };
    await make('gauges', { ...FIELDS, label: text, p_long_text: text, custom_fields });
  }
  await make('gauges', { label: '', custom_fields: { j_number: 0.1, j_json: [] } });
  const [one, two] = [
    await make('companies', { name: 'One' }),
    await make('companies', { name: 'Two' }),
  ];
  const deal = await make('deals', { name: 'Deal', company_id: one, amount: 1.25, code: 'C-1' });
  const other = await make('deals', { name: 'Other', related_id: deal, tags: ['new'] });
  await ada.patch(`/objects/deals/records/${deal}`, { fields: { related_id: other } });
  const link = `/objects/companies/records/${one}/relationships/link.friends`;
  expect((await ada.post(link, { target_id: two })).status).toBe(200);
  const task = await make('work_items', { title: 'Task', work_item_type_id: 'task' });
  await make('work_items', {
    title: 'Child',
    work_item_type_id: 'task',
    parent_work_item_id: task,
  });
  const mention_user_ids = [(await ada.get('/me')).body.data.user.id];
  const comment = { body: `Look\n${HOSTILE.join('\n')}`, mention_user_ids };
  expect((await ada.post(`/objects/deals/records/${deal}/comments`, comment)).status).toBe(201);
  await ada.delete(`/objects/deals/records/${await make('deals', { name: 'Gone' })}`);
  return ada;
}

/** The file of a workspace, unpacked. */
export async function exported(
  { db }: OwnDatabase,
  slug: string,
  options: {
    readonly withoutKeys?: boolean;
    readonly store?: FileStore;
    readonly between?: () => Promise<unknown>;
  } = {},
): Promise<{ readonly file: Buffer; readonly report: Exported }> {
  const { withoutKeys = false, store = NO_FILES, between } = options;
  const workspace = await workspaceOf({ db } as OwnDatabase, slug);
  const pieces: Buffer[] = [];
  const report = await exportWorkspace(
    db,
    workspace,
    { release: '1.2.3', withoutKeys, store },
    async (all) => {
      for await (const piece of all) {
        pieces.push(piece);
        if (pieces.length === 1) await between?.();
      }
    },
  );
  return { file: Buffer.concat(pieces), report };
}

/** Restore from pieces of an awkward size. */
export function restored(
  { db }: OwnDatabase,
  file: Buffer,
  options: {
    readonly slug?: string;
    readonly withoutKeys?: boolean;
    readonly store?: FileStore;
    readonly size?: number;
  } = {},
): Promise<Restored> {
  const { slug, withoutKeys = false, store = NO_FILES, size = 1009 } = options;
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
  }
  return restoreWorkspace(db, pieces(), { slug, release: '1.2.3', withoutKeys, store });
}

/**
 * Every table of a schema with a digest of its rows. Numbers of transactions and stored answers belong
 * to the server and stay out.
 */
export async function tableDigests(
  { rows }: OwnDatabase,
  schema: string,
): Promise<Readonly<Record<string, unknown>>> {
  const tables = await rows(
    `select tablename as name from pg_tables where schemaname = $1 and tablename <> '_idempotency'
      order by 1`,
    [schema],
  );
  const digests: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await rows(
      `select count(*) as rows, md5(string_agg(r, ',' order by r)) as digest
        from (select (to_jsonb(t) - 'transaction')::text as r from "${schema}"."${name}" t) x`,
    );
    digests[String(name)] = row;
  }
  return digests;
}

/** The structure of the schema, except its name; columns by name. */
export async function catalogOf({ rows }: OwnDatabase, schema: string): Promise<readonly string[]> {
  const lines = await rows(
    `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' '
        || a.attnotnull || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace = to_regnamespace($2) and c.relkind = 'r' and a.attnum > 0
        and not a.attisdropped
    union all select indexdef from pg_indexes where schemaname = $1
    union all select c.relname || ' ' || a.attnum || ' ' || a.attstattarget
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = to_regnamespace($2) and c.relkind = 'i' and a.attstattarget >= 0
    union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = to_regnamespace($2) and contype <> 'n'
    union all select pg_get_triggerdef(oid) from pg_trigger
      where tgrelid in (select oid from pg_class where relnamespace = to_regnamespace($2))
        and not tgisinternal
    union all select 'sequence ' || sequencename from pg_sequences where schemaname = $1
    order by 1`,
    [schema, `"${schema}"`],
  );
  return lines.map(({ line }) => String(line).replaceAll(new RegExp(`"?${schema}"?\\.`, 'g'), ''));
}

/** Everything a server has outside of the schema of one workspace. */
export async function restOfServer(own: OwnDatabase, but: string): Promise<unknown> {
  const schemas = await own.rows(
    `select nspname as name from pg_namespace where nspname like 'ws\\_%' and nspname <> $1 order by 1`,
    [but],
  );
  const digests = [];
  for (const { name } of schemas) digests.push([name, await tableDigests(own, String(name))]);
  const control = await own.rows(
    `select w.*, (select json_agg(k order by k.id) from workspace_records.api_keys k
        where k.workspace_id = w.id) as keys,
      (select json_agg(m order by m.file) from workspace_records.migrations m
        where m.schema_name = w.schema_name) as files
      from workspace_records.workspaces w where w.schema_name <> $1 order by w.id`,
    [but],
  );
  return [digests, JSON.stringify(control)];
}
