// Live events over HTTP: the stream and the form of each event (docs/decisions.md, D58). Parsing and
// presenting only; the way there is flow/events/event-feed.ts.

import Type from 'typebox';
import { eventIdOf } from '../plan/event-id.ts';
import type { ShownEvent } from '../plan/event-plan.ts';
import { versionToken } from '../plan/precondition.ts';
import {
  CommentShape,
  NotificationShape,
  presentComment,
  presentNotification,
} from './comment-shapes.ts';
import { defineRoute } from './context.ts';
import { closed } from './shapes.ts';

const EventId = Type.String({
  description: 'The same each time the event is sent; says nothing else.',
});
const Moment = Type.String({ format: 'date-time' });

const RecordEvent = Type.Object(
  {
    id: EventId,
    object_type: Type.String(),
    record_id: Type.String(),
    action: Type.Enum(['create', 'update', 'status', 'delete', 'link', 'unlink']),
    version: Type.Optional(
      Type.String({
        description: 'The current version of the record; absent if it was deleted.',
      }),
    ),
    changed_fields: Type.Array(Type.String(), {
      description: 'Keys of fields, or ids of relationships, that the user may read.',
    }),
    user: Type.Object({ id: Type.Integer() }),
    occurred_at: Moment,
  },
  { $id: 'RecordEvent' },
);

const LeftEvent = Type.Object(
  { id: EventId, object_type: Type.String(), record_id: Type.String(), occurred_at: Moment },
  { $id: 'RecordLeftEvent' },
);

const ChangedEvent = Type.Object(
  { reason: Type.Enum(['definition', 'rights']), message: Type.String() },
  { $id: 'WorkspaceChangedEvent' },
);

const CommentEvent = Type.Object(
  {
    id: EventId,
    object_type: Type.String(),
    record_id: Type.String(),
    comment: CommentShape,
    occurred_at: Moment,
  },
  { $id: 'CommentEvent' },
);

const ResetEvent = Type.Object(
  { reason: Type.Enum(['too_far_behind', 'database_recovered']), message: Type.String() },
  { $id: 'ResetEvent' },
);

function eventOf(title: string, names: string[], data: Type.TSchema) {
  const id = Type.Optional(Type.String({ description: 'To be sent as `Last-Event-ID`.' }));
  return Type.Object({ event: Type.Enum(names), id, data }, { title });
}

const RECORD_EVENTS = [
  'record.created',
  'record.updated',
  'record.deleted',
  'record.linked',
  'record.unlinked',
];

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
    'Each event is sent at least once: after a break, send the last `id` that you received as',
    '`Last-Event-ID` and drop events whose `data.id` you know. The order is nearly that of the changes.',
    '`reset` means that there were too many changes, or that they are older than a day (`too_far_behind`),',
    'or that the database recovered from a crash (`database_recovered`): reload your data. For a deleted',
    'record only `record.deleted` is sent. `record.left` is for people who could read a record until it got',
    'another owner. Events of links are for people who may read all records on the other side, as with pages',
    'of linked records. After `workspace.changed` the definition or your rights are different. A stream ends',
    'when its key becomes invalid. A comment line every 15 seconds shows that a quiet stream is alive.',
    '',
    'The `EventSource` of browsers cannot send `Authorization`, and the service takes no key in the address,',
    'because addresses are logged. Read the body of a `fetch`, or use `events.stream()` of the client.',
  ].join('\n'),
  scope: ['records:read', 'comments:read'],
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  status: 200,
  result: Type.Union([
    eventOf('Record', RECORD_EVENTS, RecordEvent),
    eventOf('Comment', ['comment.created'], CommentEvent),
    eventOf('Notification', ['notification.created'], NotificationShape),
    eventOf('Left', ['record.left'], LeftEvent),
    eventOf('Workspace', ['workspace.changed'], ChangedEvent),
    eventOf('Reset', ['reset'], ResetEvent),
  ]),
  events: true,
  errors: ['validation_failed', 'too_many_streams'],
  async handle({ caller, model, lastEventId, admitAgain }, { events }) {
    const present = (event: ShownEvent) => presentEvent(model.cursor_secret, event);
    const reader = { reading: { caller, model }, readAgain: admitAgain, present };
    return { stream: await events.enter(reader, lastEventId) };
  },
});

function presentEvent(secret: Buffer, event: ShownEvent): Record<string, unknown> {
  const { object_type, record_id, at, ...row } = event.row;
  if (event.name === 'notification.created') {
    // Its own id is the id of the event: that of the row is the comment's.
    return presentNotification({ ...row, object_type, record_id, ...event.notification });
  }
  const id = eventIdOf(secret, event.row);
  if (event.name === 'comment.created') {
    const comment = presentComment({ ...row, id: row.comment_id });
    return { id, object_type, record_id, comment, occurred_at: at };
  }
  if (event.name === 'record.left') return { id, object_type, record_id, occurred_at: at };
  const { changed_fields } = event;
  const user = { id: row.user_id };
  const shown = { id, object_type, record_id, action: row.action };
  const version = row.version === null ? {} : { version: versionToken({ ...row, id: record_id }) };
  return { ...shown, ...version, changed_fields, user, occurred_at: at };
}
