// Administrative actions are in the audit of the workspace, as far as their transaction is committed.

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AdministrativeEvent,
  administrativeActor,
  appendAdministrativeAudit,
  auditedActor,
  OPERATOR,
} from '../../src/control/workspace/administrative-audit.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
beforeAll(async () => {
  own = await createMigratedDatabase();
  await createWorkspace(own.db, { slug: 'acme' });
});
afterAll(() => own?.drop());

const REVOKED: AdministrativeEvent = { subject_type: 'key', subject_id: 'k1', action: 'revoke' };
const RENAMED: AdministrativeEvent = {
  ...{ subject_type: 'user', subject_id: '7', action: 'update' },
  changed_fields: ['name', 'title'],
};
const COLUMNS = `user_id, source, request_id, object_type, record_id, subject_type, subject_id, action,
  changed_fields`;

test('one statement appends all events of a change, with its transaction', async () => {
  const before = own.stats.statements;
  await appendAdministrativeAudit(own.db, 'ws_acme', OPERATOR, [REVOKED, RENAMED]);
  await appendAdministrativeAudit(own.db, 'ws_acme', OPERATOR, []);
  expect(own.stats.statements - before).toBe(1);
  const undone = own.db.transaction(async (tx) => {
    await appendAdministrativeAudit(tx, 'ws_acme', OPERATOR, [REVOKED]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  const empty = { user_id: null, request_id: null, object_type: null, record_id: null };
  expect(await own.rows(`select ${COLUMNS} from ws_acme._audit order by id`)).toEqual([
    { ...empty, source: 'cli', ...REVOKED, changed_fields: [] },
    { ...empty, source: 'cli', ...RENAMED },
  ]);
});

const NOBODY = {
  ...{ user_id: null, api_key_id: null, api_key_prefix: null, session_id: null },
  ...{ source: 'cli', request_id: null },
};
const actorOf = (principal: object, requestId: string | null) =>
  administrativeActor({ user: { id: 3 }, principal } as unknown as Caller, requestId);

test.each([
  ['an operator', OPERATOR, {}],
  [
    'a key',
    actorOf({ kind: 'key', id: 'k', prefix: 'wrs_x' }, 'r1'),
    { user_id: 3, api_key_id: 'k', api_key_prefix: 'wrs_x', source: 'api', request_id: 'r1' },
  ],
  [
    'a session',
    actorOf({ kind: 'session', id: 's' }, 'r1'),
    { user_id: 3, session_id: 's', source: 'api', request_id: 'r1' },
  ],
  ['an import', actorOf({ kind: 'import' }, null), { user_id: 3, source: 'import' }],
  [
    'a command that changes many records',
    actorOf({ kind: 'bulk', scopes: [] }, 'cmd_1'),
    { user_id: 3, source: 'cli', request_id: 'cmd_1' },
  ],
  [
    'somebody who signs in',
    { kind: 'sign_in', user_id: 3, session_id: 's', request_id: 'r1' },
    { user_id: 3, session_id: 's', source: 'api', request_id: 'r1' },
  ],
] as const)('%s has names in the audit, which a job keeps', (_, actor, named) => {
  const audited = auditedActor(actor);
  expect(audited).toEqual({ ...NOBODY, ...named });
  expect(auditedActor({ kind: 'job', asked_by: audited })).toEqual(audited);
});

test('a row is either of a record or of a subject', async () => {
  const insert = (columns: string, values: string) =>
    own.rows(`insert into ws_acme._audit (source, action, changed_fields, ${columns})
      values ('cli', 'update', '{}', ${values})`);
  const record = `'deals', '01890a5d-ac96-774b-bcce-b302099a8057'`;
  await expect(insert('user_id', '1')).rejects.toThrow('_audit_subject_check');
  await expect(insert('object_type', `'deals'`)).rejects.toThrow('_audit_subject_check');
  const both = insert('object_type, record_id, subject_type', `${record}, 'key'`);
  await expect(both).rejects.toThrow('_audit_subject_check');
});
