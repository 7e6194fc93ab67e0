// `changes`: what has happened since a cursor or a time, as far as the caller may read it.

import Type from 'typebox';
import { printAnswer, printRow, smallerPage } from '../answer-text.ts';
import { closed, present } from '../arguments.ts';
import type { Call, Result } from '../operations.ts';
import { defineTool, READS } from '../tool.ts';

const MOST_OF_VALUE = 500;

const Arguments = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({
        maxLength: 8192,
        description: 'of the answer before; "start": the oldest kept',
      }),
    ),
    since: Type.Optional(
      Type.String({ maxLength: 40, description: 'instead of cursor: date or date and time' }),
    ),
    object_types: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 15 }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  },
  closed,
);
type Asked = Type.Static<typeof Arguments>;

export const changes = defineTool({
  name: 'changes',
  description:
    'What changed since a cursor or a time: records, statuses, comments. Without either it returns a cursor for now.',
  scopes: ['records:read', 'comments:read'],
  annotations: READS,
  inputSchema: Arguments,
  run: readChanges,
});

async function readChanges(sent: Asked, call: Call): Promise<string> {
  const { cursor, since, object_types, limit = 25 } = sent;
  const query = present({ cursor, since, object_type: object_types?.join(','), limit });
  const { data, pagination } = await call('listChanges', { query });
  const next = `next: cursor ${JSON.stringify(pagination.next_cursor)}`;
  const parts = {
    head: [
      `changes: ${data.length} [time, type, object_type, record_id, details, user_id, source]`,
    ],
    data: data.map((event) => printRow(eventRow(event), MOST_OF_VALUE)),
    tail: [pagination.has_more ? `${next}, there are more` : next],
  };
  const smaller = smallerPage(parts, data.length);
  return smaller === undefined
    ? printAnswer(parts)
    : readChanges({ ...sent, limit: smaller }, call);
}

type ChangeEvent = Result<'listChanges'>['data'][number];

function eventRow(event: ChangeEvent): readonly unknown[] {
  const row = [event.occurred_at, event.type];
  if (!('record_id' in event)) return [...row, null, null, detailsOf(event)];
  const about = [...row, event.object_type, event.record_id];
  if (!('user' in event)) return about;
  return [...about, detailsOf(event), event.user?.id ?? null, event.source];
}

function detailsOf(event: ChangeEvent): unknown {
  if ('changed_fields' in event) return event.changed_fields;
  if ('comment' in event) return [event.comment.author.name, event.comment.body];
  if ('status_request' in event)
    return [event.status_request.state, event.status_request.to_status];
  if ('object_types' in event) return event.object_types;
  return 'renamed' in event ? [event.renamed, event.removed] : null;
}
