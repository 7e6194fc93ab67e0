// Moves through gates that want somebody else (D652): of records that an approver owns, created or last changed; and the
// audit of dry runs whose gates judge a field that the caller may not read (D731).

import { describe, expect, test } from 'vitest';
import { changingMany } from '../../src/flow/jobs/bulk-job.ts';
import type { Answer, Client } from '../client.ts';
import { workAt } from '../erased-traces.ts';
import { ACME, openWorldWith } from '../world.ts';
import { useCast } from './cast.ts';

const users = ['mia@acme.example', 'ada@acme.example'];
const cast = useCast(() =>
  openWorldWith({
    ...ACME,
    workflows: {
      pipeline: {
        ...ACME.workflows.pipeline,
        statuses: {
          open: {
            name: 'Open',
            transitions: [
              { to: 'won', approvers: { users } },
              { to: 'lost', approvers: { users }, required: 2 },
            ],
          },
          won: { name: 'Won', transitions: ['lost'] },
          lost: {
            name: 'Lost',
            transitions: [
              {
                ...{ to: 'won', approvers: { users } },
                when: { field: 'secret', op: 'is_null', value: false },
              },
            ],
          },
        },
      },
    },
  }),
);

const DEALS = '/objects/deals/records';
const reasonOf = ({ body }: Answer) => body.error?.details?.reason;
const move = (client: Client, id: string, status_id = 'won') =>
  client.post(`${DEALS}/${id}/status`, { status_id });
const statusOf = async (id: string) => (await cast.ada.get(`${DEALS}/${id}`)).body.data.status;
const made = async (): Promise<string> => (await cast.deal(cast.rob)).id;

async function change(client: Client, id: string, fields: object): Promise<void> {
  const { status, body } = await client.patch(`${DEALS}/${id}`, { fields });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** A deal that somebody else has created and owns, and that Mia has changed last. */
async function changedByMia(): Promise<string> {
  const id = await made();
  await change(cast.mia, id, { closes_on: '2027-01-31' });
  return id;
}

async function asked(id: string, status_id = 'won'): Promise<string> {
  const { status, body } = await cast.rob.post(`${DEALS}/${id}/status_requests`, { status_id });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

const approve = (client: Client, request: string, body: object = {}) =>
  client.post(`/status_requests/${request}/approve`, body);

describe('an approver', () => {
  const item = (id: string) => ({ action: 'status', id, status_id: 'won' });
  const WAYS: Readonly<Record<string, (id: string) => Promise<Answer>>> = {
    'by itself': (id) => move(cast.mia, id),
    'in a batch': (id) => cast.mia.post(`${DEALS}/batch`, { operations: [item(id)] }),
    'in a batch over objects': (id) =>
      cast.mia.post('/batch', { operations: [{ ...item(id), object_type: 'deals' }] }),
    'in a dry run': (id) =>
      cast.mia.post('/batch', {
        ...{ operations: [{ ...item(id), object_type: 'deals' }], dry_run: true },
      }),
  };

  test.each(Object.entries(WAYS))('moves no record that they last changed, %s', async (_, send) => {
    const id = await changedByMia();
    const refused = await send(id);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      422,
      expect.stringContaining('approval_required'),
    ]);
    expect(await statusOf(id)).toBe('open');
    await change(cast.rob, id, { closes_on: '2027-02-28' });
    expect((await send(id)).status).toBe(200);
  });

  test('moves by a bulk change only records that somebody else last changed', async () => {
    const [own, other] = [await changedByMia(), await made()];
    const where = { field: 'id', op: 'in', value: [own, other] };
    const body = { action: 'status', status_id: 'won', where, expected_count: 2 };
    const { body: started } = await cast.mia.post(`${DEALS}/bulk`, body);
    const { db } = cast.world.database;
    await workAt(db, changingMany(db), started.data.id);
    expect([await statusOf(own), await statusOf(other)]).toEqual(['open', 'won']);
  });

  test('moves no record that an earlier operation of the same batch changes', async () => {
    const code = `code-${Date.now()}`;
    const { id } = await cast.deal(cast.ada, { code, owner_user_id: cast.world.users.rob });
    const operations = [
      {
        ...{ action: 'upsert', object_type: 'deals', match: { code } },
        fields: { name: 'Changed' },
      },
      { action: 'status', object_type: 'deals', id: { $op: 0 }, status_id: 'won' },
    ];
    const refused = await cast.mia.post('/batch', { operations });
    expect(JSON.stringify(refused.body)).toContain('approval_required');
    expect(await statusOf(id)).toBe('open');
  });

  test('decides about no record that they last changed', async () => {
    const id = await changedByMia();
    const request = await asked(id);
    expect(reasonOf(await approve(cast.mia, request))).toBe('own_record');
    const shown = (await cast.mia.get(`/status_requests/${request}`)).body.data;
    expect(shown.can_decide).toBe(false);
    expect((await approve(cast.ada, request)).status).toBe(200);
    expect(await statusOf(id)).toBe('won');
  });

  test('has not approved a record whose owner they have become since', async () => {
    const id = await made();
    const request = await asked(id, 'lost');
    expect((await approve(cast.mia, request)).status).toBe(200);
    await change(cast.ada, id, { owner_user_id: cast.world.users.mia });
    await change(cast.rae, id, { closes_on: '2027-03-31' }).catch(() => undefined);
    const { version, approvals } = (await cast.ada.get(`/status_requests/${request}`)).body.data;
    expect(approvals).toEqual({ given: 0, required: 2 });
    // Ada has changed it last.
    const refused = await approve(cast.ada, request, { expected_version: version });
    expect(reasonOf(refused)).toBe('own_record');
  });
});

