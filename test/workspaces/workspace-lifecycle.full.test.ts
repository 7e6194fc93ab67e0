// Renaming and deleting a workspace under a running service: it follows within a second, no client gets an answer of
// another workspace or an internal error, and the others stay as they are.

import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import {
  deleteWorkspace,
  loadSizes,
  renameWorkspace,
} from '../../src/workspaces/workspace-lifecycle.ts';
import {
  openSite,
  restOfServer,
  type Site,
  tableDigests,
  workspaceOf,
} from '../moved-workspace.ts';
import { NO_FILES } from '../no-files.ts';
import { until } from '../until.ts';

let site: Site;

const DOCUMENT = {
  users: { 'ada@acme.example': { name: 'Ada', roles: ['admin'] } },
} as const;

beforeAll(async () => {
  site = await openSite({ BASE_DOMAIN: 'example.test' });
});

afterAll(() => site?.close());

interface Opened {
  readonly secret: string;
  readonly mark: string;
}

/** A workspace with one company, by whose name its answers are known. */
async function open(slug: string): Promise<Opened> {
  await createWorkspace(site.own.db, { slug, document: DOCUMENT });
  const secret = await site.key(slug);
  const mark = `Company of ${slug}`;
  const fields = { name: mark };
  const answer = await site.client(secret).post('/objects/companies/records', { fields });
  expect(answer.status).toBe(201);
  return { secret, mark };
}

interface Heard {
  readonly status: number;
  readonly text: string;
}

const COMPANIES = '/v1/objects/companies/records';

