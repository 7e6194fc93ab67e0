// Records of agents and of people who have left: writing them back with the owner and the people that they have is
// never refused, and their ids lead to names.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changingMany } from '../../src/flow/jobs/bulk-job.ts';
import { importing } from '../../src/import/import-job.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { useFleet } from './fleet.ts';
import { openJobs, sentFile } from './job-world.ts';
import { remove, restore, TRASHED } from './trashed.ts';

const fleet = useFleet();
const jobs = openJobs(() => fleet.world);
const { batch } = fleet;

const PATH = '/objects/gauges/records';
let id = '';
let user = 0;

beforeAll(() =>
  fleet.apply(
    mergePatch(TRASHED, {
      objects: { gauges: { fields: { p_text: { unique: true } } } },
    }) as object,
  ),
);
afterAll(() => jobs.stop());

const record = async () => (await fleet.ada.get(`${PATH}/${id}`)).body.data;
const unchanged = () => ({ owner_user_id: user, p_user: user });

async function job(path: string, body: object) {
  const { status, body: answer } = await fleet.ada.post(path, body);
  expect(status, JSON.stringify(answer)).toBe(202);
  const { db } = fleet.world.database;
  await jobs.work(changingMany(db), importing(db));
  return jobs.ended(fleet.ada, answer.data.id);
}

async function imported(value: string | number, user_by?: 'email' | 'name') {
  const how = user_by === undefined ? {} : { user: user_by };
  const file_id = await sentFile(
    fleet.world,
    fleet.ada,
    `p_text,who,label\n${id},${value},again\n`,
  );
  const { counts, problems } = await job('/imports', {
    file_id,
    mapping: {
      object_type: 'gauges',
      match: ['p_text'],
      columns: {
        p_text: 'p_text',
        label: 'label',
        who: [
          { field: 'owner_user_id', ...how },
          { field: 'p_user', ...how },
        ],
      },
    },
  });
  expect(problems).toEqual([]);
  expect(counts).toMatchObject({ created: 0, updated: 1, rejected: 0 });
}

describe.each([
  ['an agent', 'bot', 'Bot', true],
  ['somebody who has left', 'zed', 'Zed', false],
] as const)('a record of %s', (_, name, shown, active) => {
  beforeEach(async () => {
    user = fleet.world.users[name];
    id = (await fleet.make('gauges', { label: 'one' })).id;
    await fleet.world.rows(
      `update ws_acme.gauges set owner_user_id = $2::integer, p_user = $2::integer, p_text = $1::text
        where id = $1::text::uuid`,
      [id, user],
    );
  });

  test.each<readonly [string, () => Promise<unknown>]>([
    [
      'an update',
      () => fleet.ada.patch(`${PATH}/${id}`, { fields: { ...unchanged(), label: 'again' } }),
    ],
    [
      'a batch',
      () =>
        batch(
          fleet.ada,
          [{ action: 'update', id, fields: { ...unchanged(), label: 'again' } }],
          'gauges',
        ),
    ],
    [
      'a batch of several objects',
      () =>
        fleet.ada.post('/batch', {
          operations: [
            {
              ...{ object_type: 'gauges', action: 'update', id },
              fields: { ...unchanged(), label: 'again' },
            },
          ],
        }),
    ],
    [
      'an upsert',
      () =>
        batch(
          fleet.ada,
          [
            {
              ...{ action: 'upsert', target: 'gauges', match: { p_text: id } },
              fields: { ...unchanged(), label: 'again' },
            },
          ],
          'gauges',
        ),
    ],
    [
      'a bulk change',
      async () => {
        const where = { field: 'id', op: 'eq', value: id };
        const fields = { ...unchanged(), label: 'again' };
        const { counts } = await job(`${PATH}/bulk`, {
          ...{ where, action: 'update', fields },
          expected_count: 1,
        });
        expect(counts).toMatchObject({ changed: 1 });
      },
    ],
    ['an import by id', () => imported(user)],
    ['an import by address', () => imported(`${name}@acme.example`)],
    ['an import by `user: email`', () => imported(`${name}@acme.example`, 'email')],
    ['an import by `user: name`', () => imported(shown, 'name')],
    [
      'a restore from the trash',
      async () => {
        await fleet.ada.patch(`${PATH}/${id}`, { fields: { label: 'again' } });
        await remove(fleet.ada, 'gauges', id);
        return restore(fleet.ada, 'gauges', id);
      },
    ],
  ])('%s keeps its people', async (_way, change) => {
    const answer = await change();
    if (answer !== undefined) expect(answer).toMatchObject({ status: 200 });
    const { owner_user_id, fields } = await record();
    expect([fields.label, owner_user_id, fields.p_user]).toEqual(['again', user, user]);
  });

  test('shows their name by id and behind `expand`, and not in the list of people', async () => {
    const person = { id: user, name: shown, active };
    expect((await fleet.ada.get(`/users/${user}`)).body.data).toMatchObject(person);
    const query = { expand: ['owner_user_id', 'p_user'] };
    const where = { field: 'id', op: 'eq', value: id };
    const { body } = await fleet.ada.post(`${PATH}/query`, { where, ...query });
    expect(body.data[0].expanded).toMatchObject({ owner_user_id: person, p_user: person });
    expect((await fleet.ada.get(`/users?q=${shown}`)).body.data).toEqual([]);
  });
});
