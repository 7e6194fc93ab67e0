// The pure parts of the pages for administrators: drafts of roles, addresses of lists, files of the audit.

import type { Access, AuditEntry, Role } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { keyOf, startBody } from '../src/editing/roles/role-start.ts';
import { FORMATS } from '../src/features/audit/audit-file.ts';
import { auditFilterOf, auditSearchOf, recordIdIn } from '../src/features/audit/audit-search.ts';
import {
  isUnfiltered,
  memberFilterOf,
  peopleSearchOf,
  searchParamsOf,
} from '../src/features/people/people-search.ts';
import {
  beyondReading,
  changesOf,
  draftedValue,
  draftedWriting,
  type Edits,
  isLoss,
  limitedFields,
  type Part,
  patchOf,
  withEdit,
} from '../src/features/roles/role-draft.ts';
import { accessInForce } from '../src/ui/rights-words.ts';

const ROLE: Role = {
  ...{ key: 'rep', name: 'Rep', administrator: false, developer: true, directory: false },
  ...{ assign_owner: false, second_factor: 'optional', people: 3 },
  objects: {
    deals: { create: 'own', read: 'team', update: 'own', fields: { secret: 'none' } },
    boats: { read: 'organisation', fields: {} },
  },
};

const reach = (object: string, action: 'read' | 'update' | 'delete'): Part => ({
  ...{ kind: 'reach', object, action },
});

const edited = (...all: readonly (readonly [Part, string])[]) =>
  all.reduce<Edits>((edits, [part, value]) => withEdit(ROLE, edits, part, value), {});

describe('the draft of a role', () => {
  test('an edit shows, and an edit back to what is saved is none', () => {
    const edits = edited([reach('deals', 'read'), 'own']);
    expect(draftedValue(ROLE, edits, reach('deals', 'read'))).toBe('own');
    expect(changesOf(ROLE, edits)).toEqual([
      { part: reach('deals', 'read'), before: 'team', after: 'own' },
    ]);
    expect(withEdit(ROLE, edits, reach('deals', 'read'), 'team')).toEqual({});
    expect(changesOf(ROLE, { 'something else': 'x' })).toEqual([]);
  });

  test('the patch has what changed, and null for what is taken away', () => {
    const secret: Part = { kind: 'field', object: 'deals', field: 'secret' };
    const amount: Part = { kind: 'field', object: 'deals', field: 'amount' };
    const edits = edited(
      [{ kind: 'name' }, ' Representative '],
      [{ kind: 'flag', flag: 'developer' }, 'no'],
      [reach('deals', 'update'), 'none'],
      [secret, 'write'],
      [amount, 'read'],
      [reach('boats', 'read'), 'none'],
      [reach('cars', 'read'), 'own'],
    );
    expect(patchOf(ROLE, edits)).toEqual({
      ...{ name: 'Representative', developer: false },
      objects: {
        deals: { update: null, fields: { secret: null, amount: 'read' } },
        boats: null,
        cars: { read: 'own' },
      },
    });
  });

  test('a narrower reach is a loss, a wider one none, and rights beyond reading are named', () => {
    const changes = changesOf(
      ROLE,
      edited([reach('deals', 'read'), 'own'], [reach('deals', 'delete'), 'team']),
    );
    expect(changes.map(isLoss)).toEqual([true, false]);
    expect(beyondReading(ROLE, {}, 'deals')).toEqual([]);
    const edits = edited([reach('deals', 'read'), 'own'], [reach('deals', 'delete'), 'team']);
    expect(beyondReading(ROLE, edits, 'deals')).toEqual(['delete']);
  });

  test('fields are written only with records that may be changed or created', () => {
    const none = edited([reach('deals', 'update'), 'none']);
    expect(draftedWriting(ROLE, {}, 'deals')).toBe('all');
    expect(draftedWriting(ROLE, none, 'deals')).toBe('new');
    expect(draftedWriting(ROLE, none, 'boats')).toBe('none');
    expect(accessInForce('write', 'none')).toBe('read');
    expect([accessInForce('write', 'new'), accessInForce('none', 'none')]).toEqual([
      'write',
      'none',
    ]);
    const secret: Part = { kind: 'field', object: 'boats', field: 'secret' };
    const name: Part = { kind: 'field', object: 'boats', field: 'name' };
    const limited = edited([secret, 'none'], [name, 'read']);
    expect(limitedFields(ROLE, limited, 'boats', ['secret', 'name', 'note'])).toEqual(['secret']);
  });

  test('a new role begins with the permissions of another, without its name and key', () => {
    expect(startBody(ROLE, [])).toEqual({
      ...{
        administrator: false,
        developer: true,
        directory: false,
        assign_owner: false,
        second_factor: 'optional',
      },
      objects: {
        deals: { create: 'own', read: 'team', update: 'own', fields: { secret: 'none' } },
        boats: { read: 'organisation' },
      },
    });
  });

  test('a new role begins with all records to read or also to write, as each object supports', () => {
    const actionsOf = (isWritten: boolean) => {
      const action = (supported: boolean) => ({ supported, reach: null, roles: [] });
      const [written, read] = [action(isWritten), action(true)];
      return { read, create: written, update: written, delete: action(false) };
    };
    const objects: Access['objects'] = [
      { object_type: 'deals', name: 'Deals', actions: actionsOf(true), fields: [] },
      { object_type: 'events', name: 'Events', actions: actionsOf(false), fields: [] },
    ];
    const read = { read: 'organisation' };
    expect(startBody('nothing', objects)).toEqual({});
    expect(startBody('read', objects)).toEqual({
      directory: true,
      objects: { deals: read, events: read },
    });
    expect(startBody('write', objects)).toEqual({
      ...{ directory: true, assign_owner: true },
      objects: {
        deals: { ...read, create: 'organisation', update: 'organisation' },
        events: read,
      },
    });
  });

  test.each([
    ['Sales agent', 'sales_agent'],
    ['Büro (Süd)', 'buero_sued'],
    ['2nd level', 'nd_level'],
    ['—', ''],
  ])('the key of %s is %s', (name, key) => {
    expect(keyOf(name)).toBe(key);
  });
});

