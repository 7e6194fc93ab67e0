// The change feed over HTTP: what has changed since a cursor (docs/design/changes.md). Parsing and presenting only; the
// way there is flow/events/change-reader.ts and event-feed.ts.

import Type from 'typebox';
import type {
  ChangeEvent,
  ChangePage,
  ChangeQuestion,
  Expired,
} from '../../flow/events/change-reader.ts';
import { readByIds } from '../../flow/records/read/read-by-ids.ts';
import { sealPosition } from '../../plan/events/event-id.ts';
import type { ReaderRights } from '../../plan/people/reader-rights.ts';
import { sharedAnswer } from '../../plan/read/answer-size.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import type { Database } from '../../postgres/db.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { presentRecord } from '../present.ts';
import { closed } from '../shapes.ts';
import {
  type AskedChanges,
  ChangesQuery,
  listed,
  questionOf,
  requireValid,
} from './change-question.ts';
import { ChangeShape, presentEvent } from './event-shapes.ts';

export const listChanges = defineRoute({
  method: 'GET',
  path: '/changes',
  operationId: 'listChanges',
  tag: 'Events',
  summary: 'List changes',
  description: [
    'What has changed since a cursor, as far as you may read it now; comments need the scope `comments:read`. Every',
    'answer has a `next_cursor`, which stays valid whatever the next request filters by. The feed is complete, also',
    'over writes that happen at the same time, and nothing is ever inserted before a cursor. An event may come twice,',
    'with the same `id`. A change of a record may come late, with a lower `revision` than the one you know: drop it.',
    '',
    'After `reach.changed` list the named objects again and drop the records that are no longer there; after',
    '`definition.changed` follow the renames. `410 cursor_expired` says in `details.reason` why the cursor is no longer',
    'valid: `too_old`, `restored` (the database was restored from a backup) or `rights_lost`. List everything again then.',
  ].join('\n'),
  scope: ['records:read', 'comments:read'],
  params: Type.Object({}, closed),
  query: ChangesQuery,
  status: 200,
  result: Type.Object({
    data: Type.Array(ChangeShape),
    pagination: Type.Object({
      limit: Type.Integer(),
      has_more: Type.Boolean({ description: 'True when the next page may be read at once.' }),
      next_cursor: Type.String(),
    }),
  }),
  errors: [
    'validation_failed',
    'invalid_filter',
    'invalid_cursor',
    'cursor_expired',
    'object_not_available',
    'too_many_streams',
  ],
  async handle(request, { db, events }) {
    const { caller, model, query, admitAgain } = request;
    const reading = { caller, model };
    const question = await questionOf(reading, query, { ...events.outbox, db });
    const waits = query.wait > 0;
    let page: ChangePage | undefined;
    if (!waits || !events.isLevel(question)) {
      page = requireValid(await events.read(question, db));
      const isFound = page.events.length > 0 || !page.isLevel;
      if (isFound || !waits) return changesReply({ db, reading, query, events }, question, page);
    }
    const from = page?.next ?? question.from;
    const milliseconds = query.wait * 1000;
    let outcome: ChangePage | Expired | undefined;
    return {
      async wait(closing) {
        const signals = [request.signal(), closing];
        outcome = await events.wait({ ...question, from, milliseconds, signals }, admitAgain);
      },
      async answer() {
        const now = await admitAgain();
        const answering = { db, reading: now, query, events };
        return changesReply(answering, { ...question, reading: now, from }, requireValid(outcome));
      },
    };
  },
});

export interface Answering {
  readonly db: Database;
  readonly reading: ReaderRights;
  readonly query: AskedChanges;
  readonly events: ApiContext['events'];
}

/** The answer of a page, with the records that were asked for. */
export async function changesReply(
  answering: Answering,
  question: ChangeQuestion,
  page: ChangePage,
) {
  const { reading, query } = answering;
  const { model, caller } = reading;
  const loadedPage =
    query.include === undefined ? { page } : await withRecords(answering, question, page);
  const data = loadedPage.page.events.map((event) => {
    const record = 'row' in event ? loadedPage.records?.get(event.row.record_id ?? '') : undefined;
    const presented = presentEvent(reading, event);
    return record === undefined ? presented : { ...presented, record };
  });
  const position = { ...loadedPage.page.next, user_id: caller.user.id };
  const next_cursor = sealPosition(model.cursor_secret, position);
  const pagination = { limit: question.limit, has_more: !loadedPage.page.isLevel, next_cursor };
  return { body: { data, pagination } };
}

interface ShownPage {
  readonly page: ChangePage;
  readonly records?: ReadonlyMap<string, unknown>;
}

/** The page with its records; a shorter one when they do not fit into an answer. */
async function withRecords(
  answering: Answering,
  question: ChangeQuestion,
  page: ChangePage,
): Promise<ShownPage> {
  const { db, reading, query, events } = answering;
  const fields = query.fields === undefined ? undefined : listed(query.fields);
  const wanted = wantedRecords(page.events);
  const records = new Map<string, unknown>();
  let isWhole = true;
  for (const [type, ids] of wanted) {
    const object = requireObject(reading.model, reading.caller, type);
    const asked = { ids: [...ids], fields, size: sharedAnswer(wanted.size) };
    const found = await readByIds({ db, ...reading }, object, asked);
    isWhole &&= found.isWhole;
    for (const row of found.rows) {
      records.set(String(row.id), presentRecord(found.plan, row, reading.caller));
    }
  }
  if (isWhole || page.events.length <= 1) return { page, records };
  const limit = Math.ceil(page.events.length / 2);
  const shorter = requireValid(await events.read({ ...question, limit }, db));
  return withRecords(answering, { ...question, limit }, shorter);
}

/** The ids of records by object type, as far as events have one. */
function wantedRecords(events: readonly ChangeEvent[]): ReadonlyMap<string, ReadonlySet<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const event of events) {
    if (!('row' in event) || !event.type.startsWith('record.') || !event.row.present) continue;
    const { object_type, record_id } = event.row;
    if (event.type === 'record.left' || record_id === null) continue;
    wanted.set(object_type, (wanted.get(object_type) ?? new Set()).add(record_id));
  }
  return wanted;
}
