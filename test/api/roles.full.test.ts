// Roles over HTTP: their readers, and changes, which are always a part of the definition.

import { describe, expect, test, vi } from 'vitest';
import { type Client, refusalOf } from '../client.ts';
import { useRestoredWorld } from '../restored-world.ts';
import { type Ask, openAsk } from '../signed-in.ts';
import { ACME, type World } from '../world.ts';

let world: World;
let ada: Client;
let adaHerself: Ask;

/** A refusal leaves no trace. */
const untouched = useRestoredWorld(async (own) => {
  world = own;
  ada = await own.as('ada');
  adaHerself = openAsk(own, 'ada');
});

const definition = async () => {
  const [row] = await world.rows(
    `select revision, document, patch from _definitions where in_force`,
  );
  // biome-ignore lint/suspicious/noExplicitAny: documents of any form
  return row as any;
};
const people = () => world.rows(`select email, name, roles, active from _users order by email`);
const CLERK = {
  key: 'clerk',
  name: 'Clerk',
  developer: true,
  objects: { deals: { read: 'organisation', fields: { secret: 'none' } } },
};

describe('reading', () => {
  test('an administrator sees all, and how many have them', async () => {
    const { data } = (await ada.get('/roles')).body;
    const byKey = Object.fromEntries(data.map((role: { key: string }) => [role.key, role]));
    expect(Object.keys(byKey)).toEqual(['admin', ...Object.keys(ACME.roles)]);
    expect(byKey.admin).toMatchObject({ name: 'Administrator', administrator: true, people: 3 });
    expect(byKey.rep).toEqual({
      ...{ key: 'rep', name: 'rep', administrator: false, developer: true, directory: false },
      ...{ assign_owner: false, second_factor: 'optional', people: 3 },
      objects: {
        deals: {
          create: 'own',
          read: 'own',
          update: 'own',
          fields: { secret: 'none', code: 'read' },
        },
        companies: { read: 'organisation', fields: { revenue: 'none' } },
        boats: { create: 'own', read: 'own', fields: {} },
      },
    });
  });

  test('others see their own roles, without parts they cannot read', async () => {
    const rob = await world.as('rob');
    const { data } = (await rob.get('/roles')).body;
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ key: 'rep', people: null });
    expect(data[0].objects.deals.fields).toEqual({ code: 'read' });
    expect(JSON.stringify(data)).not.toMatch(/secret|revenue/);
    const narrow = await world.as('rob', { scopes: ['workspace:write', 'users:read'] });
    expect(refusalOf(await narrow.get('/roles'))).toEqual([403, 'insufficient_scope', undefined]);
  });
});

