// The decisions behind live events: ids, positions and pages, and the part of a row that a reader gets.

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { beyond, endFor } from '../../src/flow/events/event-moves.ts';
import { openPosition, sealPosition } from '../../src/plan/events/event-id.ts';
import { type EventComment, type EventRow, planEvents } from '../../src/plan/events/event-plan.ts';
import { planEventPage } from '../../src/plan/events/event-position.ts';
import {
  epochOf,
  horizonOf,
  isMoved,
  isSameEpoch,
  isSetBack,
  momentAt,
  momentBefore,
  momentOfServer,
  nodeGroupOf,
  snapshotOf,
  trimmedTo,
  unseenBy,
} from '../../src/plan/events/snapshot-moment.ts';
import { callerOf, sampleModel } from '../sample-definition.ts';

describe('positions of readers', () => {
  const secret = randomBytes(32);
  const epoch = '7b6a1c1e-1111-4222-8333-944445555666';
  const rights = '99999.Zm9vYmFy.';
  const sealed = (delivered: string, more: object = {}) =>
    sealPosition(secret, { position: { delivered }, rights, at: 5, user_id: 7, ...more });

  test.each([
    `3:3::${epoch}`,
    `10:20:10,15:${epoch}`,
    `18446744073709551610:18446744073709551615::${epoch}`,
  ])('keep the moment %s, the rights and the time', (delivered) => {
    const id = sealed(delivered);
    // As long as all the others: the number of open transactions is not seen from it.
    expect(id).toMatch(/^[\w-]{192}$/);
    expect(id).not.toContain(Buffer.from(delivered).toString('base64url').slice(0, 4));
    expect(sealed(delivered)).toBe(id);
    expect(openPosition(secret, 7, id)).toEqual({ position: { delivered }, rights, at: 5 });
  });

  test('keep a place within a page', () => {
    const within = { to: `30:30::${epoch}`, after: { transaction: '25', id: 9 } };
    const position = { delivered: `10:10::${epoch}`, within };
    const id = sealed('', { position });
    expect(openPosition(secret, 7, id)).toEqual({ position, rights, at: 5 });
  });

  test('begin before all transactions when very many are open', () => {
    const pending = Array.from({ length: 60 }, (_, index) => 100 + index);
    const id = sealed(`100:200:${pending.join(',')}:${epoch}`);
    expect(openPosition(secret, 7, id)?.position).toEqual({ delivered: `100:100::${epoch}` });
  });

  test('belong to a person of a workspace, and cannot be made up', () => {
    const id = sealed('1000:1000::');
    const own = { position: { delivered: '1000:1000::' }, rights, at: 5, user_id: 7 };
    const foreign = sealPosition(randomBytes(32), own);
    const changed = `${id[0] === 'A' ? 'B' : 'A'}${id.slice(1)}`;
    const long = Buffer.alloc(32).toString('base64url');
    const texts = ['', '1000:1000:', id.slice(1), `${id}A`, ` ${id}`, foreign, changed, long, '…'];
    for (const text of texts) expect(openPosition(secret, 7, text), text).toBeUndefined();
    expect(openPosition(secret, 8, id)).toBeUndefined();
    expect(openPosition(secret, 7, sealed('no moment'))).toBeUndefined();
  });
});

describe('moments', () => {
  test.each([
    ['5:9::a', '5:9::a', true, false],
    ['5:8::a', '5:9::a', true, true],
    ['5:10::a', '5:9::a', true, false],
    ['9:10::a', '9:9::b', false, false],
    ['5:8::b', '5:9::a', false, false],
    ['5:8:', '5:9:', false, false],
    ['5:9::a', '5:9:', false, false],
  ])('%s after %s', (moment, seen, same, back) => {
    expect([isSameEpoch(moment, seen), isSetBack(moment, seen)]).toEqual([same, back]);
  });

  test('have their parts', () => {
    const moment = '10:20:10,15:e';
    expect([snapshotOf(moment), horizonOf(moment), epochOf(moment)]).toEqual([
      '10:20:10,15',
      '10',
      'e',
    ]);
    expect(unseenBy(moment)).toEqual({ from: '20', pending: ['10', '15'] });
    expect([snapshotOf('5:5:'), epochOf('5:5:')]).toEqual(['5:5:', '']);
  });
});

describe('a moment without the transactions behind its last row', () => {
  test.each([
    ['sees the same rows', '17', '10:20:10,15,19:e', '10:18:10,15:e'],
    ['has nothing in progress before it', '12', '15:20:15,19:e', '13:13::e'],
    ['sees nothing without rows', null, '15:20:15:e', '1:1::e'],
    ['stays as it is when the row is the last transaction', '19', '15:20:15:e', '15:20:15:e'],
    ['stays as it is before rows of another server', '99', '15:20:15:e', '15:20:15:e'],
  ])('%s', (_, last, moment, trimmed) => {
    expect(trimmedTo(last, moment)).toBe(trimmed);
  });
});

