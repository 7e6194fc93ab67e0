// The one place that answers permission questions: unions of roles, reach, fields, scopes.

import { describe, expect, test } from 'vitest';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import type { Reach, RecordAction } from '../../src/model/definition/model.ts';
import {
  accessOf,
  canReadField,
  canWriteField,
  isFieldOfType,
  isWithinReach,
  objectAccess,
  permissionsOf,
  reachOf,
} from '../../src/model/rights/access.ts';
import {
  callerOf,
  fieldOf,
  objectOf,
  SAMPLE_DOCUMENT,
  SAMPLE_IDENTITY,
  sampleModel,
} from '../sample-definition.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const parts = objectOf(model, 'parts');
const ledgers = objectOf(model, 'ledgers');
const ACTIONS: readonly RecordAction[] = ['create', 'read', 'update', 'delete'];

describe('the union of roles', () => {
  const cases: readonly (readonly [
    roles: string[],
    create: unknown,
    read: unknown,
    update: unknown,
  ])[] = [
    [[], null, null, null],
    [['no such role'], null, null, null],
    [['own'], 'own', 'own', 'own'],
    [['team', 'own'], 'team', 'team', 'team'],
    [['own', 'team', 'organisation'], 'organisation', 'organisation', 'organisation'],
    [['reader'], null, 'organisation', null],
    [['reader', 'own'], 'own', 'organisation', 'own'],
    [['creator', 'updater'], 'own', 'organisation', 'own'],
    [['admin'], 'organisation', 'organisation', 'organisation'],
    [['no such role', 'team'], 'team', 'team', 'team'],
  ];

  test.each(cases)('%j', (roles, create, read, update) => {
    const { reach } = accessOf(model, roles).objects.get('gadgets') ?? { reach: {} };
    expect(reach).toMatchObject({ create, read, update });
  });

  test('does not depend on the order of the roles, and is compiled once', () => {
    expect(accessOf(model, ['own', 'reader'])).toBe(accessOf(model, ['reader', 'own']));
    expect(accessOf(sampleModel(), ['own'])).not.toBe(accessOf(model, ['own']));
  });

  test('a role without a grant on an object has no right there', () => {
    const access = accessOf(model, ['reader']).objects.get('ledgers');
    expect(access?.reach).toEqual({ create: null, read: null, update: null, delete: null });
    expect(access?.readable.has('title')).toBe(false);
  });

  test('flags are those of any role; an administrator has all', () => {
    const flags = (roles: readonly string[]) => {
      const { administrator, developer, directory, assign_owner } = accessOf(model, roles);
      return { administrator, developer, directory, assign_owner };
    };
    const none = { administrator: false, developer: false, directory: false, assign_owner: false };
    expect(flags(['own', 'reader'])).toEqual(none);
    expect(flags(['own', 'organisation'])).toEqual({ ...none, assign_owner: true });
    expect(flags(['own', 'admin'])).toEqual({
      administrator: true,
      developer: true,
      directory: true,
      assign_owner: true,
    });
  });
});

describe('fields', () => {
  const cases: readonly (readonly [
    roles: string[],
    key: string,
    access: 'none' | 'read' | 'write',
  ])[] = [
    [['organisation'], 'secret', 'write'],
    [['organisation'], 'x_secret', 'write'],
    [['organisation'], 'a_text', 'write'],
    [['veiled'], 'secret', 'none'],
    [['veiled'], 'x_secret', 'none'],
    [['veiled'], 'a_text', 'read'],
    [['veiled'], 'a_number', 'write'],
    [['veiled', 'nameless'], 'secret', 'write'],
    [['veiled', 'nameless'], 'name', 'write'],
    [['nameless'], 'name', 'none'],
    [['veiled', 'admin'], 'secret', 'write'],
    [[], 'a_text', 'none'],
    [['fixed_owner'], 'owner_user_id', 'read'],
    [['fixed_owner', 'own'], 'owner_user_id', 'write'],
    [['own'], 'owner_user_id', 'write'],
    [['veiled'], 'id', 'write'],
    [['veiled'], 'status', 'write'],
    [['veiled'], 'created_at', 'write'],
    [[], 'id', 'none'],
  ];

  test.each(cases)('%j: %s is %s', (roles, key, access) => {
    const caller = callerOf(model, roles);
    const field = fieldOf(gadgets, key);
    expect(canReadField(caller, gadgets, field)).toBe(access !== 'none');
    expect(canWriteField(caller, gadgets, field)).toBe(access === 'write');
  });

  test('grants on one object do not extend to another', () => {
    const caller = callerOf(model, ['veiled']);
    expect(canReadField(caller, parts, fieldOf(parts, 'label'))).toBe(false);
  });
});

