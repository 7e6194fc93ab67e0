// Feeds of calendar views over HTTP: made like a key, read by programs of calendars with a secret in the path. Parsing and
// presenting only; the way there is flow/views/calendar-feed.ts.

import Type from 'typebox';
import { administrationOf } from '../../control/workspace/administer.ts';
import { createFeed, readFeed } from '../../flow/views/calendar-feed.ts';
import { PREFIX } from '../../http/route/routing.ts';
import { LIMITS } from '../../limits.ts';
import { defineRoute } from '../context.ts';
import { EndInput, keyProperties, NameText, noQuery } from '../people/administration-shapes.ts';
import { presentKey } from '../people/key-routes.ts';
import { closed, responseOf } from '../shapes.ts';
import { requireScope } from '../write/batch-shapes.ts';
import { viewQuestion } from './present-view.ts';
import { viewParams } from './view-shapes.ts';

const ofQuestion = [
  'validation_failed',
  'invalid_filter',
  'permission_denied',
  'search_not_supported',
  'record_not_found',
] as const;

export const createCalendarFeed = defineRoute({
  method: 'POST',
  path: '/views/{view_id}/feed',
  operationId: 'createCalendarFeed',
  tag: 'Views',
  summary: 'Make a calendar feed of a view',
  description: [
    'For a view of the kind `calendar`: an address for programs of calendars, which shows its entries of half a year before',
    'and after today, with your rights at that moment. Only this response contains the address. The feed is one of your',
    'keys: they list and revoke it. Needs the scope records:read too.',
  ].join(' '),
  scope: 'keys:write',
  fresh: true,
  params: viewParams,
  query: noQuery,
  body: Type.Object({ name: Type.Optional(NameText), expires_at: EndInput }, closed),
  bodyOptional: true,
  malformedPathIsNotFound: true,
  status: 201,
  result: responseOf(
    Type.Object(
      {
        ...keyProperties,
        secret: Type.String({ description: 'The part of the address that identifies the feed.' }),
        url: Type.String({ description: 'The address to subscribe to. It is not shown again.' }),
      },
      { $id: 'CalendarFeed' },
    ),
  ),
  errors: [...ofQuestion, 'invalid_write', 'conflict'],
  async handle(request, context) {
    const { caller, params, body, site, now } = request;
    requireScope(caller, 'records:read', 'view_id');
    const asked = viewQuestion(request, context);
    const { requestsPerMinute } = context.config;
    const making = { ...administrationOf(asked), requestsPerMinute };
    const made = await createFeed(asked, making, { ...body, ...params }, now());
    const { secret } = made;
    const url = `${site().origin}${PREFIX}/calendar/${secret}.ics`;
    return { body: { data: { ...presentKey(caller, made), secret, url } } };
  },
});

export const readCalendarFeed = defineRoute({
  method: 'GET',
  path: '/calendar/{secret}.ics',
  operationId: 'readCalendarFeed',
  tag: 'Views',
  summary: 'Read a calendar feed',
  description: [
    `For programs of calendars: at most ${LIMITS.feedEntries} entries as iCalendar, the nearest to today. Each has its display`,
    'value, its time, the end when the object has one (`ends_at` beside `starts_at`), and the address of the record. A feed',
    'that is revoked or expired, or whose view is gone, is `record_not_found`.',
  ].join(' '),
  scope: 'records:read',
  feed: true,
  params: Type.Object(
    { secret: Type.String({ minLength: 1, maxLength: LIMITS.idLength }) },
    closed,
  ),
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: Type.String(),
  givesFile: ['text/calendar'],
  etag: true,
  errors: [...ofQuestion, 'object_not_available'],
  async handle(request, context) {
    const { caller, model, signal, now, site } = request;
    const { db, config } = context;
    const text = await readFeed({
      ...{ db, caller, model, signal, now, views: viewQuestion(request, context) },
      application: config.application ? `${site().origin}/app/${model.workspace.slug}` : undefined,
    });
    const headers = { 'Content-Type': 'text/calendar; charset=utf-8' };
    return { body: text, text, headers };
  },
});
