// `changes`: what has happened since a cursor or a time, as far as the caller may read it.

import Type from 'typebox';
import { fittingLines, printAnswer, printRow, smallerPage } from '../answer-text.ts';
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
    object_type: Type.Optional(
      Type.String({ maxLength: 1500, description: 'several with commas between' }),
    ),
    summary: Type.Optional(
      Type.Boolean({ description: 'counts by object type and kind, and the newest 25' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  },
  closed,
);
type Asked = Type.Static<typeof Arguments>;

export const changes = defineTool({
  name: 'changes',
  description:
    'What changed since a cursor or a time: records, statuses, comments. Without either it returns a cursor for now. For a long time use summary first.',
  scopes: ['records:read', 'comments:read'],
  annotations: READS,
  inputSchema: Arguments,
  run: readChanges,
});

const COLUMNS = '[time, type, object_type, record_id, details, user_id, source]';

async function readChanges(sent: Asked, call: Call): Promise<string> {
  const { limit = 25, summary, ...asked } = sent;
  if (summary === true) return summarize(asked, call);
  const { data, pagination } = await call('listChanges', { query: present({ ...asked, limit }) });
  const parts = {
    head: [`changes: ${data.length} ${COLUMNS}`],
    data: data.map((event) => printRow(eventRow(event), MOST_OF_VALUE)),
    tail: nextLine(pagination),
  };
  const smaller = smallerPage(parts, data.length);
  return smaller === undefined
    ? printAnswer(parts)
    : readChanges({ ...sent, limit: smaller }, call);
}

function nextLine({ next_cursor, has_more }: Result<'listChanges'>['pagination']) {
  const next = `next: cursor ${JSON.stringify(next_cursor)}`;
  return [has_more ? `${next}, there are more` : next];
}

/** Changes of one request, requests of one call, and changes that a summary shows. */
const PAGE = 1000;
const PAGES = 10;
const NEWEST = 25;

/** Counts of the changes from a position on, page by page; a longer feed is continued by the cursor. */
async function summarize(asked: Omit<Asked, 'limit' | 'summary'>, call: Call): Promise<string> {
  const counts = new Map<string, number>();
  let newest: readonly ChangeEvent[] = [];
  let total = 0;
  let position: Omit<Asked, 'limit' | 'summary'> = asked;
  for (let page = 1; ; page += 1) {
    const query = present({ ...position, limit: PAGE });
    const { data, pagination } = await call('listChanges', { query });
    for (const event of data) {
      const kind = JSON.stringify(['object_type' in event ? event.object_type : null, event.type]);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    total += data.length;
    newest = [...newest, ...data].slice(-NEWEST);
    if (!pagination.has_more || page === PAGES) {
      return printSummary({ counts, newest, total }, nextLine(pagination));
    }
    const { since: _, ...others } = position;
    position = { ...others, cursor: pagination.next_cursor };
  }
}

interface Summary {
  /** The counts by object type and type of event, as JSON. */
  readonly counts: ReadonlyMap<string, number>;
  readonly newest: readonly ChangeEvent[];
  readonly total: number;
}

/** The counts, and as many of the newest changes as an answer has room for. */
function printSummary({ counts, newest, total }: Summary, tail: readonly string[]): string {
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, 100);
  const head = [`changes: ${total}. Counts [object_type, type, count], then the newest ${COLUMNS}`];
  const countRows = most.map(([kind, count]) =>
    printRow([...JSON.parse(kind), count], MOST_OF_VALUE),
  );
  const rows = newest.map((event) => printRow(eventRow(event), MOST_OF_VALUE)).toReversed();
  const fitting = fittingLines({ head, data: [...countRows, ...rows], tail });
  return printAnswer({ head, data: [...countRows, ...rows].slice(0, fitting), tail });
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
