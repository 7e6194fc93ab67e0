// The effect of a delete on references to the record: they prevent it or become null, as the definition says, and the
// answer counts only those that the caller may read.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { FLEET, useFleet } from './fleet.ts';

const fleet = useFleet();
const { batch, make, refused } = fleet;

const everything = {
  create: 'organisation',
  read: 'organisation',
  update: 'organisation',
  delete: 'organisation',
} as const;

const company = { type: 'reference', reference_object_type: 'companies' };
const objectOf = (name: string, fields: object) => ({
  name,
  singular_name: name,
  display_field: 'name',
  fields: { name: { type: 'text' }, ...fields },
});

const DOCUMENT = {
  ...FLEET,
  name: 'References',
  objects: {
    ...FLEET.objects,
    orders: objectOf('Orders', {
      company_id: { ...company, on_delete: 'restrict' },
      payer_id: { ...company, on_delete: 'restrict' },
      agent_id: company,
      carrier_id: { ...company, on_delete: 'clear' },
    }),
    vaults: objectOf('Vaults', { company_id: { ...company, required: true } }),
    audits: objectOf('Audits', { company_id: { ...company, required: true }, agent_id: company }),
    folders: objectOf('Folders', {
      folder_id: { type: 'reference', reference_object_type: 'folders', on_delete: 'restrict' },
    }),
  },
  roles: {
    ...FLEET.roles,
    // Reads orders of their own, audits without their companies, no vaults, no deals.
    clerk: {
      developer: true,
      assign_owner: true,
      objects: {
        companies: everything,
        folders: everything,
        orders: { create: 'own', read: 'own', update: 'own' },
        audits: { read: 'organisation', fields: { company_id: 'none', agent_id: 'none' } },
      },
    },
  },
};

beforeAll(() => fleet.apply(DOCUMENT));

const target = async () => (await make('companies', { name: 'Target' })).id as string;
const remove = (id: string, client: Client = fleet.bea) =>
  client.delete(`/objects/companies/records/${id}`);
const refusalOf = async (id: string) => {
  const { status, body } = await remove(id);
  const { request_id: _, ...error } = body.error;
  return { status, ...error };
};
const bea = () => fleet.world.users.bea;

const VEILED = {
  status: 409,
  type: 'conflict_error',
  code: 'conflict',
  message: 'Other records require this one.',
  details: { errors: [{ code: 'conflict', message: 'Other records require this one.' }] },
};

describe('references that keep their target', () => {
  test('are counted and named only where the caller may read them', async () => {
    for (const [object, fields] of [
      ['vaults', {}],
      ['audits', {}],
      ['orders', { name: 'of somebody else' }],
    ] as const) {
      for (const count of [1, 3]) {
        const id = await target();
        for (let made = 0; made < count; made += 1) {
          await make(object, { ...fields, company_id: id });
        }
        await refused(() => remove(id), [409, 'conflict']);
        expect(await refusalOf(id), `${count} ${object}`).toEqual(VEILED);
        const { details } = (await remove(id, fleet.ada)).body.error;
        expect(details.records).toEqual({ [object]: count });
      }
    }
  });

  test('out of sight add nothing to those in sight', async () => {
    const answers = [];
    for (const hidden of [0, 2]) {
      const id = await target();
      for (let made = 0; made < hidden; made += 1) {
        await make('vaults', { company_id: id });
        await make('orders', { company_id: id });
      }
      await make('orders', { company_id: id, payer_id: id, owner_user_id: bea() });
      await make('orders', { payer_id: id, owner_user_id: bea() });
      answers.push(await refusalOf(id));
    }
    expect(answers[0].details.records).toEqual({ orders: 2 });
    expect(answers[0].message).toBe('Other records require this one: 2 orders.');
    expect(answers[1]).toEqual(answers[0]);
  });

  test('without being required can be emptied, and then the target goes', async () => {
    const id = await target();
    const order = await make('orders', { company_id: id, owner_user_id: bea() });
    await refused(() => remove(id), [409, 'conflict']);
    await fleet.set('orders', order.id, { company_id: null });
    expect((await remove(id)).status).toBe(200);
  });

  test('in one batch with what refers to them', async () => {
    const inner = await make('folders', { name: 'Inner' });
    const outer = await make('folders', { name: 'Outer', folder_id: inner.id });
    const folders = (operations: readonly unknown[]) => batch(fleet.bea, operations, 'folders');
    const removal = { action: 'delete', id: inner.id };
    const loose = await make('folders', { name: 'Loose' });
    const join = { action: 'update', id: loose.id, fields: { folder_id: inner.id } };
    await refused(() => folders([join, removal]), [409, 'conflict', 'operations[1]']);
    expect((await folders([join, removal])).body.error.details.records).toEqual({ folders: 2 });
    const leave = { action: 'update', id: outer.id, fields: { folder_id: null } };
    expect((await folders([leave, removal])).status).toBe(200);
  });

  test('say so in the definition of their object', async () => {
    const { fields } = (await fleet.ada.get('/objects/orders')).body.data;
    const told = fields.flatMap((field: { key: string; constraints?: object }) =>
      field.key.endsWith('_id') && field.constraints ? [[field.key, field.constraints]] : [],
    );
    expect(Object.fromEntries(told)).toEqual({
      company_id: { reference_object_type: 'companies', on_delete: 'restrict' },
      payer_id: { reference_object_type: 'companies', on_delete: 'restrict' },
      agent_id: { reference_object_type: 'companies' },
      carrier_id: { reference_object_type: 'companies' },
    });
  });
});