/** With a body it is a POST. */
function ask(
  secret: string,
  host: string,
  { path = COMPANIES, body }: { readonly path?: string; readonly body?: object } = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${secret}`, host, ...(body && type) };
    const method = body === undefined ? 'GET' : 'POST';
    const to = { port: site.port, host: '127.0.0.1', path, method, headers };
    const asked = request(to, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on('error', reject).end(body && JSON.stringify(body));
  });
}

/** Send requests without a pause while `work` runs and until `last` milliseconds after it. */
async function askThroughout(
  secret: string,
  work: () => Promise<unknown>,
  last: number,
): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  const run = { isOver: false };
  const asking = [0, 1, 2].map(async () => {
    while (!run.isOver) heard.push(await ask(secret, 'localhost'));
  });
  await work();
  await sleep(last);
  run.isOver = true;
  await Promise.all(asking);
  return heard;
}

const statusesOf = (heard: readonly Heard[]) => new Set(heard.map(({ status }) => status));

test('a renamed workspace has another host, and all else continues', async () => {
  const { own } = site;
  const { secret, mark } = await open('old-name');
  const first = await ask(secret, 'old-name.example.test');
  expect(first.status).toBe(200);
  const before = await restOfServer(own, 'ws_old-name');
  const { _definitions: _, ...digests } = await tableDigests(own, 'ws_old-name');
  const heard = await askThroughout(
    secret,
    () => renameWorkspace(own.db, 'old-name', { slug: 'new-name', name: 'New' }),
    1000,
  );
  expect(statusesOf(heard)).toEqual(new Set([200]));
  expect(heard.every(({ text }) => text.includes(mark))).toBe(true);
  expect((await ask(secret, 'new-name.example.test')).text).toContain(mark);
  const late = await ask(secret, 'old-name.example.test');
  expect([late.status, JSON.parse(late.text).error.code]).toEqual([403, 'tenant_host_mismatch']);
  expect(
    JSON.parse((await ask(secret, 'localhost', { path: '/v1/me' })).text).data.workspace,
  ).toMatchObject({
    slug: 'new-name',
    name: 'New',
  });
  expect(await restOfServer(own, 'ws_old-name')).toEqual(before);
  expect(await tableDigests(own, 'ws_old-name')).toMatchObject(digests);
  expect(await workspaceOf(own, 'new-name')).toMatchObject({ schema: 'ws_old-name', revision: 2 });
});

test('the old slug is free, and a new workspace with it has a schema of its own', async () => {
  const { secret, mark } = await open('old-name');
  expect(await workspaceOf(site.own, 'old-name')).toMatchObject({ schema: 'ws_old-name_2' });
  const { status, text } = await ask(secret, 'old-name.example.test');
  expect([status, JSON.parse(text).data.length]).toEqual([200, 1]);
  expect(text).toContain(mark);
});

test('writes of the moment a workspace is renamed in are done or can be sent again', async () => {
  const { own } = site;
  const { secret } = await open('busy');
  const statuses: number[] = [];
  const run = { isOver: false };
  const writing = (async () => {
    while (!run.isOver) {
      const body = { fields: { name: `Written ${statuses.length}` } };
      statuses.push((await ask(secret, 'localhost', { body })).status);
    }
  })();
  for (const slug of ['busy-1', 'busy-2', 'busy-3']) {
    const [{ slug: from } = {}] = await own.rows(
      `select slug from workspace_records.workspaces where schema_name = 'ws_busy'`,
    );
    await renameWorkspace(own.db, String(from), { slug });
  }
  run.isOver = true;
  await writing;
  expect([201, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
  const created = statuses.filter((status) => status === 201).length;
  const [{ rows } = {}] = await own.rows(
    `select count(*) as rows from ws_busy.companies where name like 'Written %'`,
  );
  expect(rows).toBe(created);
});

test.each([
  [
    'a slug that is taken',
    'busy-3',
    { slug: 'old-name' },
    'The workspace "old-name" already exists.',
  ],
  ['a slug that is none', 'busy-3', { slug: 'Busy!' }, '"Busy!" cannot be a workspace'],
  ['a workspace that is none', 'nowhere', { slug: 'x' }, 'There is no workspace "nowhere"'],
])('%s: not renamed', async (_, slug, names, message) => {
  const before = await restOfServer(site.own, '');
  await expect(renameWorkspace(site.own.db, slug, names)).rejects.toThrow(message);
  expect(await restOfServer(site.own, '')).toEqual(before);
});

test('a name that the definition gives is changed there', async () => {
  const document = { ...DOCUMENT, name: 'Written down' };
  await createWorkspace(site.own.db, { slug: 'named', document });
  await expect(renameWorkspace(site.own.db, 'named', { name: 'Else' })).rejects.toThrow(
    'The name of "named" is in its definition document: change it there and apply it.',
  );
  await renameWorkspace(site.own.db, 'named', { slug: 'named-2' });
  expect(await workspaceOf(site.own, 'named-2')).toMatchObject({ name: 'Written down' });
});

test('a deleted workspace is gone within a second, and its successor is another one', async () => {
  const { own } = site;
  const { secret, mark } = await open('doomed');
  const survivor = await open('survivor');
  await site.key('doomed');
  await ask(survivor.secret, 'localhost');
  const doomed = await workspaceOf(own, 'doomed');
  const before = await restOfServer(own, 'ws_doomed');
  const [heard] = await Promise.all([
    askThroughout(secret, () => deleteWorkspace(own.db, doomed, { store: NO_FILES }), 0),
    sleep(1200).then(async () => {
      // The rows are there still, for requests that were let in before.
      expect((await ask(secret, 'localhost')).status).toBe(401);
    }),
  ]);
  expect([200, 401]).toEqual(expect.arrayContaining([...statusesOf(heard)]));
  const answers = heard.filter(({ status }) => status === 200);
  expect(answers.every(({ text }) => text.includes(mark))).toBe(true);
  expect(await own.rows(`select to_regnamespace('ws_doomed')::text as schema`)).toEqual([
    { schema: null },
  ]);
  const left = await own.rows(
    `select (select count(*) from workspace_records.workspaces where id = $1) as workspaces,
      (select count(*) from workspace_records.api_keys where workspace_id = $1) as keys,
      (select count(*) from workspace_records.rate_windows r where not exists (
        select from workspace_records.api_keys k where k.id = r.principal_id)) as windows`,
    [doomed.id],
  );
  expect(left).toEqual([{ workspaces: 0, keys: 0, windows: 0 }]);
  expect(await restOfServer(own, 'ws_doomed')).toEqual(before);
  expect((await ask(survivor.secret, 'localhost')).text).toContain(survivor.mark);
  await open('doomed');
  const successor = await workspaceOf(own, 'doomed');
  expect(successor.schema).toBe('ws_doomed_2');
  expect(successor.id).toBeGreaterThan(doomed.id);
  expect((await ask(secret, 'localhost')).status).toBe(401);
});

test('a workspace whose tables are in use for too long can be deleted again', async () => {
  const { own } = site;
  const { secret } = await open('held');
  const held = await workspaceOf(own, 'held');
  let release: () => void = () => undefined;
  const holding = own.db.transaction(async (tx) => {
    await tx.query({ text: 'lock table "ws_held".companies in row share mode', values: [] });
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  const impatient = { farewell: 0, patience: 200 };
  const error = await deleteWorkspace(own.db, held, { ...impatient, store: NO_FILES }).catch(
    (caught: Error) => caught,
  );
  release();
  await holding;
  expect((error as Error).message).toBe(
    'The tables of "held" are in use for too long, by an import or a backup. Its keys have ended; delete it again.',
  );
  expect((await ask(secret, 'localhost')).status).toBe(401);
  expect(await tableDigests(own, 'ws_held')).toMatchObject({ companies: { rows: 1 } });
  await deleteWorkspace(own.db, held, { store: NO_FILES, farewell: 0 });
  await expect(workspaceOf(own, 'held')).rejects.toThrow('there is no held');
});

test('a workspace that was renamed meanwhile is not deleted', async () => {
  const { own } = site;
  await open('meant');
  const meant = await workspaceOf(own, 'meant');
  const keysOf = () =>
    own.rows('select id from workspace_records.api_keys where workspace_id = $1', [meant.id]);
  const keys = await keysOf();
  expect(keys).toHaveLength(1);
  await renameWorkspace(own.db, 'meant', { slug: 'not-meant' });
  await expect(deleteWorkspace(own.db, meant, { store: NO_FILES, farewell: 0 })).rejects.toThrow(
    'The workspace "meant" has just been deleted or renamed.',
  );
  expect(await tableDigests(own, 'ws_meant')).toMatchObject({ companies: { rows: 1 } });
  expect(await keysOf()).toEqual(keys);
});

test('sizes are near to the truth', async () => {
  const { own } = site;
  await open('sized');
  const bytesOf = async () => Number((await loadSizes(own.db)).get('ws_sized')?.bytes);
  const empty = await bytesOf();
  await own.rows(`insert into ws_sized.companies (id, name, created_by_user_id)
    select gen_random_uuid(), 'Company ' || n, 1 from generate_series(1, 999) n`);
  // The size of a table without statistics is read from the file system.
  await until(async () => (await bytesOf()) > empty + 100_000);
  await own.rows('analyze ws_sized.companies');
  const size = (await loadSizes(own.db)).get('ws_sized');
  expect(size?.records).toBeGreaterThan(900);
  expect(size?.records).toBeLessThan(1100);
  expect(size?.bytes).toBeGreaterThan(empty + 100_000);
});