describe('the address of people', () => {
  test('has only what differs, and nothing without a meaning', () => {
    const search = peopleSearchOf({ q: 'a', role: 'A B', team: '7', kind: 'robots', state: 'all' });
    expect(search).toEqual({ q: 'a', role: '', team: '7', kind: 'user', state: 'all' });
    expect(searchParamsOf(search)).toEqual({ q: 'a', team: '7', state: 'all' });
    expect(memberFilterOf(search)).toEqual({ q: 'a', team_id: 7, kind: 'user' });
    expect([isUnfiltered(search), isUnfiltered(peopleSearchOf({}))]).toEqual([false, true]);
    expect(memberFilterOf(peopleSearchOf({}))).toEqual({ kind: 'user', active: true });
  });
});

const ID = '01900000-0000-7000-8000-00000000000a';

describe('the audit', () => {
  test('its address is read and written, without what has no meaning', () => {
    const search = {
      ...{ user_id: '7', key_id: 'x', object_type: 'deals', record_id: ID, action: 'update' },
      ...{ subject_type: 'nothing', since: '2026-11-01T00:00:00.000Z', until: 'tomorrow' },
    };
    const filter = auditFilterOf(search);
    expect(filter).toEqual({
      ...{ user_id: 7, object_type: 'deals', record_id: ID, action: 'update' },
      since: '2026-11-01T00:00:00.000Z',
    });
    expect(auditFilterOf(auditSearchOf(filter))).toEqual(filter);
    expect(auditSearchOf({ action: '', user_id: undefined })).toEqual({});
  });

  test('an id is found in an address', () => {
    expect(recordIdIn(`https://crm.example/app/acme/o/deals/${ID.toUpperCase()}?x`)).toBe(ID);
    expect(recordIdIn('deals')).toBeUndefined();
  });

  test('a file has a row for each entry, and no cell that calculates', () => {
    const entry = {
      ...{ id: 'A1', at: '2026-11-26T00:00:00.000Z', user: { id: 7, email: '=cmd@acme.example' } },
      ...{ api_key: null, session: null, source: 'api', object_type: 'deals', record_id: ID },
      ...{ subject_type: null, subject_id: null, action: 'update', batch_id: null },
      ...{ changed_fields: ['amount', 'na"me'], request_id: 'req,1' },
    } as AuditEntry;
    const [head, row, end] = FORMATS.csv.print([entry]).split('\r\n');
    expect(head?.split(',').slice(0, 4)).toEqual(['\uFEFFid', 'at', 'user_id', 'user_email']);
    expect(row).toBe(
      `A1,2026-11-26T00:00:00.000Z,7,'=cmd@acme.example,,,,api,update,deals,${ID},,,"amount na""me","req,1",`,
    );
    expect(end).toBe('');
    expect(JSON.parse(FORMATS.json.print([entry]))).toEqual([entry]);
  });
});
