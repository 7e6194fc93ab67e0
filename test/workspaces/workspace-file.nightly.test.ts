// A whole workspace to a file and back, into another server and next to the old one: everything is the same but the
// parts that belong to the server, others do not notice, and half a file makes no workspace.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import type { Client } from '../client.ts';
import {
  catalogOf,
  exported,
  fillWorkspace,
  HOSTILE,
  openSite,
  restOfServer,
  restored,
  type Site,
  tableDigests,
  workspaceOf,
} from '../moved-workspace.ts';

let here: Site;
let there: Site;
let ada: Client;
let file: Buffer;

beforeAll(async () => {
  [here, there] = await Promise.all([openSite(), openSite()]);
  ada = await fillWorkspace(here, 'acme');
  await createWorkspace(here.own.db, { slug: 'other', document: { name: 'Other' } });
  // Ids of workspaces differ between the servers.
  for (const slug of ['other', 'third']) await createWorkspace(there.own.db, { slug });
  ({ file } = await exported(here.own, 'acme'));
});

afterAll(() => Promise.all([here?.close(), there?.close()]));

const PATHS = [
  '/objects',
  '/objects/gauges',
  '/objects/gauges/records?limit=100&sort=label',
  '/objects/deals/records?limit=100',
  '/objects/companies/records',
  '/objects/work_items/records?sort=public_id',
  '/users',
  '/teams',
  '/notifications',
];

/** Answers but for what belongs to the server. */
async function answersOf(client: Client): Promise<readonly unknown[]> {
  const answers = [];
  for (const path of PATHS) {
    const { status, body } = await client.get(path);
    expect(status, path).toBe(200);
    answers.push(body);
  }
  for (const text of HOSTILE.slice(0, 3)) {
    const { status, body } = await client.get(`/search?q=${encodeURIComponent(text.slice(0, 12))}`);
    expect([status, body.data.length > 0]).toEqual([200, true]);
    answers.push(body);
  }
  for (const { id } of (await client.get('/objects/deals/records')).body.data) {
    answers.push((await client.get(`/objects/deals/records/${id}/comments`)).body);
    answers.push((await client.get(`/objects/deals/records/${id}`)).body);
  }
  return answers;
}

describe('into another server', () => {
  let moved: Client;

  beforeAll(async () => {
    const before = await restOfServer(there.own, 'ws_acme');
    const report = await restored(there.own, file);
    expect(report).toMatchObject({ keys: { restored: 1, left_out: 0 }, workspace: { id: 3 } });
    expect(await restOfServer(there.own, 'ws_acme')).toEqual(before);
    moved = there.client(ada.secret);
  });

  test('every table, index and constraint is the same', async () => {
    const digests = await tableDigests(here.own, 'ws_acme');
    expect(Object.keys(digests).length).toBeGreaterThan(15);
    expect(digests._comments).toMatchObject({ rows: 1 });
    expect(digests._notifications).toMatchObject({ rows: 1 });
    expect(digests._links).toMatchObject({ rows: 2 });
    expect(await tableDigests(there.own, 'ws_acme')).toEqual(digests);
    expect(await catalogOf(there.own, 'ws_acme')).toEqual(await catalogOf(here.own, 'ws_acme'));
  });

  test('the key works, and answers are the same', async () => {
    expect(await answersOf(moved)).toEqual(await answersOf(ada));
    const [{ workspace, ...me }, { workspace: _, ...own }] = [
      (await moved.get('/me')).body.data,
      (await ada.get('/me')).body.data,
    ];
    expect(me).toEqual(own);
    expect(workspace.id).toBe(3);
  });

  test('no row is news on this server', async () => {
    const text = `select distinct transaction::text from ws_acme._audit`;
    expect(await there.own.rows(text)).toEqual([{ transaction: '0' }]);
    expect((await here.own.rows(text)).length).toBeGreaterThan(10);
    const fields = { name: 'New' };
    expect((await moved.post('/objects/companies/records', { fields })).status).toBe(201);
    const [{ told } = {}] = await there.own.rows(
      `select count(*) as told from ws_acme._audit where transaction > '0'`,
    );
    expect(told).toBe(1);
  });

  test('numbers continue', async () => {
    const fields = { title: 'Next', work_item_type_id: 'task' };
    const numbers = [];
    for (const client of [ada, moved]) {
      numbers.push(
        (await client.post('/objects/work_items/records', { fields })).body.data.public_id,
      );
    }
    expect(numbers).toEqual(['TASK-3', 'TASK-3']);
    const next = `insert into ws_acme._users (email) values ('new@acme.example') returning id`;
    expect(await there.own.rows(next)).toEqual(await here.own.rows(next));
    await here.own.rows(`delete from ws_acme._users where email = 'new@acme.example'`);
  });

  test('a cursor of the old server begins again', async () => {
    const { body } = await ada.get('/objects/gauges/records?limit=1');
    const path = `/objects/gauges/records?limit=1&cursor=${body.pagination.next_cursor}`;
    expect((await ada.get(path)).status).toBe(200);
    expect((await moved.get(path)).body.error.code).toBe('invalid_cursor');
  });
});

