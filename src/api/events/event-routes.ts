// Live events over HTTP: the stream (docs/decisions.md, D58). Parsing and presenting only; the way there is
// flow/events/event-feed.ts.

import Type from 'typebox';
import { RECORD_EVENTS, REQUEST_EVENTS } from '../../plan/events/event-plan.ts';
import { defineRoute } from '../context.ts';
import { closed } from '../shapes.ts';
import { NotificationShape } from '../write/comment-shapes.ts';
import {
  CommentEvent,
  DefinitionEvent,
  LeftEvent,
  presentEvent,
  ReachEvent,
  RecordEvent,
  StatusRequestEvent,
} from './event-shapes.ts';

const ResetEvent = Type.Object(
  { reason: Type.Enum(['too_far_behind', 'database_recovered']), message: Type.String() },
  { $id: 'ResetEvent' },
);

function eventOf(title: string, data: Type.TSchema, names: readonly string[]) {
  const id = Type.Optional(Type.String({ description: 'The id to send as `Last-Event-ID`.' }));
  return Type.Object({ event: Type.Enum([...names]), id, data }, { title });
}

const LastEventIdQuery = Type.String({
  description:
    'The same as `Last-Event-ID`, as stand-ins for `EventSource` send it; the header counts first.',
});

export const streamEvents = defineRoute({
  method: 'GET',
  path: '/events/stream',
  operationId: 'streamEvents',
  tag: 'Events',
  summary: 'Stream live events',
  description: [
    'Server-Sent Events of records (scope `records:read`), of comments and of notifications of the',
    "key's user (scope `comments:read`), as far as the user may read them at that moment. The schema",
    'describes one event, its `data` parsed.',
    '',
    'Events are those of `GET /changes`; `event` is their `type`. Each is sent at least once: after a break, send',
    'the last `id` that you received as `Last-Event-ID` and drop events whose `data.id` you know. The order is',
    'nearly that of the changes. `reset` means that there were too many changes, or that they are too old',
    '(`too_far_behind`), or that the database was restored (`database_recovered`): reload your data. For a deleted',
    'record only `record.deleted` is sent. `record.left` is for people who could read a record until it got',
    'another owner. Events of links are for people who may read all records on the other side, as with pages',
    'of linked records. After `definition.changed` and `reach.changed` the definition or your rights are different.',
    'A stream ends when its key becomes invalid. A comment line every 15 seconds shows that a quiet stream is alive.',
    '',
    'The `EventSource` of browsers cannot send `Authorization`, and the service takes no key in the address,',
    'because addresses are logged. Read the body of a `fetch`, or use `events.stream()` of the client.',
  ].join('\n'),
  scope: ['records:read', 'comments:read'],
  params: Type.Object({}, closed),
  query: Type.Object({ lastEventId: Type.Optional(LastEventIdQuery) }, closed),
  status: 200,
  result: Type.Union([
    eventOf('Record', RecordEvent, RECORD_EVENTS),
    eventOf('Comment', CommentEvent, ['comment.created']),
    eventOf('StatusRequest', StatusRequestEvent, REQUEST_EVENTS),
    eventOf('Notification', NotificationShape, ['notification.created']),
    eventOf('Left', LeftEvent, ['record.left']),
    eventOf('Definition', DefinitionEvent, ['definition.changed']),
    eventOf('Reach', ReachEvent, ['reach.changed']),
    eventOf('Reset', ResetEvent, ['reset']),
  ]),
  events: true,
  errors: ['validation_failed', 'too_many_streams'],
  async handle({ caller, model, query, lastEventId, admitAgain }, { events }) {
    const reader = { reading: { caller, model }, readAgain: admitAgain, present: presentEvent };
    return { stream: await events.enter(reader, lastEventId ?? (query.lastEventId || undefined)) };
  },
});