describe('moments of a workspace', () => {
  const alone = momentAt('5:9:7:e', { place: 16_400, node_group: null });
  const [first, second] = [1, 2].map((node_group) =>
    momentAt('5:9:7:e', { place: 16_400, node_group }),
  ) as [string, string];

  test('know the place, and the node of a cluster', () => {
    expect([alone, first]).toEqual(['5:9:7:e.16400', '5:9:7:e.16400.1']);
    expect([nodeGroupOf(alone), nodeGroupOf(first)]).toEqual([undefined, 1]);
    for (const one of [alone, first]) expect(momentOfServer(one)).toBe('5:9:7:e');
    expect(momentBefore('12', second)).toBe('12:12::e.16400.2');
  });

  test.each([
    ['another node', first, second, true],
    ['the same node, to which it came back', first, '5:9:7:e.16500.1', false],
    ['no cluster', alone, '5:9:7:e.16500', false],
    ['a cluster since', alone, first, false],
  ])('%s is another epoch; moved to another node: %s %s %s', (_, one, other, moved) => {
    expect([isSameEpoch(one, other), isMoved(one, other)]).toEqual([false, moved]);
  });

  test('a reader continues after crashes, also before a move', () => {
    const turns = new Map([
      ['a.1', { next: 'b.1' }],
      ['b.1', { next: 'c.1' }],
    ]);
    expect(endFor(turns, '5:9::a.1', '10:20::c.1')).toBe('10:20::c.1');
    expect(endFor(turns, '5:9::x.1', '10:20::c.1')).toBeUndefined();
    expect(beyond(turns, '5:9::a.1')).toBe('5:9::a.1');
  });

  test('a reader continues from node to node, and from nowhere else', () => {
    const moves = new Map([['e.16400.1', { end: '20:20::e.16400.1', start: '3:3::e.16400.2' }]]);
    expect(endFor(moves, first, '30:30::e.16400.1')).toBe('30:30::e.16400.1');
    expect(endFor(moves, first, second)).toBe('20:20::e.16400.1');
    expect(endFor(moves, '5:9::e.16500.1', second)).toBeUndefined();
    expect(endFor(moves, alone, second)).toBeUndefined();
    expect(beyond(moves, '20:20::e.16400.1')).toBe('3:3::e.16400.2');
    expect(beyond(moves, first)).toBe(first);
  });
});

describe('positions', () => {
  test('a page begins where the snapshot ends, and with what was under way then', () => {
    expect(planEventPage({ delivered: '10:20:10,15:e' }, '40:40::e', 5)).toEqual({
      after: { transaction: '0', id: 0 },
      start: { transaction: '20', id: 0 },
      pending: ['10', '15'],
      to: '40:40::e',
      limit: 5,
    });
  });

  test('inside of a check the page continues to the end of that check', () => {
    const within = { to: '30:30:', after: { transaction: '25', id: 7 } };
    const page = planEventPage({ delivered: '20:20:', within }, '40:40:', 5);
    expect(page).toMatchObject({ start: within.after, to: '30:30:', after: within.after });
    const early = { to: '30:30:', after: { transaction: '9', id: 7 } };
    const next = planEventPage({ delivered: '20:20:9', within: early }, '40:40:', 5);
    expect(next).toMatchObject({ start: { transaction: '20', id: 0 }, after: early.after });
  });
});

