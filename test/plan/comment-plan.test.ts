// The rules of comments that need no database: the objects that have them, valid texts, the people to notify, the
// scope of a cursor.

import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import { BUILT_IN_OBJECT_TYPES } from '../../src/model/definition/model.ts';
import {
  commentTextProblem,
  cursorAfterMoment,
  type Mentioned,
  planComments,
  planNewComments,
  requireCommentable,
  requireCommentText,
  validateMentions,
} from '../../src/plan/events/comment-plan.ts';
import {
  planNotificationScope,
  planNotifications,
} from '../../src/plan/events/notification-plan.ts';
import { callerOf, objectOf, SAMPLE_IDENTITY } from '../sample-definition.ts';

const ID = '01900000-0000-7000-8000-00000000000a';
const OTHER = '01900000-0000-7000-8000-00000000000b';

const thing = (name: string) => ({
  name,
  singular_name: name,
  fields: { name: { type: 'text' } },
});
const read = (reach: string) => ({
  objects: { deals: { read: reach }, events: { read: reach }, boats: { read: reach } },
});
const document = {
  objects: {
    ...Object.fromEntries([...BUILT_IN_OBJECT_TYPES, 'boats'].map((type) => [type, thing(type)])),
    events: { ...thing('events'), owned: false },
  },
  roles: {
    admin: { administrator: true },
    own: read('own'),
    team: read('team'),
    organisation: read('organisation'),
    sailor: { objects: { boats: { read: 'organisation' } } },
  },
};
const model = compileModel(SAMPLE_IDENTITY, document as unknown as DefinitionDocument);
const deals = objectOf(model, 'deals');
const anna = callerOf(model, ['admin']);

function failure(run: () => unknown): readonly unknown[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.code, error.param];
    throw error;
  }
  return ['no failure'];
}

test('objects with comments', () => {
  const commentable = [...model.objects.values()].filter((object) => object.commentable);
  expect(commentable.map(({ object_type }) => object_type).sort()).toEqual([
    'companies',
    'contacts',
    'deals',
    'events',
    'meetings',
    'work_items',
  ]);
});

test('the object type is checked before its features', () => {
  const sailor = callerOf(model, ['sailor']);
  const asked = (type: string) => failure(() => requireCommentable(model, sailor, type));
  expect(asked('nope')).toEqual([404, 'object_not_available', 'object_type']);
  expect(asked('products')).toEqual([404, 'object_not_available', 'object_type']);
  expect(asked('deals')).toEqual([404, 'object_not_available', 'object_type']);
  expect(asked('boats')).toEqual([404, 'comments_not_supported', 'object_type']);
  expect(requireCommentable(model, anna, 'deals')).toBe(deals);
});

describe('texts', () => {
  const blank = ['', ' ', '\t\r\n', '\u00a0\u2003\u3000', '\u0085', '\ufeff', '\u2028\u2029'];
  test.each(blank.map((text) => [JSON.stringify(text), text]))('%s is blank', (_, text) => {
    const refused = [400, 'validation_failed', 'body'];
    expect(failure(() => requireCommentText(text))).toEqual(refused);
  });

  const texts = [' a ', '.', '\u200b', '\u0000', '\u202e', '😀', '\n-'];
  test.each(texts.map((text) => [JSON.stringify(text), text]))('%s stays as it is', (_, text) => {
    expect(requireCommentText(text)).toBe(text);
  });

  test('text without a schema is checked by its code points', () => {
    const good = ['x', '😀'.repeat(10_000), ' a '];
    expect(good.map(commentTextProblem)).toEqual([undefined, undefined, undefined]);
    expect(['😀'.repeat(10_001), ' \n', 'a\u0000', 'a\ud800'].map(commentTextProblem)).toEqual([
      'The comment has 10001 characters; it can have 10000 at most.',
      'The comment must not be white space only.',
      'The text must not contain U+0000 or lone surrogates.',
      'The text must not contain U+0000 or lone surrogates.',
    ]);
  });
});

describe('mentions', () => {
  const person = (id: number, roles: readonly string[], more: Partial<Mentioned> = {}) => {
    return { id, kind: 'user', active: true, roles, colleague_ids: [id], ...more } as const;
  };
  const notified = (people: readonly Mentioned[], owner_id: number | null, object = deals) => {
    const mentioned = people.map(({ id }) => id);
    return validateMentions(model, { object, owner_id, mentioned, people });
  };

  test('a repeated id counts once', () => {
    const request = { id: ID, body: 'x', mention_user_ids: [3, 4, 3, 3] };
    const { comments } = planNewComments(model, anna, deals, [request]);
    expect(comments).toMatchObject([{ mentioned: [3, 4] }]);
  });

  test('people that only other comments mention do not matter', () => {
    const people = [person(3, ['admin']), person(4, ['admin']), person(5, [], { active: false })];
    const one = { object: deals, owner_id: null, mentioned: [3], people };
    expect(validateMentions(model, one)).toEqual([3]);
  });

  test('those who can read the record are notified', () => {
    const people = [
      person(1, ['own']),
      person(2, ['own']),
      person(3, ['team'], { colleague_ids: [1, 3] }),
      person(4, ['team'], { colleague_ids: [2, 4] }),
      person(5, ['organisation']),
      person(6, ['sailor']),
      person(7, []),
      person(8, ['own', 'organisation']),
      person(9, ['a role that is gone']),
    ];
    expect(notified(people, 1)).toEqual([1, 3, 5, 8]);
    expect(notified(people, 2)).toEqual([2, 4, 5, 8]);
    expect(notified(people, null)).toEqual([5, 8]);
    expect(notified(people, 1, objectOf(model, 'events'))).toEqual([1, 3, 5, 8]);
    expect(notified(people, 1, objectOf(model, 'contacts'))).toEqual([]);
  });

  test('anyone but an active person is refused in one way', () => {
    const good = person(1, ['admin']);
    const bad = [
      [person(2, ['admin'], { active: false })],
      [person(2, ['admin'], { kind: 'agent' })],
      [],
    ];
    for (const others of bad) {
      const one = { object: deals, owner_id: null, mentioned: [1, 2], people: [good, ...others] };
      const validate = () => validateMentions(model, one);
      expect(failure(validate)).toEqual([400, 'validation_failed', 'mention_user_ids']);
    }
  });
});

