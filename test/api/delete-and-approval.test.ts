// Writes that reach beyond their record: a delete that takes links and references with it or is held back
// by them, and a change of status that needs somebody's approval.

import { describe, expect, test, vi } from 'vitest';
import type { Client } from '../client.ts';
import { lacks } from '../own-database.ts';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { batch, deal, make, refused, trail } = fleet;

const company = async () => (await make('companies', { name: 'Company' })).id as string;

async function link(object: string, id: string, association: string, target_id: string) {
  const path = `/objects/${object}/records/${id}/relationships/${association}`;
  const answer = await fleet.ada.post(path, { target_id });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const versionOf = async (object: string, id: string) =>
  (await fleet.ada.get(`/objects/${object}/records/${id}`)).body.data.version;

describe('deleting a record', () => {
  test('removes its links and clears the references of others, each with its audit row', async () => {
    const target = await company();
    const contact = await make('contacts', { name: 'Jo', company_id: target });
    const both = await deal(fleet.sam, { company_id: target });
    await fleet.set('deals', both.id, { partner_id: target });
    const linked = (await deal(fleet.ada)).id;
    await link('deals', linked, 'link.deal_agency', target);
    await link('companies', target, 'link.friends', await company());
    const before = await versionOf('deals', linked);
    const answer = await fleet.ada.delete(`/objects/companies/records/${target}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const left = await fleet.world.rows('select 1 from _links where $1 in (from_id, to_id)', [
      target,
    ]);
    expect(left).toEqual([]);
    const after = (await fleet.ada.get(`/objects/deals/records/${both.id}`)).body.data;
    expect(after.fields).toMatchObject({ company_id: null, partner_id: null });
    expect(after.version).toMatch(/^3-/);
    expect((await trail(both.id)).at(-1)).toEqual(['update', ['company_id', 'partner_id']]);
    expect((await trail(contact.id)).at(-1)).toEqual(['update', ['company_id']]);
    expect(await versionOf('contacts', contact.id)).toMatch(/^2-/);
    expect(await versionOf('deals', linked)).toBe(before);
    const audit = await fleet.world.rows(
      `select object_type, record_id, action, user_id, api_key_prefix from _audit
        where request_id = $1 order by object_type`,
      [answer.headers.get('x-request-id')],
    );
    const by = { user_id: fleet.world.users.ada, api_key_prefix: fleet.ada.secret.slice(0, 12) };
    expect(audit).toEqual([
      { object_type: 'companies', record_id: target, action: 'delete', ...by },
      { object_type: 'contacts', record_id: contact.id, action: 'update', ...by },
      { object_type: 'deals', record_id: both.id, action: 'update', ...by },
    ]);
    const fresh = await company();
    await link('deals', linked, 'link.deal_agency', fresh);
  });

  test('that others need is refused with their counts', async () => {
    const target = await company();
    for (const name of ['1', '2']) await make('boats', { name, company_id: target });
    const remove = () => fleet.ada.delete(`/objects/companies/records/${target}`);
    await refused(remove, [409, 'conflict']);
    expect((await remove()).body.error.details.records).toEqual({ boats: 2 });
    const parent = await make('work_items', { title: 'Parent', work_item_type_id: 'task' });
    const fields = { work_item_type_id: 'task', parent_work_item_id: parent.id };
    const child = await make('work_items', { title: 'Child', ...fields });
    await refused(
      () => fleet.ada.delete(`/objects/work_items/records/${parent.id}`),
      [409, 'conflict'],
    );
    const operations = [child, parent].map(({ id }) => ({ action: 'delete', id }));
    expect((await batch(fleet.ada, operations, 'work_items')).status).toBe(200);
  });
});

describe('parents in one batch with their children', () => {
  const work = (operations: readonly unknown[]) => batch(fleet.ada, operations, 'work_items');
  const item = async (fields: object = {}) =>
    (await make('work_items', { title: 'Item', work_item_type_id: 'task', ...fields })).id;

  test('a child that comes before the delete keeps its parent', async () => {
    const [parent, other] = [await item(), await item()];
    const child = { title: 'Child', work_item_type_id: 'task', parent_work_item_id: parent };
    const association_id = 'ref.parent_work_item_id';
    for (const operation of [
      { action: 'create', fields: child },
      { action: 'update', id: other, fields: { parent_work_item_id: parent } },
      { action: 'link', id: other, association_id, target_id: parent },
    ]) {
      const operations = [operation, { action: 'delete', id: parent }];
      await refused(() => work(operations), [409, 'conflict', 'operations[1]']);
      const { details } = (await work(operations)).body.error;
      expect(details.records).toEqual({ work_items: 1 });
      const refusal =
        operation.action === 'link'
          ? ([404, 'record_not_found'] as const)
          : ([422, 'invalid_write', 'operations[1].fields.parent_work_item_id'] as const);
      await refused(() => work(operations.toReversed()), refusal);
    }
  });

  test('a child that leaves before the delete does not', async () => {
    for (const leave of ['update', 'unlink']) {
      const parent = await item();
      const id = await item({ parent_work_item_id: parent });
      const operation =
        leave === 'update'
          ? { action: 'update', id, fields: { parent_work_item_id: null } }
          : { action: 'unlink', id, association_id: 'ref.parent_work_item_id', target_id: parent };
      const answer = await work([operation, { action: 'delete', id: parent }]);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(await versionOf('work_items', id)).toBe(answer.body.data.results[0].version);
    }
  });
});

describe('approval', () => {
  const move = (client: Client, id: string, status_id = 'signed', object = 'contracts') =>
    client.post(`/objects/${object}/records/${id}/status`, { status_id });

  test('only approvers may make a move that needs it', async () => {
    for (const [approver, name] of [
      [fleet.mia, 'by name'],
      [fleet.sam, 'as a member of the team'],
    ] as const) {
      const { id } = await make('contracts', { title: name });
      for (const other of [fleet.ada, fleet.rob, fleet.rae]) {
        const send = () => move(other, id);
        await refused(send, [422, 'invalid_write', 'status_id']);
        const { details } = (await send()).body.error;
        expect(details.reason).toBe('approval_required');
        expect(details.errors).toMatchObject([
          { param: 'status_id', code: 'invalid_write', reason: 'approval_required' },
        ]);
      }
      const moved = await move(approver, id);
      expect([moved.status, moved.body.data.status], name).toEqual([200, 'signed']);
    }
  });

  test('the workflow shows who may make such a move, and names those that the caller may read', async () => {
    const { ada, mia, sam, rob, world } = fleet;
    const moves = async (client: Client) => {
      const { body } = await client.get('/workflows/approval');
      return body.data.statuses.find((status: { id: string }) => status.id === 'draft').transitions;
    };
    const { South } = Object.fromEntries(
      (await ada.get('/teams')).body.data.map((team: { name: string }) => [team.name, team]),
    );
    const [user, team] = [
      { id: world.users.mia, name: 'Mia' },
      { id: South.id, name: 'South' },
    ];
    const open = { id: 'shelved', name: 'Shelved' };
    for (const [client, can_approve, users, teams] of [
      [ada, false, [user], [team]],
      [mia, true, [user], [team]],
      [sam, true, [], [team]],
      [rob, false, [], []],
    ] as const) {
      const may = { can_approve, can_approve_own: false };
      const gated = { id: 'signed', name: 'Signed', requires_approval: true, ...may };
      expect(await moves(client)).toEqual([open, { ...gated, approvers: { users, teams } }]);
    }
    const unnamed = await world.as('sam', { scopes: ['records:read'] });
    expect((await moves(unnamed))[1]).toEqual({
      ...{ id: 'signed', name: 'Signed', requires_approval: true },
      ...{ can_approve: true, can_approve_own: false },
    });
  });

  test('a gate is on its own move only', async () => {
    const { id } = await make('contracts', { title: 'Sideways' });
    expect((await move(fleet.rob, id, 'shelved')).status).toBe(200);
    expect((await move(fleet.rob, id, 'draft')).status).toBe(200);
    await refused(() => move(fleet.rob, id), [422, 'invalid_write']);
    expect((await move(fleet.rob, id, 'shelved')).status).toBe(200);
    expect((await move(fleet.rob, id)).status).toBe(200);
    // Approvers are bound by the workflow like everybody else.
    const refusal = await move(fleet.mia, id, 'draft');
    expect([refusal.status, refusal.body.error.details.reason]).toEqual([422, undefined]);
  });

  test('in a batch, and for work items by the workflow of their type', async () => {
    const { id } = await make('contracts', { title: 'Batched' });
    const status = { action: 'status', id, status_id: 'signed' };
    const create = { action: 'create', fields: { title: 'x' } };
    await refused(
      () => batch(fleet.ada, [create, status], 'contracts'),
      [422, 'invalid_write', 'operations[1].status_id'],
    );
    const { details } = (await batch(fleet.ada, [create, status], 'contracts')).body.error;
    expect(details.errors).toMatchObject([
      { operation_index: 1, action: 'status', reason: 'approval_required' },
    ]);
    expect((await batch(fleet.sam, [create, status], 'contracts')).status).toBe(200);
    const permit = await make('work_items', { title: 'Permit', work_item_type_id: 'permit' });
    const task = await make('work_items', { title: 'Task', work_item_type_id: 'task' });
    await refused(() => move(fleet.ada, permit.id, 'signed', 'work_items'), [422, 'invalid_write']);
    await refused(() => move(fleet.ada, task.id, 'signed', 'work_items'), [422, 'invalid_write']);
    expect((await move(fleet.ada, task.id, 'won', 'work_items')).status).toBe(200);
  });

  test.skipIf(lacks('triggers'))('a person who has left the team no longer approves', async () => {
    const { id } = await make('contracts', { title: 'Left' });
    const { sam } = fleet.world.users;
    const team = `(select id from "ws_acme"._teams where name = 'South')`;
    await fleet.world.rows(`delete from "ws_acme"._team_members where user_id = $1`, [sam]);
    await vi.waitFor(() => refused(() => move(fleet.sam, id), [422, 'invalid_write']), 60_000);
    await fleet.world.rows(`insert into "ws_acme"._team_members values (${team}, $1)`, [sam]);
    await vi.waitFor(async () => expect((await move(fleet.sam, id)).status).toBe(200), 60_000);
  });
});
