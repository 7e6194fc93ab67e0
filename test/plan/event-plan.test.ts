// The decisions behind live events: ids, positions and pages, and the part of a row that a reader gets.

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { beyond, endFor } from '../../src/flow/events/event-moves.ts';
import { openEventId, sealEventId } from '../../src/plan/event-id.ts';
import { type EventRow, planEventPage, planEvents } from '../../src/plan/event-plan.ts';
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
  unseenBy,
} from '../../src/plan/snapshot-moment.ts';
import { callerOf, sampleModel } from '../sample-definition.ts';

describe('event ids', () => {
  const secret = randomBytes(32);

  const epoch = '7b6a1c1e-1111-4222-8333-944445555666';

  test.each([
    '3:3:',
    `3:3::${epoch}`,
    `10:20:10,15:${epoch}`,
    `18446744073709551610:18446744073709551615::${epoch}`,
  ])('keep the moment %s and the rights', (moment) => {
    const told = { moment, rights: '99999.Zm9vYmFyYmF' };
    const id = sealEventId(secret, told);
    // As long as all the others: how much was under way is not seen from it.
    expect(id).toMatch(/^[\w-]{192}$/);
    expect(id).not.toContain(Buffer.from(moment).toString('base64url').slice(0, 4));
    expect(sealEventId(secret, told)).toBe(id);
    expect(openEventId(secret, id)).toEqual(told);
  });

  test('with very many transactions under way begin before all of them', () => {
    const pending = Array.from({ length: 60 }, (_, index) => 100 + index);
    const moment = `100:200:${pending.join(',')}:${epoch}`;
    const id = sealEventId(secret, { moment, rights: '1.a' });
    expect(openEventId(secret, id)).toEqual({ moment: `100:100::${epoch}`, rights: '1.a' });
  });

  test('no other text is one', () => {
    const told = { moment: '1000:1000:', rights: '1.a' };
    const id = sealEventId(secret, told);
    const foreign = sealEventId(randomBytes(32), told);
    const changed = `${id[0] === 'A' ? 'B' : 'A'}${id.slice(1)}`;
    const long = Buffer.alloc(32).toString('base64url');
    for (const text of [
      '',
      '1000:1000:',
      id.slice(1),
      `${id}A`,
      ` ${id}`,
      foreign,
      changed,
      long,
      '…',
    ]) {
      expect(openEventId(secret, text), text).toBeUndefined();
    }
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
    at: '2026-01-01T00:00:00.000Z',
    object_type: 'gadgets',
    record_id: '01900000-0000-7000-8000-000000000001',
    action: 'update',
    changed_fields: ['name', 'secret', 'x_secret'],
    user_id: 1,
    present: true,
    reach_user_id: 1,
    former_user_id: null,
    version: 1,
    comment_id: null,
    body: null,
    author_user_id: null,
    author_kind: null,
    author_name: null,
    created_at: null,
    updated_at: null,
    notifications: null,
  };
  const delivered = (
    roles: readonly string[],
    change: Partial<EventRow> = {},
    scopes?: string[],
  ) => {
    const model = sampleModel();
    const reader = callerOf(model, roles, scopes && { scopes });
    return planEvents(model, reader, { ...row, ...change }).map((event) =>
      'changed_fields' in event ? [event.name, ...event.changed_fields] : [event.name],
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
    expect(delivered(['own'], { ...given, present: false })).toEqual([]);
    expect(delivered(['own'], { ...given, action: 'delete', present: false })).toEqual([]);
    expect(delivered(['own'], given, ['comments:read'])).toEqual([]);
    expect(delivered(['organisation'], given)).toHaveLength(1);
    expect(delivered(['organisation'], given)[0]?.[0]).toBe('record.updated');
  });

  test('by scope', () => {
    const comment = {
      action: 'comment',
      comment_id: '01900000-0000-7000-8000-000000000002',
      notifications: [1, 2].map((user_id) => ({
        id: `n${user_id}`,
        user_id,
        created_at: '',
        read_at: null,
      })),
    };
    expect(delivered(['admin'], {}, ['comments:read'])).toEqual([]);
    expect(delivered(['admin'], comment, ['records:read'])).toEqual([]);
    expect(delivered(['admin'], comment, ['comments:read'])).toEqual([
      ['comment.created'],
      ['notification.created'],
    ]);
    expect(delivered(['own'], { ...comment, reach_user_id: 99 })).toEqual([]);
    expect(delivered(['admin'], { ...comment, comment_id: null })).toEqual([]);
  });

  test('no event of unknown objects and actions', () => {
    expect(delivered(['admin'], { object_type: 'dropped' })).toEqual([]);
    expect(delivered(['admin'], { action: 'vanish' })).toEqual([]);
  });
});
