// The rules of every administrative write (docs/design/administration.md): a change, its audit rows and its
// notifications are there together or not at all.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { JOBS_CHANNEL } from '../../src/control/jobs/jobs.ts';
import {
  type Administration,
  administer,
  noteEvents,
} from '../../src/control/workspace/administer.ts';
import {
  type AdministrativeEvent,
  OPERATOR,
} from '../../src/control/workspace/administrative-audit.ts';
import { CHANNEL } from '../../src/control/workspace/workspaces.ts';
import { type Listeners, openListeners } from '../../src/postgres/listen.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { until } from '../until.ts';

let own: OwnDatabase;
let listeners: Listeners;
let asked: Administration;
const heard: string[] = [];

beforeAll(async () => {
  own = await createMigratedDatabase();
  const workspace = await createWorkspace(own.db, { slug: 'acme' });
  asked = { db: own.db, workspace, actor: OPERATOR };
  listeners = openListeners(own);
  for (const channel of [CHANNEL, JOBS_CHANNEL]) {
    await listeners.listen(channel, (payload) => heard.push(payload));
  }
});
afterAll(async () => {
  await listeners?.close();
  await own?.drop();
});
beforeEach(() => own.rows('delete from ws_acme._audit'));

const event = (subject_type: AdministrativeEvent['subject_type'], action: string) => {
  return { subject_type, subject_id: '7', action } as const;
};
const audited = async () =>
  (await own.rows('select action from ws_acme._audit order by id')).map(({ action }) => action);

/** The notifications since the last call: each channel has a connection, and each of them gets this one last. */
async function newlyHeard(): Promise<readonly string[]> {
  for (const channel of [CHANNEL, JOBS_CHANNEL]) {
    await own.rows('select pg_notify($1, $2)', [channel, 'end']);
  }
  await until(() => heard.filter((payload) => payload === 'end').length === 2);
  return heard.splice(0).filter((payload) => payload !== 'end');
}

const ID = /:\d+$/;
test.each([
  ['user', 'create', ['people']],
  ['user', 'update', ['people']],
  ['user', 'link_identity', []],
  ['user', 'unlink', []],
  ['team', 'delete', ['people']],
  ['key', 'create', ['key:7']],
  ['key', 'revoke', ['key:7']],
  ['session', 'end', ['sessions']],
  ['session', 'sign_out', ['sessions']],
  ['session', 'sign_in_by_link', []],
  ['session', 'sign_in_failed', []],
  ['password', 'update', []],
  ['sign_in_link', 'create', []],
  ['view', 'update', []],
  ['import', 'create', ['7']],
  ['import', 'load', []],
  ['export', 'create', ['7']],
  ['bulk', 'create', ['7']],
] as const)(
  'of %s %s others hear %j, and one audit row is there',
  async (subject, action, told) => {
    const result = await administer(asked, async () => ({
      result: 'made',
      events: [event(subject, action)],
    }));
    const short = (payload: string) =>
      payload.startsWith('key') ? payload : payload.replace(ID, '');
    expect([result, (await newlyHeard()).map(short), await audited()]).toEqual([
      'made',
      told,
      [action],
    ]);
  },
);

test('a change that fails leaves no trace, whatever it has done before', async () => {
  const failing = administer(asked, async (tx) => {
    await noteEvents(tx, asked, [event('key', 'create'), event('user', 'update')]);
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  const unstorable = administer(asked, async () => ({
    result: undefined,
    events: [event('key', 'revoke'), { ...event('key', 'revoke'), action: null as never }],
  }));
  await expect(unstorable).rejects.toThrow();
  expect([await newlyHeard(), await audited()]).toEqual([[], []]);
});

test('a change without events sends no notification', async () => {
  expect(await administer(asked, async () => ({ result: 'same', events: [] }))).toBe('same');
  expect([await newlyHeard(), await audited()]).toEqual([[], []]);
});

test('others hear of a change when it is committed, and once', async () => {
  await own.db.transaction(async (tx) => {
    await noteEvents(tx, asked, [event('session', 'end'), event('session', 'end')]);
    expect(await newlyHeard()).toEqual([]);
  });
  expect(await newlyHeard()).toEqual([`sessions:${asked.workspace.id}`]);
});
