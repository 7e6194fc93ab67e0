// The notifications of the key's user over HTTP: listing them, marking one as read (D58), choosing how to hear of them.
// Parsing and presenting only; the way there is flow/events/notification-flow.ts.

import Type from 'typebox';
import { markNotificationRead, readNotifications } from '../../flow/events/notification-flow.ts';
import { LIMITS } from '../../limits.ts';
import { defineRoute } from '../context.ts';
import { presentPagination } from '../present.ts';
import { CursorQuery, closed, limitQuery, pageOf, responseOf } from '../shapes.ts';
import { NotificationShape, presentNotification } from '../write/comment-shapes.ts';

export const listNotifications = defineRoute({
  method: 'GET',
  path: '/notifications',
  operationId: 'listNotifications',
  tag: 'Notifications',
  summary: 'List your notifications',
  description: [
    "Those of the key's user, newest first, of records that the user can still read: mentions, comments on records that",
    'the user owns or follows, records that others gave to the user, due work items, status requests, and webhooks and',
    'jobs that failed. People are not notified of their own acts. Notifications go when the record is deleted.',
  ].join(' '),
  scope: 'comments:read',
  params: Type.Object({}, closed),
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.notifications),
      cursor: CursorQuery,
      unread: Type.Enum(['true', 'false'], {
        default: 'false',
        description: '`true`: only those that were not marked as read.',
      }),
      include: Type.Optional(
        Type.Enum(['excerpt'], {
          description: `Also answer the first ${LIMITS.excerptLength} characters of each comment, and of that of a request or a decision.`,
        }),
      ),
    },
    closed,
  ),
  status: 200,
  result: pageOf(NotificationShape),
  errors: ['validation_failed', 'invalid_cursor'],
  async handle({ caller, model, query, signal }, { db }) {
    const { limit, cursor } = query;
    const unread = query.unread === 'true';
    const request = { limit, cursor, unread, excerpts: query.include === 'excerpt' };
    const page = await readNotifications({ db, model, caller, signal }, request);
    return {
      body: {
        data: page.rows.map(presentNotification),
        pagination: presentPagination(limit, page.next_cursor),
      },
    };
  },
});

export const readNotification = defineRoute({
  method: 'POST',
  path: '/notifications/{notification_id}/read',
  operationId: 'readNotification',
  tag: 'Notifications',
  summary: 'Mark a notification as read',
  description: 'Marking it again changes nothing: the time of the first call stays.',
  scope: 'comments:read',
  params: Type.Object(
    { notification_id: Type.String({ minLength: 1, maxLength: LIMITS.idLength }) },
    closed,
  ),
  query: Type.Object({}, closed),
  status: 200,
  result: responseOf(NotificationShape),
  errors: ['record_not_found'],
  async handle({ caller, model, params }, { db }) {
    const row = await markNotificationRead({ db, model, caller }, params.notification_id);
    return { body: { data: presentNotification(row) } };
  },
});
