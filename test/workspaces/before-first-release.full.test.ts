// Data of a version from before the first release (cf34f59): a file that its `workspaces export` wrote is restored, and the
// service answers as that version did. Its database itself is refused (test/cli/migrate.full.test.ts).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { FLEET } from '../api/fleet.ts';
import type { Client } from '../client.ts';
import {
  catalogOf,
  exported,
  openSite,
  restored,
  type Site,
  tableDigests,
} from '../moved-workspace.ts';

type Person = 'ada' | 'mia';

interface Recorded {
  /** Secrets of the keys that are in the file, made for this test. */
  readonly keys: Readonly<Record<Person, string>>;
  readonly answers: readonly {
    readonly as: Person;
    readonly path: string;
    readonly status: number;
    readonly body: { readonly error?: { readonly code: string } };
  }[];
}

const read = (name: string): Buffer =>
  gunzipSync(
    readFileSync(join(import.meta.dirname, '..', 'data', `before-first-release${name}.gz`)),
  );

const file = read('');
const recorded: Recorded = JSON.parse(read('.answers.json').toString('utf8'));
let site: Site;

beforeAll(async () => {
  site = await openSite();
  const { keys, records } = await restored(site.own, file);
  expect([keys, records]).toEqual([{ restored: 2, left_out: 0 }, 27]);
});

afterAll(() => site?.close());

const as = (person: Person): Client => site.client(recorded.keys[person]);

const titled = recorded.answers.map((one) => [`${one.as}: ${one.path}`, one] as const);

test.each(titled)('%s is answered as before', async (_, { as: person, path, status, body }) => {
  const answer = await as(person).get(path);
  expect(answer.status).toBe(status);
  // Ids of audit rows were numbers.
  const expected = path.startsWith('/audit') ? withoutIds(body) : body;
  if (status === 200) expect(answer.body).toMatchObject(expected);
  else expect(answer.body.error.code).toBe(body.error?.code);
});

function withoutIds(body: object): object {
  const { data } = body as { readonly data: readonly { readonly id: unknown }[] };
  return { ...body, data: data.map(({ id: _, ...row }) => row) };
}

/** That version had no fields for files. */
function withoutFiles(): typeof FLEET {
  const { gauges } = FLEET.objects;
  const fields = Object.entries(gauges.fields).filter(
    ([, field]) => (field as { type: string }).type !== 'file',
  );
  const objects = { ...FLEET.objects, gauges: { ...gauges, fields: Object.fromEntries(fields) } };
  return { ...FLEET, objects } as unknown as typeof FLEET;
}

describe('the data behind it', () => {
  test('the tables are those of a workspace that was made here', async () => {
    await createWorkspace(site.own.db, { slug: 'new', document: withoutFiles() });
    expect(await catalogOf(site.own, 'ws_acme')).toEqual(await catalogOf(site.own, 'ws_new'));
  });

  test('the search index is that of records that are written here', async () => {
    const [row] = await site.own.rows(
      `select count(*) filter (where text like '%ς%') as final, count(words) as with_words,
        count(distinct record_id) as records from ws_acme._search`,
    );
    expect(row).toEqual({ final: 0, with_words: 20, records: 20 });
    const { body } = await as('ada').get(`/search?q=${encodeURIComponent('αε ΟΔΥΣΣΕΥΣ')}`);
    expect(body.data).toMatchObject([{ display: 'ΟΔΥΣΣΕΥΣ ΑΕ' }]);
  });

  test('numbers continue, and old rows of the audit are not events', async () => {
    const fields = { title: 'Next', work_item_type_id: 'task' };
    const { body } = await as('ada').post('/objects/work_items/records', { fields });
    expect(body.data.fields.public_id).toBe('TASK-3');
    const told = await site.own.rows(`select action from ws_acme._audit where transaction > '0'`);
    expect(told).toEqual([{ action: 'create' }]);
  });

  test('keys can be left out', async () => {
    const options = { slug: 'keyless', withoutKeys: true };
    expect((await restored(site.own, file, options)).keys).toEqual({ restored: 0, left_out: 0 });
  });

  test('a file of it that is written here becomes the same', async () => {
    const { file: again } = await exported(site.own, 'acme', { withoutKeys: true });
    await restored(site.own, again, { slug: 'again' });
    expect(await tableDigests(site.own, 'ws_again')).toEqual(
      await tableDigests(site.own, 'ws_acme'),
    );
  });
});
