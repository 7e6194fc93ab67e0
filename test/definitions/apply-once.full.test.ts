// One change of a definition finds its changes once and checks the whole data once; and what has changed between a
// check and the lock is found and judged again.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockPeople } from '../../src/control/people/people.ts';
import { OPERATOR } from '../../src/control/workspace/administrative-audit.ts';
import { loadDefinition, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { apply, applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import {
  applyPlanned,
  findPlanned,
  isLongToApply,
  loadPlanned,
  planForRequest,
} from '../../src/definitions/apply/definition-requests.ts';
import { findChanges } from '../../src/definitions/apply/found-changes.ts';
import { requireGoodDefinition } from '../../src/definitions/document/definition-input.ts';
import type { ChangeView } from '../../src/model/definition/revision.ts';
import {
  type Database,
  type Queryable,
  type QueryOptions,
  wrapDatabase,
} from '../../src/postgres/db.ts';
import { runOnce } from '../../src/postgres/run-once.ts';
import { identifier, type Statement, sql } from '../../src/sql/sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, lacks, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
/** The same database, with a note of each statement. */
let db: Database;
const texts: string[] = [];
let workspace: WorkspaceRow;
let schema: string;
let number = 0;

beforeAll(async () => {
  own = await createMigratedDatabase();
  db = noteStatements(own.db);
});
afterAll(() => own?.drop());

function noteStatements(database: Database): Database {
  const noted = <Sender extends Queryable>(sender: Sender): Sender => ({
    ...sender,
    query(statement: Statement, options?: QueryOptions) {
      texts.push(statement.text);
      return sender.query(statement, options);
    },
  });
  return wrapDatabase(database, (server) => ({
    ...noted(server),
    transaction: (work, options) => server.transaction((tx) => work(noted(tx)), options),
  }));
}

const PEOPLE = {
  roles: {
    admin: { name: 'Admin', administrator: true },
    rep: { name: 'Rep' },
    guest: { name: 'Guest' },
  },
  users: {
    'ada@example.com': { name: 'Ada', roles: ['admin'] },
    'rob@example.com': { name: 'Rob', roles: ['rep'] },
  },
};

const carsWith = (fields: object) => ({
  ...PEOPLE,
  objects: {
    cars: {
      name: 'Cars',
      singular_name: 'Car',
      fields: { name: { type: 'text' }, size: { type: 'text' }, ...fields },
    },
  },
});
const CARS = carsWith({});

beforeEach(async () => {
  number += 1;
  workspace = await createWorkspace(db, { slug: `once-${number}`, document: CARS });
  schema = `"${workspace.schema}"`;
  texts.length = 0;
});

/**
 * How often changes were found, which loads the definition in force; and how often all sizes were judged, and those of
 * single records.
 */
const counts = () => {
  const sizes = texts.filter((text) => text.startsWith('select id, "size" as value'));
  const single = sizes.filter((text) => text.includes('id = any('));
  return {
    found: texts.filter((text) => text.startsWith('select document, patch, storage')).length,
    judged: sizes.length - single.length,
    again: single.length,
  };
};

const addCar = (id: string, size: string) =>
  own.rowsNear(
    workspace.schema,
    `insert into ${schema}.cars (id, created_by_user_id, name, size) values ($1, 1, 'A', $2)`,
    [id, size],
  );

const rolesOf = (email: string, roles: string) =>
  own.rowsNear(workspace.schema, `update ${schema}._users set roles = $2 where email = $1`, [
    email,
    roles,
  ]);

const columnsOf = async () => {
  const rows = await own.rowsNear(
    workspace.schema,
    `select column_name as name from information_schema.columns
      where table_schema = $1 and table_name = 'cars' order by 1`,
    [workspace.schema],
  );
  return rows.map(({ name }) => name);
};

/** A request, from the check of its plan to its end. */
async function applyByRequest(document: unknown, allow: readonly string[] = []) {
  const input = { patch: document };
  const { plan_id } = await planForRequest(db, workspace.id, input, true);
  texts.length = 0;
  const before = own.stats.statements;
  const request = { input, plan_id: plan_id as string, allow, revisions: ['1'] };
  const planned = await loadPlanned(db, workspace.id, request);
  const found = await findPlanned(db, planned, OPERATOR);
  expect(await isLongToApply(db, found.found)).toBe(false);
  const { revision } = await applyPlanned(db, found, { actor: OPERATOR });
  expect(revision).toBe(2);
  return { ...counts(), statements: own.stats.statements - before };
}

describe('when nothing else changes', () => {
  test('a request finds once', async () => {
    const { statements, ...once } = await applyByRequest(carsWith({ wheels: { type: 'text' } }));
    expect(once).toEqual({ found: 1, judged: 0, again: 0 });
    if (!lacks('plans')) expect(statements).toBe(35);
  });

  test('values are judged once, and then those that were written since', async () => {
    await addCar('00000000-0000-4000-8000-000000000001', '12');
    expect(await applyByRequest(carsWith({ size: { type: 'integer' } }))).toMatchObject({
      found: 1,
      judged: 1,
      again: 2,
    });
  });

  test('a command too, also when everything is as it should be', async () => {
    await applyDefinition(db, workspace.slug, carsWith({ wheels: { type: 'text' } }));
    expect(counts().found).toBe(1);
    await applyDefinition(db, workspace.slug, carsWith({ wheels: { type: 'text' } }));
    expect(counts().found).toBe(2);
  });

  test('the first definition of a workspace is applied like any other', async () => {
    expect(await makeNamed()).toEqual({
      name: 'Given',
      revision: 1,
      storage: {},
      audited: [],
      changes: [
        'objects.cars',
        'roles.admin',
        'roles.rep',
        'roles.guest',
        'users.ada@example.com',
        'users.rob@example.com',
      ],
    });
  });
});

/** A workspace whose name is given, whatever its document says. */
async function makeNamed() {
  const document = { ...CARS, name: 'Of the document', sort_locale: 'de' };
  const made = await createWorkspace(db, { slug: `named-${number}`, name: 'Given', document });
  const [row] = await own.rowsNear(
    made.schema,
    `select storage, changes from "${made.schema}"._definitions where in_force`,
  );
  const { storage, changes } = row as { storage: unknown; changes: readonly ChangeView[] };
  const ours = changes.filter(({ path }) => /cars|roles\.|users\./.test(path));
  const audited = await own.rowsNear(made.schema, `select * from "${made.schema}"._audit`);
  const { name, revision } = made;
  return { name, revision, storage, audited, changes: ours.map(({ path }) => path) };
}

/** The changes that a request has found, and what applies them later. */
async function findBefore(document: unknown) {
  const documents = await requireGoodDefinition({ patch: document });
  const found = await findChanges(db, workspace, documents, {});
  const applyFound = () => apply<never>(db, workspace, { documents, found }, {});
  return { applyFound, storage: found.storage };
}

describe('changes since the changes were found', () => {
  test('another revision', async () => {
    const { applyFound } = await findBefore(carsWith({ wheels: { type: 'text' } }));
    await applyDefinition(db, workspace.slug, carsWith({ doors: { type: 'text' } }));
    await expect(applyFound()).rejects.toThrow('--allow-drop cars.doors');
    expect(counts().found).toBe(3);
    expect(await columnsOf()).not.toContain('wheels');
  });

  test('people', async () => {
    const { guest: _, ...roles } = PEOPLE.roles;
    const { users: __, ...silent } = CARS;
    const { applyFound } = await findBefore({ ...silent, roles });
    await rolesOf('rob@example.com', '{rep,guest}');
    await expect(applyFound()).rejects.toThrow('role guest: 1 person has it');
    expect(counts().found).toBe(2);
  });

  test('data that is left over and has the name that was found', async () => {
    const { applyFound, storage } = await findBefore(carsWith({ size: { type: 'integer' } }));
    const name = storage.cars?.columns?.size;
    expect(name).toMatch(/^size./);
    await own.rowsNear(workspace.schema, `alter table ${schema}.cars add column "${name}" text`);
    await own.rowsNear(
      workspace.schema,
      `insert into ${schema}._leftovers (kind, table_name, name) values ('column', 'cars', $1)`,
      [name],
    );
    await applyFound();
    expect(counts().found).toBe(2);
    const now = await loadDefinition(db, { ...workspace, revision: 2 });
    expect(now?.storage.cars?.columns?.size).not.toBe(name);
  });

  test('records: the data is judged when it is applied', async () => {
    const { applyFound } = await findBefore(carsWith({ size: { type: 'integer' } }));
    await addCar('00000000-0000-4000-8000-000000000001', 'large');
    await expect(applyFound()).rejects.toThrow('"large"');
    expect(counts()).toEqual({ found: 1, judged: 1, again: 0 });
  });
});

test.skipIf(lacks('locks'))('people who change while the change waits for its lock', async () => {
  const { guest: _, ...roles } = PEOPLE.roles;
  const { users: __, ...silent } = CARS;
  const documents = await requireGoodDefinition({ patch: { ...silent, roles } });
  const applying = await db.transaction(async (tx) => {
    await lockPeople(tx, workspace.id);
    await runOnce(
      tx,
      sql`update ${identifier(workspace.schema, '_users')}
      set roles = '{guest}' where email = 'rob@example.com'`,
    );
    const waiting = apply<never>(db, workspace, { documents }, {});
    waiting.catch(() => undefined);
    await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
    return { waiting };
  });
  await expect(applying.waiting).rejects.toThrow('role guest: 1 person has it');
  expect(counts().found).toBe(2);
});

/** True when a session waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const [row] = await own.rows(
    `select exists (select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()) as waits`,
  );
  return row?.waits === true;
}
