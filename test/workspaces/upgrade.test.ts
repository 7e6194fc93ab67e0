// An upgrade with the data of an older release: the database as revision 35028c0 of 2026-11-22 05:44 had left it, the last one
// of that morning before the work on what was found that day was merged (ten of the migrations of a workspace that there are
// now), dumped by pg_dump 15. It is migrated as `start` does, and answers as that release had answered.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleService } from '../../src/cli/assemble.ts';
import { createKey } from '../../src/cli/keys.ts';
import { readConfig } from '../../src/config.ts';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspaces.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { checkServer, loadBehind, migrate } from '../../src/workspaces/migrations.ts';
import { type Client, openClient, refusalOf } from '../client.ts';
import { openEvents } from '../event-client.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

/** Made by that release for this test. */
const KEYS = {
  ada: 'wrs_p_XU0MriA3dAeaNw8UqYIBuaB5WUNSsqB013knyO',
  rob: 'wrs_p_ea6AzZJPo7S6ccIPng4lOeXJM6c6XbOk4JhE8l',
  bot: 'wrs_o_NNWEyH2BL56YHYuopJSdKXtGuWWOLc7z25UgzR',
} as const;

type Person = keyof typeof KEYS;

interface Asked {
  readonly as: Person;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly answer: object;
}

interface Recorded {
  /** Ids of two records. */
  readonly gadget: string;
  readonly deal: string;
  readonly answers: readonly Asked[];
  /** Requests with an `Idempotency-Key`, and their answers. */
  readonly replays: readonly Asked[];
}

function readData(name: string): string {
  const path = join(import.meta.dirname, '..', 'data', `upgrade-2026-11-22.${name}.gz`);
  return gunzipSync(readFileSync(path)).toString('utf8');
}

const recorded: Recorded = JSON.parse(readData('answers.json'));

let database: OwnDatabase;
let service: Awaited<ReturnType<typeof assembleService>>;
let port: number;

/** On connections of its own: a dump changes settings of its session. */
async function load(text: string, { connection }: OwnDatabase): Promise<void> {
  const db = openDatabase({ connection, poolSize: 1, statementTimeout: 0 });
  try {
    await db.query({ text, values: [] }, { prepare: false });
  } finally {
    await db.close();
  }
}

beforeAll(async () => {
  database = await createOwnDatabase();
  await load(readData('sql'), database);
  const { db, rows } = database;
  // Stored answers are kept for a day.
  await rows('update ws_upgraded._idempotency set stored_at = now()');
  await checkServer(db, true);
  expect(await loadBehind(db)).toEqual(['workspace_records', 'ws_upgraded']);
  await migrate(db);
  expect(await loadBehind(db)).toEqual([]);
  const config = readConfig({});
  service = await assembleService({ ...database, config, logger: pino({ level: 'silent' }) });
  port = await service.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await service?.close();
  await database?.drop();
});

const as = (person: Person): Client => openClient({ port, secret: KEYS[person] });

async function ask({ as: person, method, path, body, headers = {} }: Asked) {
  return as(person).request(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

/** Hits of a search lead into the application since there is one. */
function withNewPlaces(answer: object): object {
  const text = JSON.stringify(answer);
  return JSON.parse(text.replaceAll(/"url":"\/(\w+\/[\w-]+)"/g, '"url":"/app/upgraded/o/$1"'));
}

const TYPO = 'q=gadgt';
const BY_TEXT = 'sort=-name';
interface Answer {
  readonly pagination: { next_cursor: unknown };
}
const byId = (hits: readonly { readonly id: string }[]) =>
  [...hits].sort((one, other) => (one.id > other.id ? -1 : 1));

const titled = (asked: readonly Asked[]) =>
  asked.map((one) => [`${one.as}: ${one.method} ${one.path}`, one] as const);

describe('what was there', () => {
  test.each(titled(recorded.answers))('%s is as it was', async (_, asked) => {
    const { status, body } = await ask(asked);
    expect(status).toBe(asked.status);
    // In which order matches with a typo come is another one by now.
    if (asked.path.endsWith(TYPO)) body.data = byId(body.data);
    // A cursor of a sorted text belongs to the order that texts have by now.
    const expected = withNewPlaces(asked.answer) as Answer;
    if (asked.path.endsWith(BY_TEXT)) {
      expect(body.pagination.next_cursor).toMatch(/./);
      expected.pagination.next_cursor = body.pagination.next_cursor;
    }
    expect(body).toMatchObject(expected);
  });

  test.each(titled(recorded.replays))('%s is replayed', async (_, asked) => {
    const { status, body, headers } = await ask(asked);
    expect(status).toBe(asked.status);
    expect(headers.get('idempotent-replayed')).toBe('true');
    expect(body).toEqual(asked.answer);
  });
});

describe('what comes after it', () => {
  test('records are written, found, told of and commented on', async () => {
    const ada = as('ada');
    const events = await openEvents({ port, secret: ada.secret });
    expect(events.status).toBe(200);
    const { gadget } = recorded;
    const path = `/objects/gadgets/records/${gadget}`;
    const patched = await ada.patch(path, {
      fields: { name: 'Renamed after the upgrade', a_integer: 41 },
    });
    expect(patched.body.data).toMatchObject({
      version: expect.stringMatching(/^2-/),
      fields: { a_integer: 41 },
    });
    const told = await events.next(({ name }) => name === 'record.updated');
    expect(told.data).toMatchObject({ object_type: 'gadgets', record_id: gadget });
    events.close();
    const found = await ada.get('/search?q=after+the+upgrade');
    expect(found.body.data).toMatchObject([{ id: gadget }]);
    const comments = `/objects/deals/records/${recorded.deal}/comments`;
    const before = (await ada.get(comments)).body.data.length;
    expect((await ada.post(comments, { body: 'Still here', mention_user_ids: [2] })).status).toBe(
      201,
    );
    expect((await ada.get(comments)).body.data).toHaveLength(before + 1);
    const item = { title: 'The next one', work_item_type_id: 'task' };
    const made = await ada.post('/objects/work_items/records', { fields: item });
    expect(made.body.data.fields.public_id).toBe('TASK-3');
  });

  test('keys keep their scopes, and the audit has what was done before and since', async () => {
    const path = `/audit?object_type=gadgets&record_id=${recorded.gadget}`;
    expect(refusalOf(await as('ada').get(path))).toEqual([403, 'insufficient_scope', undefined]);
    const workspace = (await findWorkspace(database.db, 'upgraded')) as WorkspaceRow;
    const { secret } = await createKey(database.db, {
      ...{ workspace, email: 'ada@old.example', name: 'New', scopes: ['audit:read'] },
      ...{ requests_per_minute: null, expires: null, type: undefined },
    });
    const { body } = await openClient({ port, secret }).get(path);
    const actions = body.data.map(({ action }: { readonly action: string }) => action);
    expect(actions).toEqual(['update', 'create']);
  });
});