describe('writing', () => {
  test('a role is made, given, changed and taken away', async () => {
    const before = await definition();
    const made = await ada.post('/roles', CLERK);
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        ...CLERK,
        ...{
          administrator: false,
          directory: false,
          assign_owner: false,
          second_factor: 'optional',
          people: 0,
        },
        objects: { deals: { read: 'organisation', fields: { secret: 'none' } } },
      },
    ]);
    const after = await definition();
    expect(after.revision).toBe(before.revision + 1);
    const { key: _, ...entry } = CLERK;
    expect(after.document.roles).toEqual({ ...before.document.roles, clerk: entry });
    expect({ ...after.document, roles: 0 }).toEqual({ ...before.document, roles: 0 });
    await vi.waitFor(async () => {
      const given = await ada.patch(`/users/${world.users.rob}`, { roles: ['clerk'] });
      expect(given.body.data?.roles).toEqual(['clerk']);
    }, 60_000);
    const held = await ada.delete('/roles/clerk');
    expect(refusalOf(held)).toEqual([409, 'conflict', 'role_key']);
    expect(held.body.error.message).toContain('1 person has');
    const patch = {
      developer: null,
      objects: { deals: { read: null, create: 'own' }, boats: { read: 'own' } },
    };
    const changed = await ada.patch('/roles/clerk', patch);
    expect(changed.body.data).toMatchObject({
      ...{ developer: false, people: 1 },
      objects: { deals: { create: 'own', fields: { secret: 'none' } }, boats: { read: 'own' } },
    });
    expect(changed.body.data.objects.deals.read).toBeUndefined();
    await ada.patch(`/users/${world.users.rob}`, { roles: ['rep'] });
    const deleted = await ada.delete('/roles/clerk');
    expect(deleted.body).toEqual({ data: { key: 'clerk', deleted: true } });
    expect((await definition()).document.roles).toEqual(before.document.roles);
    const rows = await world.rows(
      `select user_id, subject_id, action, changed_fields from _audit
        where subject_type in ('role', 'definition') order by transaction, id`,
    );
    expect(
      rows.map((row) => [row.user_id, row.subject_id, row.action, row.changed_fields]),
    ).toEqual([
      [
        world.users.ada,
        'clerk',
        'create',
        expect.arrayContaining(['name', 'objects', 'developer']),
      ],
      [world.users.ada, 'clerk', 'update', expect.arrayContaining(['objects', 'developer'])],
      [world.users.ada, 'clerk', 'delete', expect.arrayContaining(['name', 'objects'])],
    ]);
  });

  test('a request without a difference makes no revision', async () => {
    const answer = await ada.patch('/roles/rep', { developer: true, directory: null });
    expect([answer.status, answer.body.data.key]).toEqual([200, 'rep']);
    expect(await world.digest()).toBe(untouched());
  });

  test('people stay as they were made over HTTP, whatever the document said of them', async () => {
    await ada.patch(`/users/${world.users.rob}`, { name: 'Robert', roles: ['manager'] });
    await ada.patch(`/users/${world.users.sam}`, { active: false });
    await ada.post('/users', { email: 'nia@acme.example', name: 'Nia', roles: ['rep'] });
    const [north] = (await ada.get('/teams')).body.data;
    const nia = (await ada.get('/users?q=nia')).body.data[0];
    await ada.put(`/users/${nia.id}/teams`, { team_ids: [north.id] });
    const params = { user_id: world.users.rae };
    await adaHerself('updateUser', { params, body: { email: 'rae.new@acme.example' } });
    const before = [await people(), (await ada.get('/teams')).body];
    expect((await ada.post('/roles', CLERK)).status).toBe(201);
    expect([await people(), (await ada.get('/teams')).body]).toEqual(before);
    // The document has them as they are: applying it changes no person.
    const { patch, revision } = await definition();
    expect(patch.users['rob@acme.example']).toMatchObject({ name: 'Robert', roles: ['manager'] });
    expect(patch.users['nia@acme.example']).toMatchObject({ roles: ['rep'] });
    expect(Object.keys(patch.users)).not.toContain('rae@acme.example');
    await world.apply(patch);
    expect([await people(), (await ada.get('/teams')).body]).toEqual(before);
    expect((await definition()).revision).toBe(revision);
  });

  test('the definition shows people as they are, and applying it changes no person', async () => {
    const shown = async (form: string) =>
      (await ada.get(`/definition?form=${form}`)).body.data[form];
    expect((await shown('document')).users['rob@acme.example'].roles).toEqual(['rep']);
    await ada.patch(`/users/${world.users.rob}`, { roles: ['manager'], active: false });
    const [, south] = (await ada.get('/teams')).body.data;
    await ada.put(`/users/${world.users.sam}/teams`, { team_ids: [] });
    await ada.put(`/users/${world.users.mia}/teams`, { team_ids: [south.id] });
    const before = [await people(), (await ada.get('/teams')).body];
    for (const form of ['document', 'patch']) {
      const document = await shown(form);
      expect(document.users['rob@acme.example']).toMatchObject({
        roles: ['manager'],
        active: false,
      });
      expect(document.teams.South.members).toEqual(['mia@acme.example']);
      const { changes, problems } = (await ada.post('/definition/plan', { [form]: document })).body
        .data;
      expect([changes, problems]).toEqual([[], []]);
    }
    const patch = { ...(await shown('patch')), name: 'Acme Inc' };
    await world.apply(patch);
    expect([await people(), (await ada.get('/teams')).body]).toEqual(before);
  });

  test('a role of the base loses its grants there, and goes', async () => {
    const boss = { key: 'boss', administrator: true };
    expect((await adaHerself('createRole', { body: boss })).status).toBe(201);
    const body = { roles: ['boss'] };
    for (const name of ['ada', 'bot', 'zed'] as const) {
      const params = { user_id: world.users[name] };
      expect((await adaHerself('updateUser', { params, body })).status).toBe(200);
    }
    const changed = await adaHerself('updateRole', {
      ...{ params: { role_key: 'admin' }, body: { administrator: null, directory: true } },
    });
    expect(changed.body.data).toMatchObject({ administrator: false, directory: true });
    expect((await definition()).document.roles.admin).toEqual({
      name: 'Administrator',
      directory: true,
    });
    expect((await adaHerself('deleteRole', { params: { role_key: 'admin' } })).status).toBe(200);
    expect((await definition()).document.roles.admin).toBeUndefined();
    expect((await definition()).patch.roles.admin).toBeNull();
  });

  test('at the same time: none is lost, and none is refused for the others', async () => {
    const keys = Array.from({ length: 12 }, (_, number) => `role_${number}`);
    const answers = await Promise.all(keys.map((key) => ada.post('/roles', { key })));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(Object.keys((await definition()).document.roles)).toEqual(expect.arrayContaining(keys));
  });

  test('an administrator stays, and administrators are not a matter of keys', async () => {
    const admin = { role_key: 'admin' };
    const cases = [
      ['updateRole', { params: admin, body: { administrator: false } }, '409 conflict'],
      ['deleteRole', { params: admin }, '409 conflict'],
    ] as const;
    for (const [operation, asked, expected] of cases) {
      const { status, body } = await adaHerself(operation, asked);
      expect(`${status} ${body.error?.code}`).toBe(expected);
    }
    const byKey = [
      await ada.patch('/roles/admin', { administrator: false }),
      await ada.patch('/roles/rep', { administrator: true }),
      await ada.post('/roles', { key: 'boss', administrator: true }),
      await ada.delete('/roles/admin'),
    ];
    for (const answer of byKey)
      expect(refusalOf(answer)).toEqual([403, 'permission_denied', 'roles']);
    expect(await world.digest()).toBe(untouched());
  });

  test.each([
    ['POST', '', { ...CLERK, key: 'rep' }, [409, 'conflict', 'role_key']],
    ['POST', '', { ...CLERK, key: 'Clerk' }, [400, 'validation_failed', 'key']],
    ['POST', '', { name: 'Clerk' }, [400, 'validation_failed', 'key']],
    ['POST', '', { ...CLERK, admin: true }, [400, 'validation_failed', 'admin']],
    ['POST', '', { ...CLERK, name: 'a\nb' }, [400, 'validation_failed', 'name']],
    ['POST', '', { ...CLERK, developer: 'yes' }, [400, 'validation_failed', 'developer']],
    ['POST', '', { ...CLERK, objects: { boat: {} } }, [422, 'invalid_write', 'objects.boat']],
    [
      'POST',
      '',
      { ...CLERK, objects: { boats: { fields: { x: 'none' } } } },
      [422, 'invalid_write', 'objects.boats.fields.x'],
    ],
    ['PATCH', '/nobody', {}, [404, 'record_not_found', 'role_key']],
    ['PATCH', '/X', {}, [404, 'record_not_found', 'role_key']],
    ['PATCH', '/rep', { key: 'x' }, [400, 'validation_failed', 'key']],
    ['DELETE', '/nobody', undefined, [404, 'record_not_found', 'role_key']],
    ['DELETE', '/rep', undefined, [409, 'conflict', 'role_key']],
  ])('%s %s %j', async (method, path, body, expected) => {
    expect(refusalOf(await ada.request(method, `/roles${path}`, { body }))).toEqual(expected);
    expect(await world.digest()).toBe(untouched());
  });

  test.each([
    ['mia', undefined, 'permission_denied'],
    ['ada', ['workspace:read', 'keys:write'], 'insufficient_scope'],
  ] as const)('%s with %j', async (person, scopes, code) => {
    const client = await world.as(person, scopes === undefined ? {} : { scopes });
    const answers = [
      await client.post('/roles', CLERK),
      await client.patch('/roles/rep', { name: 'x' }),
      await client.delete('/roles/contractor'),
      await client.delete('/roles/nobody'),
    ];
    for (const answer of answers) expect(refusalOf(answer)).toEqual([403, code, undefined]);
    expect(await world.digest()).toBe(untouched());
  });
});
