// People and definition documents: who stays, who leaves, and that an administrator remains, also when a document and
// a request meet.

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { applyDefinition, planDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { runCommandHere } from '../cli/command-here.ts';
import { openAsk } from '../signed-in.ts';
import { ACME, openWorld, type World } from '../world.ts';

let frozen: string;
let world: World;
beforeAll(async () => {
  frozen = await (await openWorld()).freeze();
});
beforeEach(async () => {
  world = await openWorld({}, frozen);
  return () => world.close();
});

const users = (changes: object) => ({ ...ACME, users: { ...ACME.users, ...changes } });
const without = (...emails: readonly string[]) => {
  const kept = Object.entries(ACME.users).filter(([email]) => !emails.includes(email));
  const teams = Object.entries(ACME.teams).map(([name, team]) => {
    return [
      name,
      { ...team, members: team.members.filter((one) => !emails.includes(one)) },
    ] as const;
  });
  return { ...ACME, users: Object.fromEntries(kept), teams: Object.fromEntries(teams) };
};
const plan = (document: unknown) => planDefinition(world.database.db, 'acme', document);
const apply = (document: unknown) => applyDefinition(world.database.db, 'acme', document);
const person = async (name: string) => {
  const [row] = await world.rows(`select active, roles from _users where email = $1`, [
    `${name}@acme.example`,
  ]);
  return row;
};

test('people that a document does not list stay, and the plan says so', async () => {
  expect((await plan(ACME)).notes).toEqual([]);
  const one = without('con@acme.example');
  expect((await plan(one)).notes).toEqual([
    '1 person in the workspace is not in this document; they keep their roles',
  ]);
  const two = without('con@acme.example', 'bea@acme.example', 'zed@acme.example');
  const told = '2 people in the workspace are not in this document; they keep their roles';
  expect((await apply(two)).notes).toEqual([told]);
  expect(await person('con')).toEqual({ active: true, roles: ['contractor'] });
});

test('the command says it too', async () => {
  const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const folder = mkdtempSync(join(tmpdir(), 'records-people-'));
  try {
    const file = join(folder, 'acme.json');
    writeFileSync(file, JSON.stringify({ ...without('con@acme.example'), name: 'Acme Inc' }));
    const { environment } = world.database;
    const args = ['apply', '--workspace', 'acme', file, '--dry-run'];
    const { out, code } = await runCommandHere(environment, ...args);
    expect([code, out]).toEqual([
      0,
      [
        '~ name of the workspace (Acme Inc)',
        'Note: 1 person in the workspace is not in this document; they keep their roles.',
        'acme: 1 change to revision 1, none made (dry run)\n',
      ].join('\n'),
    ]);
    const json = JSON.parse((await runCommandHere(environment, ...args, '--json')).out);
    expect(json.notes).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('null makes a person inactive, once; all others stay, and no person is new', async () => {
  const document = {
    ...without('con@acme.example'),
    users: {
      ...without('con@acme.example').users,
      'con@acme.example': null,
      'x@acme.example': null,
    },
  };
  const planned = await plan(document);
  expect(planned.changes.map(({ summary }) => summary)).toEqual([
    '~ user con@acme.example (active)',
  ]);
  expect(planned.notes).toEqual([]);
  await apply(document);
  expect(await person('con')).toEqual({ active: false, roles: ['contractor'] });
  expect(await person('x')).toBeUndefined();
  const [{ revision }] = (await world.rows(`select revision from _definitions where in_force`)) as [
    { revision: number },
  ];
  await apply(document);
  const [again] = await world.rows(`select revision from _definitions where in_force`);
  expect(again?.revision).toBe(revision);
  // Made active over HTTP, the same document makes them inactive again: it says so of them.
  const ask = openAsk(world, 'ada');
  await ask('updateUser', { params: { user_id: world.users.con }, body: { active: true } });
  expect((await apply(document)).changes).toHaveLength(1);
  expect(await person('con')).toMatchObject({ active: false });
});

/** Apply the present plan over HTTP; `meanwhile` runs in between. */
async function applyInSession(input: object, meanwhile = async () => undefined as unknown) {
  const ada = await world.inSession('ada');
  const { plan_id, changes } = (await ada.post('/definition/plan', input)).body.data;
  await meanwhile();
  const answer = await ada.post('/definition/apply', { ...input, plan_id }, { 'if-match': '*' });
  const summaries = changes.map(({ summary }: { summary: string }) => summary);
  return { ...answer, summaries };
}

test('null in a whole document does so too', async () => {
  const ada = await world.inSession('ada');
  const { document } = (await ada.get('/definition')).body.data;
  const leavers = { 'con@acme.example': null, 'x@acme.example': null };
  const leaving = { ...document, users: { ...document.users, ...leavers } };
  const applied = await applyInSession({ document: leaving });
  expect(applied.summaries).toEqual(['~ user con@acme.example (active)']);
  expect([applied.status, applied.body.data.changes]).toMatchObject([200, [{ action: 'change' }]]);
  expect(await person('con')).toEqual({ active: false, roles: ['contractor'] });
  expect(await person('x')).toBeUndefined();
  // The applied patch is stored, and gives the document again.
  const [{ patch }] = (await world.rows('select patch from _definitions where in_force')) as [
    { patch: { users: Record<string, unknown> } },
  ];
  expect(patch.users['con@acme.example']).toBeNull();
});

test('an administrator stays, whatever takes the last one away', async () => {
  const inactive = users({
    'ada@acme.example': { ...ACME.users['ada@acme.example'], active: false },
  });
  const demoted = users({ 'ada@acme.example': { name: 'Ada', roles: ['rep'] } });
  const gone = { ...without('ada@acme.example') };
  const left = { ...gone, users: { ...gone.users, 'ada@acme.example': null } };
  const powerless = { ...ACME, roles: { ...ACME.roles, admin: { administrator: false } } };
  for (const document of [inactive, demoted, left, powerless]) {
    const { problems } = await plan(document);
    expect(problems.map(({ message }) => message)).toEqual([
      'the workspace would have no active administrator',
    ]);
    const before = await world.digest();
    await expect(apply(document)).rejects.toThrow(
      'the workspace would have no active administrator',
    );
    expect(await world.digest()).toBe(before);
  }
  // As where people and roles are changed one by one.
  const ask = openAsk(world, 'ada');
  const setRoles = (roles: readonly string[]) =>
    ask('updateUser', { params: { user_id: world.users.mia }, body: { roles } });
  await setRoles(['admin']);
  const before = await world.digest();
  const silent = without('mia@acme.example');
  const ada = { ...ACME.users['ada@acme.example'], active: false };
  const input = { patch: { ...silent, users: { ...silent.users, 'ada@acme.example': ada } } };
  const { status, body } = await applyInSession(input, () => setRoles(['manager']));
  expect([status, body.error.code, body.error.param]).toEqual([409, 'conflict', 'users']);
  expect(await world.digest()).not.toBe(before);
  expect(await person('ada')).toMatchObject({ active: true });
  const next = users({
    'ada@acme.example': { ...ACME.users['ada@acme.example'], active: false },
    'mia@acme.example': { name: 'Mia', roles: ['admin'] },
  });
  expect((await apply(next)).problems).toEqual([]);
});

test('an API key makes no administrator, and reactivates none', async () => {
  const key = await world.as('ada');
  const { rows } = world.database;
  await rows(`update ws_acme._users set active = false where email = 'bot@acme.example'`);
  const more = users({ 'mia@acme.example': { name: 'Mia', roles: ['admin'] } });
  const before = await world.digest();
  for (const patch of [ACME, more]) {
    const { plan_id } = (await key.post('/definition/plan', { patch })).body.data;
    const { status, body } = await key.post(
      '/definition/apply',
      { patch, plan_id },
      { 'if-match': '*' },
    );
    expect([status, body.error?.code, body.error?.param]).toEqual([
      ...[403, 'permission_denied', 'roles'],
    ]);
    expect(await world.digest()).toBe(before);
  }
});

test('a role that somebody has is not removed, listed or not', async () => {
  const { contractor: _, ...roles } = ACME.roles;
  const listed = { 'con@acme.example': { name: 'Con', roles: ['rep'] } };
  const { problems } = await plan({ ...without('con@acme.example'), roles });
  expect(problems).toEqual([
    { path: 'roles.contractor', message: 'role contractor: 1 person has it' },
  ]);
  expect((await plan({ ...users(listed), roles })).problems).toEqual([]);
});

test('a document and a request that would each take the last administrator but one', async () => {
  const ask = openAsk(world, 'ada');
  const made = { params: { user_id: world.users.mia }, body: { roles: ['admin'] } };
  expect((await ask('updateUser', made)).status).toBe(200);
  for (let turn = 0; turn < 4; turn += 1) {
    const reset = users({ 'mia@acme.example': { name: 'Mia', roles: ['admin'] } });
    await apply(reset);
    const demoted = users({
      'ada@acme.example': { name: 'Ada', roles: ['manager'] },
      'mia@acme.example': { name: 'Mia', roles: ['admin'] },
    });
    const [applied, asked] = await Promise.allSettled([
      apply(demoted),
      ask('updateUser', { params: { user_id: world.users.mia }, body: { active: false } }),
    ]);
    const [row] = await world.rows(
      `select count(*)::integer as left from _users
        where active and kind = 'user' and 'admin' = any(roles)`,
    );
    expect(row?.left, JSON.stringify([applied, asked])).toBeGreaterThan(0);
  }
});
