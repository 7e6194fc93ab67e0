// Following records over HTTP. Parsing and presenting only; the way there is flow/events/follow-flow.ts.

import Type from 'typebox';
import { follow, isFollowing, unfollow } from '../../flow/events/follow-flow.ts';
import { requireCommentable } from '../../plan/events/comment-plan.ts';
import { defineRoute } from '../context.ts';
import { ObjectType, RecordId } from '../record-shapes.ts';
import { closed, responseOf } from '../shapes.ts';

const ofOneRecord = {
  path: '/objects/{object_type}/records/{record_id}/follow',
  tag: 'Notifications',
  scope: 'comments:read',
  params: Type.Object({ object_type: ObjectType, record_id: RecordId }, closed),
  query: Type.Object({}, closed),
  status: 200,
  result: responseOf(Type.Object({ following: Type.Boolean() }, { $id: 'Follow' })),
} as const;

const errors = [
  'validation_failed',
  'object_not_available',
  'comments_not_supported',
  'record_not_found',
] as const;

export const getFollow = defineRoute({
  ...ofOneRecord,
  method: 'GET',
  operationId: 'getFollow',
  summary: 'Check whether you follow a record',
  description: 'You hear of comments on records that you follow, and on records that you own.',
  errors: [...errors],
  async handle({ caller, model, params, signal }, { db }) {
    const object = requireCommentable(model, caller, params.object_type);
    const following = await isFollowing({ db, model, caller, signal }, object, params.record_id);
    return { body: { data: { following } } };
  },
});

export const followRecord = defineRoute({
  ...ofOneRecord,
  method: 'PUT',
  operationId: 'followRecord',
  summary: 'Follow a record',
  description: [
    'From now on you are notified of comments on the record, while you can read it. Following it again changes nothing.',
    'A record can have 500 followers.',
  ].join(' '),
  errors: [...errors, 'conflict'],
  async handle({ caller, model, params }, { db }) {
    const object = requireCommentable(model, caller, params.object_type);
    const following = await follow({ db, model, caller }, object, params.record_id);
    return { body: { data: { following } } };
  },
});

export const unfollowRecord = defineRoute({
  ...ofOneRecord,
  method: 'DELETE',
  operationId: 'unfollowRecord',
  summary: 'Stop following a record',
  description:
    'Notifications that you have stay. You still hear of comments on records that you own.',
  errors: [...errors],
  async handle({ caller, model, params }, { db }) {
    const object = requireCommentable(model, caller, params.object_type);
    const following = await unfollow({ db, model, caller }, object, params.record_id);
    return { body: { data: { following } } };
  },
});