describe('references that become null', () => {
  test('are counted by record as far as the caller may read them', async () => {
    const id = await target();
    const both = { agent_id: id, carrier_id: id };
    const mine = await make('orders', { ...both, owner_user_id: bea() });
    await make('orders', { carrier_id: id, owner_user_id: bea() });
    const theirs = await make('orders', both);
    const other = await target();
    const audit = await make('audits', { company_id: other, agent_id: id });
    await make('deals', { name: 'Deal', company_id: id });
    const { status, body } = await remove(id);
    expect([status, body.data]).toEqual([
      200,
      { id, object_type: 'companies', deleted: true, cleared_references: { orders: 2 } },
    ]);
    for (const order of [mine, theirs]) {
      const { data } = (await fleet.ada.get(`/objects/orders/records/${order.id}`)).body;
      expect(data.fields).toMatchObject({ agent_id: null, carrier_id: null });
    }
    // The caller cannot read this reference, but sees that the record has changed.
    const shown = (await fleet.bea.get(`/objects/audits/records/${audit.id}`)).body.data;
    expect([shown.version.split('-')[0], 'agent_id' in shown.fields]).toEqual(['2', false]);
  });

  test('are traced to the session that deletes', async () => {
    const id = await target();
    const order = await make('orders', { carrier_id: id });
    const session = await fleet.world.inSession('bea');
    expect((await remove(id, session)).status).toBe(200);
    const traces = await fleet.world.rows(
      `select action, session_id, api_key_id, changed_fields from _audit
        where record_id = any($1) and action <> 'create' order by action`,
      [[id, order.id]],
    );
    const trace = { session_id: session.sessionId, api_key_id: null };
    expect(traces).toEqual([
      { ...trace, action: 'delete', changed_fields: [] },
      { ...trace, action: 'update', changed_fields: ['carrier_id'] },
    ]);
  });

  test('are in the audit of the author as far as they may read record and field', async () => {
    const id = await target();
    const both = { agent_id: id, carrier_id: id };
    const mine = await make('orders', { ...both, owner_user_id: bea() });
    const theirs = await make('orders', both);
    const other = await target();
    const audit = await make('audits', { company_id: other, agent_id: id });
    await remove(id);
    const toldTo = async (client: Client, limit = 100) => {
      const found: unknown[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await client.get(
          `/audit?action=update&user_id=${bea()}&limit=${limit}&cursor=${cursor}`,
        );
        found.push(...body.data.map((row: { record_id: string }) => row.record_id));
        if (!body.pagination.has_more) return found;
        // The length of a page does not reveal hidden rows.
        expect(body.data).toHaveLength(limit);
        cursor = body.pagination.next_cursor;
      }
    };
    expect(await toldTo(fleet.bea)).toContain(mine.id);
    for (const limit of [1, 100]) {
      const told = await toldTo(fleet.bea, limit);
      expect(told.filter((one) => one === theirs.id || one === audit.id)).toEqual([]);
    }
    expect(await toldTo(fleet.ada)).toEqual(expect.arrayContaining([mine.id, theirs.id, audit.id]));
    for (const hidden of [theirs.id, audit.id]) {
      expect((await fleet.bea.get(`/audit?record_id=${hidden}`)).body.data).toEqual([]);
    }
    // The scope is needed as well: the key sees nothing of records that it cannot read.
    const narrow = await fleet.world.as('bea', { scopes: ['audit:read'] });
    expect(await toldTo(narrow)).not.toContain(mine.id);
    const [gone] = (await fleet.bea.get(`/audit?record_id=${id}`)).body.data;
    expect(gone).toMatchObject({ action: 'delete', record_id: id });
  });

  test('are not mentioned when there are none', async () => {
    const id = await target();
    await make('deals', { name: 'Deal', company_id: id });
    expect((await remove(id)).body.data).toEqual({ id, object_type: 'companies', deleted: true });
  });

  test('are reported for each delete of a batch, and again when it is repeated', async () => {
    const [one, two, three] = [await target(), await target(), await target()];
    for (const [agent_id, carrier_id] of [
      [one, two],
      [one, one],
    ]) {
      await make('orders', { agent_id, carrier_id, owner_user_id: bea() });
    }
    const operations = [one, two, three].map((id) => ({ action: 'delete', id }));
    const send = () =>
      batch(fleet.bea, operations, 'companies', { 'idempotency-key': 'three-deletes' });
    const result = { action: 'delete', status: 'succeeded' };
    const first = await send();
    expect(first.body.data.results).toEqual([
      { ...result, id: one, cleared_references: { orders: 2 } },
      { ...result, id: two, cleared_references: { orders: 1 } },
      { ...result, id: three },
    ]);
    const again = await send();
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body]);
  });
});