describe('the delivered events', () => {
  const row: EventRow = {
    id: 1,
    transaction: '5',
    place: { transaction: '5', id: 1 },
    at: '2026-01-01T00:00:00.000Z',
    object_type: 'gadgets',
    record_id: '01900000-0000-7000-8000-000000000001',
    action: 'update',
    changed_fields: ['name', 'secret', 'x_secret'],
    revision: 2,
    user_id: 1,
    api_key_id: null,
    source: 'api',
    batch_id: null,
    present: true,
    reach_user_id: 1,
    former_user_id: null,
    merged_into: null,
    comment: null,
    request: null,
    assigned: null,
  };
  const delivered = (
    roles: readonly string[],
    change: Partial<EventRow> = {},
    scopes?: string[],
  ) => {
    const model = sampleModel();
    const reader = callerOf(model, roles, scopes && { scopes });
    return planEvents({ model, caller: reader }, { ...row, ...change }).map((event) =>
      'changed_fields' in event ? [event.type, ...event.changed_fields] : [event.type],
    );
  };

  test('keys of fields that may be read, and no event when there are none', () => {
    expect(delivered(['admin'])).toEqual([['record.updated', 'name', 'secret', 'x_secret']]);
    expect(delivered(['veiled'])).toEqual([['record.updated', 'name']]);
    expect(delivered(['veiled'], { changed_fields: ['secret', 'no_such_field'] })).toEqual([]);
    expect(delivered(['veiled'], { action: 'create', changed_fields: ['secret'] })).toEqual([
      ['record.created'],
    ]);
  });

  test('relationships whose other object may be read', () => {
    const link = { object_type: 'parts', action: 'link', changed_fields: ['inv.fittings.part_id'] };
    expect(delivered(['organisation'], link)).toEqual([['record.linked', 'inv.fittings.part_id']]);
    expect(delivered(['reader'], link)).toEqual([]);
  });

  test('the reach of the record', () => {
    const others = { reach_user_id: 99 };
    expect(delivered(['own'])).toHaveLength(1);
    expect(delivered(['own'], others)).toEqual([]);
    expect(delivered(['own'], { reach_user_id: null })).toEqual([]);
    expect(delivered(['organisation'], others)).toHaveLength(1);
    expect(delivered(['organisation'], { reach_user_id: null })).toHaveLength(1);
    expect(delivered(['assigner'])).toEqual([]);
  });

  test('of a record that is gone only that', () => {
    const gone = { present: false };
    expect(delivered(['admin'], gone)).toEqual([]);
    expect(delivered(['admin'], { ...gone, action: 'create' })).toEqual([]);
    expect(delivered(['own'], { ...gone, action: 'delete', changed_fields: [] })).toEqual([
      ['record.deleted'],
    ]);
    expect(delivered(['own'], { ...gone, action: 'delete', reach_user_id: 99 })).toEqual([]);
  });

  test('that it has left, to previous readers until another event has it', () => {
    const given = { former_user_id: 1, reach_user_id: 99 };
    expect(delivered(['own'], given)).toEqual([['record.left']]);
    expect(delivered(['own'], { ...given, former_user_id: 98 })).toEqual([]);
    expect(delivered(['own'], { ...given, reach_user_id: 1 })).toEqual([
      ['record.updated', 'name', 'secret', 'x_secret'],
    ]);
    expect(delivered(['own'], { ...given, present: false })).toEqual([['record.left']]);
    expect(delivered(['own'], { ...given, present: false, former_user_id: 98 })).toEqual([]);
    expect(delivered(['own'], { ...given, present: false, reach_user_id: 1 })).toEqual([]);
    expect(delivered(['own'], given, ['comments:read'])).toEqual([]);
    expect(delivered(['organisation'], given)).toHaveLength(1);
    expect(delivered(['organisation'], given)[0]?.[0]).toBe('record.updated');
  });

  test('that it has entered, when a change of its owner brought it within reach', () => {
    const given = { changed_fields: ['owner_user_id', 'secret'], former_user_id: 99 };
    expect(delivered(['own'], given)[0]?.[0]).toBe('record.entered');
    expect(delivered(['own'], { ...given, former_user_id: null })[0]?.[0]).toBe('record.entered');
    expect(delivered(['own'], { ...given, former_user_id: 1 })[0]?.[0]).toBe('record.updated');
    expect(delivered(['organisation'], given)[0]?.[0]).toBe('record.updated');
    expect(delivered(['own'], { ...given, action: 'create' })[0]?.[0]).toBe('record.created');
  });

  test('that all records were loaded, when they may read some', () => {
    const load = { record_id: null, action: 'load', object_type: 'gadgets' };
    expect(delivered(['own'], load)).toEqual([['reach.changed']]);
    expect(delivered(['assigner'], load)).toEqual([]);
    expect(delivered(['own'], load, ['comments:read'])).toEqual([]);
  });

  test('by scope', () => {
    const added: EventComment = {
      ...{
        id: '01900000-0000-7000-8000-000000000002',
        body: 'Hello',
        created_at: '',
        updated_at: '',
      },
      ...{ author_user_id: 1, author_kind: 'user', author_name: 'Ada' },
      notifications: [1, 2].map((user_id) => ({
        kind: 'mention',
        id: `n${user_id}`,
        user_id,
        created_at: '',
        read_at: null,
      })),
    };
    const comment = { action: 'comment', comment: added };
    expect(delivered(['admin'], {}, ['comments:read'])).toEqual([]);
    expect(delivered(['admin'], comment, ['records:read'])).toEqual([]);
    expect(delivered(['admin'], comment, ['comments:read'])).toEqual([
      ['comment.created'],
      ['notification.created'],
    ]);
    expect(delivered(['own'], { ...comment, reach_user_id: 99 })).toEqual([]);
    expect(delivered(['admin'], { ...comment, comment: null })).toEqual([]);
  });

  test('no event of unknown objects and actions', () => {
    expect(delivered(['admin'], { object_type: 'dropped' })).toEqual([]);
    expect(delivered(['admin'], { action: 'vanish' })).toEqual([]);
  });
});