describe('cursors', () => {
  const page = (over: object = {}, caller = anna, object = deals) =>
    planComments(model, caller, object, {
      id: ID,
      order: 'desc',
      limit: 2,
      cursor: undefined,
      ...over,
    });
  const last = { created_at: '9999-12-31T23:59:59.999Z', id: OTHER };
  const cursor = cursorAfterMoment(model, page(), last);
  const foreign = [400, 'invalid_cursor', 'cursor'];

  test('carry the moment and the id within 200 characters', () => {
    expect(cursor.length).toBeLessThanOrEqual(LIMITS.commentCursorLength);
    expect(page({ cursor }).after).toEqual([last.created_at, OTHER]);
    expect(page({ cursor, limit: 100 }).after).toEqual([last.created_at, OTHER]);
    expect(page({ cursor, id: ID.toUpperCase() }).after).toEqual([last.created_at, OTHER]);
    expect(page().after).toBeUndefined();
  });

  test('belong to the record, the order, the person and the workspace', () => {
    expect(failure(() => page({ cursor, id: OTHER }))).toEqual(foreign);
    expect(failure(() => page({ cursor, id: 'x' }))).toEqual(foreign);
    expect(failure(() => page({ cursor, order: 'asc' }))).toEqual(foreign);
    const ben = callerOf(model, ['admin'], { id: 2 });
    expect(failure(() => page({ cursor }, ben))).toEqual(foreign);
    expect(failure(() => page({ cursor }, anna, objectOf(model, 'events')))).toEqual(foreign);
    const elsewhere = { ...model, workspace: { ...model.workspace, id: 8 } };
    const there = cursorAfterMoment(elsewhere, planElsewhere(elsewhere), last);
    expect(failure(() => page({ cursor: there }))).toEqual(foreign);
  });

  function planElsewhere(elsewhere: typeof model) {
    const request = { id: ID, order: 'desc', limit: 2, cursor: undefined } as const;
    return planComments(elsewhere, anna, deals, request);
  }

  test('of notifications belong to the person and to the query', () => {
    const asked = (unread: boolean, given?: string, caller = anna) =>
      planNotifications(model, caller, { unread, limit: 2, cursor: given });
    const all = asked(false);
    if (all === undefined) throw new Error('there is a plan');
    const own = cursorAfterMoment(model, all, last);
    expect(asked(false, own)?.after).toEqual([last.created_at, OTHER]);
    expect(failure(() => asked(true, own))).toEqual(foreign);
    expect(failure(() => asked(false, own, callerOf(model, ['admin'], { id: 2 })))).toEqual(
      foreign,
    );
    expect(failure(() => asked(false, cursor))).toEqual(foreign);
    expect(failure(() => page({ cursor: own }))).toEqual(foreign);
    const sailor = callerOf(model, ['sailor']);
    expect(
      failure(() => asked(false, own, { ...sailor, user: { ...sailor.user, id: 5 } })),
    ).toEqual(foreign);
  });
});

describe('the scope of notifications', () => {
  test('covers the readable objects with comments or owners, each within its reach', () => {
    const ben = callerOf(model, ['team'], { id: 2, colleagues: [3] });
    const scope = planNotificationScope(model, ben);
    const readable = scope.readable.map(({ object, reach }) => [object.object_type, reach]);
    expect(readable).toEqual([
      ['deals', { column: 'owner_user_id', user_ids: [2, 3] }],
      ['events', { column: 'created_by_user_id', user_ids: [2, 3] }],
      ['boats', { column: 'owner_user_id', user_ids: [2, 3] }],
    ]);
    expect(scope.user_id).toBe(2);
  });

  test('has no records for a caller who can read no object', () => {
    const objectsOf = (roles: readonly string[]) =>
      planNotificationScope(model, callerOf(model, roles)).readable.map(
        ({ object }) => object.object_type,
      );
    expect(objectsOf(['sailor'])).toEqual(['boats']);
    expect(objectsOf([])).toEqual([]);
  });
});