describe('scopes of the key', () => {
  const cases: readonly (readonly [scopes: string[], allowed: RecordAction[]])[] = [
    [[], []],
    [['records:read'], ['read']],
    [['records:write'], ['create', 'update']],
    [['records:delete'], ['delete']],
    [
      ['records:read', 'records:write', 'records:delete'],
      ['create', 'read', 'update', 'delete'],
    ],
    [['users:read', 'comments:read', 'comments:write'], []],
    [['records:*', 'RECORDS:READ'], []],
  ];

  test.each(cases)('%j allow %j', (scopes, allowed) => {
    for (const role of ['organisation', 'admin']) {
      const caller = callerOf(model, [role], { scopes });
      const reachable = ACTIONS.filter((action) => reachOf(caller, gadgets, action) !== null);
      expect(reachable).toEqual(allowed);
      const permissions = permissionsOf(caller, gadgets);
      expect(ACTIONS.filter((action) => permissions[action].allowed)).toEqual(allowed);
    }
  });

  test('never widen the grants of the roles', () => {
    const caller = callerOf(model, ['reader']);
    expect(ACTIONS.map((action) => reachOf(caller, gadgets, action))).toEqual([
      null,
      'organisation',
      null,
      null,
    ]);
  });

  test('an object without compiled rights is a broken invariant', () => {
    const other = compileModel(SAMPLE_IDENTITY, {
      objects: { spares: { name: 'Spares', singular_name: 'Spare', fields: {} } },
    });
    const caller = callerOf(model, ['admin']);
    expect(() => objectAccess(caller, objectOf(other, 'spares'))).toThrow(/no access compiled/);
  });
});

describe('advisory permissions (§2.3)', () => {
  const SCOPES_OF: Readonly<Record<Reach, readonly string[]>> = {
    own: ['owned_by_user'],
    team: ['owned_by_user', 'owned_by_team'],
    organisation: ['owned_by_user', 'owned_by_team', 'org_wide'],
  };

  test.each(['own', 'team', 'organisation'] as const)('%s', (reach) => {
    const expected = { allowed: true, scopes: SCOPES_OF[reach] };
    const caller = callerOf(model, [reach]);
    expect(permissionsOf(caller, gadgets)).toEqual({
      create: expected,
      read: expected,
      update: expected,
      delete: expected,
    });
  });

  test('actions that the object does not support are allowed to nobody', () => {
    const denied = { allowed: false, scopes: [] };
    for (const role of ['organisation', 'admin']) {
      expect(permissionsOf(callerOf(model, [role]), ledgers)).toEqual({
        create: denied,
        read: { allowed: true, scopes: SCOPES_OF.organisation },
        update: denied,
        delete: denied,
      });
    }
  });
});

describe('reach', () => {
  const caller = callerOf(model, ['own'], { id: 1, colleagues: [2] });
  const cases: readonly (readonly [Reach | null, number | null, boolean])[] = [
    [null, 1, false],
    [null, null, false],
    ['own', 1, true],
    ['own', 2, false],
    ['own', 3, false],
    ['own', null, false],
    ['team', 1, true],
    ['team', 2, true],
    ['team', 3, false],
    ['team', null, false],
    ['organisation', 3, true],
    ['organisation', null, true],
  ];

  test.each(cases)('%s over a record of %s: %s', (reach, owner, expected) => {
    expect(isWithinReach(caller, reach, owner)).toBe(expected);
  });
});

describe('fields of work-item types', () => {
  const workflow = SAMPLE_DOCUMENT.workflows.assembly;
  const type = { name: 'Task', workflow: 'assembly' };
  const work = compileModel(SAMPLE_IDENTITY, {
    objects: {
      work_items: {
        name: 'Work items',
        singular_name: 'Work item',
        fields: {
          title: { type: 'text' },
          work_item_type_id: { type: 'text', required: true },
          severity: { type: 'text' },
        },
      },
    },
    workflows: { assembly: workflow },
    work_item_types: {
      task: { ...type, prefix: 'TASK' },
      bug: { ...type, prefix: 'BUG', fields: ['severity'] },
    },
  } as unknown as DefinitionDocument);
  const items = objectOf(work, 'work_items');

  test.each([
    ['severity', 'bug', true],
    ['severity', 'task', false],
    ['severity', null, false],
    ['severity', 'no such type', false],
    ['title', 'bug', true],
    ['title', 'task', true],
    ['title', null, true],
  ])('%s on %s: %s', (key, typeId, expected) => {
    expect(isFieldOfType(work, items, fieldOf(items, key), typeId)).toBe(expected);
  });

  test('do not extend to other objects', () => {
    expect(isFieldOfType(model, gadgets, fieldOf(gadgets, 'name'), 'bug')).toBe(true);
  });
});