describe('next to the old one', () => {
  test('under another slug, without the keys that are here', async () => {
    const now = (await exported(here.own, 'acme')).file;
    const before = await restOfServer(here.own, 'ws_acme-2');
    const { workspace, keys } = await restored(here.own, now, { slug: 'acme-2', size: 70_001 });
    expect(workspace).toMatchObject({ slug: 'acme-2', schema: 'ws_acme-2', state: 'ready' });
    expect(keys).toEqual({ restored: 0, left_out: 1 });
    expect(await restOfServer(here.own, 'ws_acme-2')).toEqual(before);
    const digests = await tableDigests(here.own, 'ws_acme');
    expect(await tableDigests(here.own, 'ws_acme-2')).toEqual(digests);
    const [old, copy] = [
      await workspaceOf(here.own, 'acme'),
      await workspaceOf(here.own, 'acme-2'),
    ];
    expect(copy.cursor_secret).not.toEqual(old.cursor_secret);
    const twin = here.client(await here.key('acme-2'));
    // Of links into the application the workspace is a part.
    const answers = JSON.stringify(await answersOf(twin)).replaceAll('/app/acme-2/', '/app/acme/');
    expect(JSON.parse(answers)).toEqual(await answersOf(ada));
  });

  test('keys can be left out on either side', async () => {
    const without = await exported(here.own, 'acme', { withoutKeys: true });
    expect(without.report.api_keys).toBe(0);
    expect(without.file.toString()).not.toContain('secret_hash');
    const options = { slug: 'keyless', withoutKeys: true };
    expect((await restored(there.own, file, options)).keys).toEqual({ restored: 0, left_out: 0 });
  });
});

test('a file is one moment: rows that are written together are in it together', async () => {
  const pair = async (number: number) => {
    const operations = ['a', 'b'].map((half) => ({
      action: 'create',
      fields: { name: `Pair ${number} ${half}` },
    }));
    expect((await ada.post('/objects/companies/records/batch', { operations })).status).toBe(200);
  };
  const run = { pairs: 0, isOver: false };
  const writing = (async () => {
    for (; !run.isOver; run.pairs += 1) await pair(run.pairs);
  })();
  const reach = (count: number) =>
    vi.waitFor(() => expect(run.pairs).toBeGreaterThanOrEqual(count), 60_000);
  await reach(3);
  const between = () => reach(run.pairs + 5);
  const { file: moment } = await exported(here.own, 'acme', { between });
  run.isOver = true;
  await writing;
  await restored(here.own, moment, { slug: 'moment' });
  const halves = `select split_part(name, ' ', 2) as number, count(*) as halves
    from "ws_moment".companies where name like 'Pair %' group by 1`;
  const found = await here.own.rows(halves);
  expect(found.length).toBeGreaterThanOrEqual(3);
  expect(found.length).toBeLessThan(run.pairs);
  expect(found.every((row) => row.halves === 2)).toBe(true);
  const audited = await here.own.rows(
    `select c.id from "ws_moment".companies c
      left join "ws_moment"._audit a on a.record_id = c.id where a.id is null`,
  );
  expect(audited).toEqual([]);
});

/** The file with another header, and an end that fits. */
function rewritten(change: (lines: string[]) => void): Buffer {
  const lines = file.toString().split('\n').slice(0, -2);
  change(lines);
  const body = Buffer.from(`${lines.join('\n')}\n`);
  const { rows } = JSON.parse(file.toString().trimEnd().split('\n').at(-1) as string).end;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return Buffer.concat([body, Buffer.from(`${JSON.stringify({ end: { rows, sha256 } })}\n`)]);
}

const inHeader = (words: object | ((header: { tables: object[] }) => object)) =>
  rewritten((lines) => {
    const header = JSON.parse(lines[0] as string);
    const changed = typeof words === 'function' ? words(header) : words;
    lines[0] = JSON.stringify({ ...header, ...changed });
  });

const replaced = (from: string | RegExp, to: string) =>
  rewritten((lines) => {
    const text = lines.join('\n');
    expect(text).toMatch(from);
    lines.splice(0, lines.length, ...text.replace(from, to).split('\n'));
  });

const DAMAGED = 'The file is damaged or cut off; nothing was restored.';