describe('a dry run of a move', () => {
  /** A lost deal of Rob, who may not read its secret. */
  async function lost(secret: string | null): Promise<string> {
    const id = await made();
    expect((await move(cast.mia, id)).status).toBe(200);
    expect((await move(cast.rob, id, 'lost')).status).toBe(200);
    await change(cast.ada, id, { secret });
    return id;
  }
  const check = (client: Client, id: string) =>
    client.post('/batch', {
      dry_run: true,
      operations: [{ action: 'status', object_type: 'deals', id, status_id: 'won' }],
    });
  const checks = async (id: string) =>
    (await cast.ada.get('/audit?subject_type=status_check')).body.data.filter(
      ({ subject_id }: { subject_id: string }) => subject_id === id,
    );

  test.each([
    [null, 200],
    ['Persimmon', 422],
  ])('is audited where its gate judges a hidden field: %s', async (secret, status) => {
    const id = await lost(secret);
    expect((await check(cast.rob, id)).status).toBe(status);
    const rows = await checks(id);
    expect(rows).toMatchObject([
      { action: 'dry_run', changed_fields: ['status'], user: { id: cast.world.users.rob } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('Persimmon');
    const { data } = (await cast.rob.get('/audit?subject_type=status_check')).body;
    expect(data[0]).toMatchObject({ subject_id: id });
  });

  test('is audited also by another name of the record, and beside an operation that fails', async () => {
    const id = await lost('Medlar');
    const [deal, move] = [{ object_type: 'deals' }, { action: 'status', status_id: 'won' }];
    const dry = (...operations: readonly object[]) =>
      cast.rob.post('/batch', { dry_run: true, operations });
    await dry({ ...deal, action: 'update', id, fields: {} }, { ...deal, ...move, id: { $op: 0 } });
    expect(await checks(id)).toHaveLength(1);
    const refused = { ...deal, action: 'create', fields: { amount: 'none' } };
    const answer = await dry({ ...deal, ...move, id }, refused);
    expect(answer.status).toBe(422);
    expect(await checks(id)).toHaveLength(2);
  });

  test('leaves nothing where its caller may read the field, or it fails otherwise', async () => {
    const id = await lost('Quince');
    const before = await cast.world.digest();
    await check(cast.ada, id);
    const body = { dry_run: true, operations: [{ action: 'status', object_type: 'deals', id }] };
    expect((await cast.rob.post('/batch', body)).status).toBe(400);
    expect((await check(cast.sam, id)).status).toBe(404);
    expect((await check(cast.rob, await made())).status).toBe(422);
    expect(await checks(id)).toEqual([]);
    expect(before).not.toBe('');
  });
});