const BAD: Readonly<Record<string, readonly [file: () => Buffer, message: RegExp | string]>> = {
  'a file of something else': [
    () => Buffer.from('{"a":1}\n'),
    /^The file is not an export of a work/,
  ],
  'no JSON': [() => Buffer.from('PGDMP\n'), 'The file is not an export of a workspace.'],
  'an empty file': [() => Buffer.alloc(0), DAMAGED],
  'a later format': [
    () => inHeader({ version: 3 }),
    'The file has version 3 of the format; this release reads 1 and 2.',
  ],
  'no format yet': [() => inHeader({ version: 0 }), /^The file has version 0 of the format; this/],
  'a later release': [
    () => inHeader({ release: '9.0.0', migrations: ['001-service-tables.sql', '990-later.sql'] }),
    'The file was written by another version (9.0.0) that this one (1.2.3) does not know. Restore it with that one.',
  ],
  'a header without tables': [() => inHeader({ tables: 7 }), DAMAGED],
  'half a header': [() => file.subarray(0, 300), DAMAGED],
  'half the rows': [() => file.subarray(0, file.length / 2), DAMAGED],
  'no end': [() => file.subarray(0, file.lastIndexOf('{"end"')), DAMAGED],
  'half an end': [() => file.subarray(0, file.length - 9), DAMAGED],
  'more behind the end': [() => Buffer.concat([file, Buffer.from('\n')]), DAMAGED],
  'another value': [() => Buffer.from(file.toString().replace('Deal', 'Dead')), DAMAGED],
  'a value of another type': [
    () => replaced('\tC-1\t', '\tC-1\tx\t'),
    /^The file cannot be restored: extra data after last expected column/,
  ],
  'a broken reference': [
    () => replaced(/(\tOther\t.*?)[0-9a-f]{12}(\t|\n)/, '$1000000000000$2'),
    /^The file cannot be restored: .*violates foreign key/,
  ],
  'a table that is not known': [
    () => replaced('"name":"gauges"', '"name":"pg_class"'),
    /^The file does not fit this release: it lacks the table gauges\. Nothing was restored\.$/,
  ],
  'a column that is not known': [
    () => replaced('"columns":["id","email"', '"columns":["id","e-mail"'),
    /^The file does not fit this release: its table _users has a column e-mail/,
  ],
  'a column less': [
    () => replaced(',"public_id"', ''),
    'The file does not fit this release: its table work_items lacks the column public_id. Nothing was restored.',
  ],
  'numbers of transactions': [
    () => replaced(/(\{"table":"_audit"\}\n(?:[^\t]*\t){12})0\t/, '$17000000\t'),
    'The file does not fit this release: its table _audit has numbers of transactions. Nothing was restored.',
  ],
};

describe('no workspace is left of', () => {
  let before: unknown;

  beforeAll(async () => {
    before = await restOfServer(there.own, '');
  });

  afterAll(async () => expect(await restOfServer(there.own, '')).toEqual(before));

  test.each(Object.entries(BAD))('%s', async (_, [make, message]) => {
    const { own } = there;
    const before = await controlOf(own);
    const error: unknown = await restored(own, make(), { slug: 'bad' }).catch((caught) => caught);
    expect(error).toBeInstanceOf(Error);
    const { message: told } = error as Error;
    expect(told).toMatch(message);
    expect(told).not.toContain('\n');
    expect(await controlOf(own)).toEqual(before);
  });

  test('a slug that is taken, or none', async () => {
    await expect(restored(there.own, file)).rejects.toThrow(
      'The workspace "acme" already exists; --slug <name> restores it under another slug.',
    );
    await expect(restored(there.own, file, { slug: 'A b' })).rejects.toThrow(
      'cannot be a workspace',
    );
  });
});

/** All rows that servers share, and which schemas there are. */
async function controlOf({ rows }: Site['own']): Promise<unknown> {
  return [
    await rows('select * from workspace_records.workspaces order by id'),
    await rows('select * from workspace_records.api_keys order by id'),
    await rows('select * from workspace_records.migrations order by 1, 2'),
    await rows('select nspname from pg_namespace order by 1'),
  ];
}

test('additions of an operator stay out of the file, which lists them', async () => {
  const { own } = here;
  await restored(own, file, { slug: 'added' });
  await own.rows('alter table ws_added.deals add column remark text');
  await own.rows('create table ws_added.scratch (id integer)');
  const { file: clean, report } = await exported(own, 'added');
  expect(report.foreign).toEqual(['deals.remark', 'scratch']);
  await restored(own, clean, { slug: 'clean' });
  const { scratch: _, deals, ...digests } = await tableDigests(own, 'ws_added');
  expect(await tableDigests(own, 'ws_clean')).toMatchObject(digests);
  expect(deals).toMatchObject({ rows: 2 });
});

test('the settings of a server do not matter', async () => {
  const [{ name } = {}] = await there.own.rows('select current_database() as name');
  for (const setting of [
    `DateStyle = 'German, DMY'`,
    `TimeZone = 'Asia/Kolkata'`,
    `bytea_output = 'escape'`,
    `extra_float_digits = '-5'`,
  ]) {
    await there.own.rows(`alter database "${name}" set ${setting}`);
  }
  await there.own.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = $1 and pid <> pg_backend_pid()`,
    [name],
  );
  const options = { slug: 'abroad', withoutKeys: true };
  await restored(there.own, file, options);
  const { file: again } = await exported(there.own, 'abroad');
  const back = await restored(here.own, again, { slug: 'back' });
  expect(back.rows).toBe((await restored(here.own, file, { slug: 'straight' })).rows);
  const digests = await tableDigests(here.own, 'ws_straight');
  expect(await tableDigests(here.own, 'ws_back')).toEqual(digests);
});
