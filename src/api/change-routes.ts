// The change feed over HTTP: what has changed since a cursor (docs/design/changes.md). Parsing and presenting only; the
// way there is flow/events/change-reader.ts and event-feed.ts.

import Type from 'typebox';
import { ApiError, errorFromProblems } from '../errors.ts';
import {
  type ChangeEvent,
  type ChangePage,
  type ChangeQuestion,
  type Expired,
  positionOf,
} from '../flow/events/change-reader.ts';
import { readByIds } from '../flow/records/read-by-ids.ts';
import { LIMITS } from '../limits.ts';
import { sharedAnswer } from '../plan/answer-size.ts';
import { openPosition, sealPosition } from '../plan/event-id.ts';
import type { ReaderPosition } from '../plan/event-position.ts';
import { requireObject } from '../plan/read-plan.ts';
import type { ReaderRights } from '../plan/reader-rights.ts';
import type { Database } from '../postgres/db.ts';
import { type ApiContext, defineRoute } from './context.ts';
import { CHANGE_TYPES, ChangeShape, presentEvent } from './event-shapes.ts';
import { presentRecord } from './present.ts';
import { closed } from './shapes.ts';

const FAMILIES = ['record.*', 'comment.*', 'definition.*', 'reach.*'];

const ChangesQuery = Type.Object(
  {
    object_type: Type.Optional(
      Type.String({
        maxLength: LIMITS.fieldsQueryLength,
        description: 'Comma-separated; all that you may read when left out.',
        examples: ['companies,deals'],
      }),
    ),
    type: Type.Optional(
      Type.String({
        maxLength: LIMITS.fieldsQueryLength,
        description: 'Comma-separated types of events; `record.*` stands for all of them.',
        examples: ['record.*,comment.created'],
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: LIMITS.changesCursorLength,
        description:
          'The `next_cursor` of another page, or `start` for the oldest change that is kept. Now when left out.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Instead of a cursor: begins not later than this time.',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: LIMITS.changesPage, default: 100 }),
    wait: Type.Integer({
      minimum: 0,
      maximum: LIMITS.changesWaitSeconds,
      default: 0,
      description:
        'Seconds to wait when there is nothing yet. Such a request counts as an open stream.',
    }),
    include: Type.Optional(
      Type.Enum(['record'], {
        description: `The record as it is now, in each event that has one. At most ${LIMITS.changesWithRecords} events then.`,
      }),
    ),
    fields: Type.Optional(
      Type.String({
        maxLength: LIMITS.fieldsQueryLength,
        description: 'Of the records; with one `object_type` and `include=record` only.',
      }),
    ),
  },
  closed,
);

type Asked = Type.Static<typeof ChangesQuery>;

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
    'invalid_cursor',
    'cursor_expired',
    'permission_denied',
    'object_not_available',
    'too_many_streams',
  ],
  async handle(request, { db, events }) {
    const { caller, model, query, admitAgain } = request;
    const reading = { caller, model };
    const question = await questionOf(reading, query, events);
    const waits = query.wait > 0;
    let page: ChangePage | undefined;
    if (!waits || !events.isLevel(question)) {
      page = requireValid(await events.read(question));
      const isFound = page.events.length > 0 || !page.isLevel;
      if (isFound || !waits) return replyOf({ db, reading, query, events }, question, page);
    }
    const from = page?.next ?? question.from;
    const milliseconds = query.wait * 1000;
    let found: ChangePage | Expired | undefined;
    return {
      async wait(closing) {
        const signals = [request.signal(), closing];
        found = await events.wait({ ...question, from, milliseconds, signals }, admitAgain);
      },
      async answer() {
        const now = await admitAgain();
        const answering = { db, reading: now, query, events };
        return replyOf(answering, { ...question, reading: now, from }, requireValid(found));
      },
    };
  },
});

/** Errors: `validation_failed`, `invalid_cursor`, `cursor_expired`, `object_not_available`, `permission_denied`. */
async function questionOf(
  reading: ReaderRights,
  asked: Asked,
  { outbox }: ApiContext['events'],
): Promise<ChangeQuestion> {
  const isWanted = wantedBy(reading, asked);
  requireReadable(reading);
  const limit =
    asked.include === undefined ? asked.limit : Math.min(asked.limit, LIMITS.changesWithRecords);
  const from = await fromOf(reading, asked, outbox);
  return { reading, from, limit, isWanted };
}

async function fromOf(
  reading: ReaderRights,
  { cursor, since }: Asked,
  outbox: ApiContext['events']['outbox'],
): Promise<ReaderPosition> {
  if (cursor !== undefined && cursor !== '' && since !== undefined) {
    throw refused('since', 'Send either cursor or since.');
  }
  if (cursor === undefined || cursor === '' || cursor === 'start') {
    const time = since === undefined ? undefined : { since: Date.parse(since) };
    const beginning = cursor === 'start' ? 'start' : (time ?? 'now');
    return requireValid(await positionOf(outbox, reading, beginning));
  }
  const { model, caller } = reading;
  const position = openPosition(model.cursor_secret, caller.user.id, cursor);
  if (position === undefined) throw new ApiError('invalid_cursor', { param: 'cursor' });
  return position;
}

/** A reader without any object has lost the rights that the cursor was for. */
function requireReadable({ caller }: ReaderRights): void {
  if ([...caller.access.objects.values()].some(({ reach }) => reach.read !== null)) return;
  throw expired('rights_lost');
}

function requireValid<Found extends object>(found: Found | Expired | undefined): Found {
  if (found === undefined) throw new Error('a wait ended without an answer');
  if ('expired' in found) throw expired(found.expired as Expired['expired']);
  return found;
}

const EXPIRED = Object.freeze({
  too_old: 'The cursor is older than the changes that are kept. List everything again.',
  restored: 'The database was restored from a backup. List everything again.',
  rights_lost: 'You may no longer read any object of this workspace.',
});

function expired(reason: keyof typeof EXPIRED): ApiError {
  return new ApiError('cursor_expired', {
    param: 'cursor',
    message: EXPIRED[reason],
    details: { reason },
  });
}

function refused(param: string, message: string): ApiError {
  return errorFromProblems([{ param, code: 'validation_failed', message }]);
}

/** Errors: `validation_failed` for a type, `object_not_available` or `permission_denied` for an object. */
function wantedBy(
  { model, caller }: ReaderRights,
  { object_type, type, fields, include }: Asked,
): (event: ChangeEvent) => boolean {
  const types = typesOf(type);
  const objects = listed(object_type).map((one) => {
    requireObject(model, caller, one);
    return one;
  });
  if (fields !== undefined && (include === undefined || objects.length !== 1)) {
    throw refused('fields', 'Send fields with include=record and one object_type.');
  }
  const isOfObject = (name: string) => objects.length === 0 || objects.includes(name);
  return (event) => {
    if (types !== undefined && !types.has(event.type)) return false;
    if (event.type === 'definition.changed') return true;
    if (event.type !== 'reach.changed') return isOfObject(event.row.object_type);
    return event.object_types.length === 0 || event.object_types.some(isOfObject);
  };
}

function listed(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(',').map((one) => one.trim());
}

/** The types that a list names; undefined: all. */
function typesOf(text: string | undefined): ReadonlySet<string> | undefined {
  const names = listed(text);
  if (names.length === 0) return undefined;
  const known: readonly string[] = [...CHANGE_TYPES, ...FAMILIES];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw refused('type', `There is no type "${unknown}". Types are ${known.join(', ')}.`);
  }
  return new Set(
    names.flatMap((name) =>
      name.endsWith('*') ? CHANGE_TYPES.filter((type) => type.startsWith(name.slice(0, -1))) : name,
    ),
  );
}

interface Answering {
  readonly db: Database;
  readonly reading: ReaderRights;
  readonly query: Asked;
  readonly events: ApiContext['events'];
}

async function replyOf(answering: Answering, question: ChangeQuestion, page: ChangePage) {
  const { reading, query } = answering;
  const { model, caller } = reading;
  const shown =
    query.include === undefined ? { page } : await withRecords(answering, question, page);
  const data = shown.page.events.map((event) => {
    const record = 'row' in event ? shown.records?.get(event.row.record_id ?? '') : undefined;
    return { ...presentEvent(reading, event), ...(record === undefined ? {} : { record }) };
  });
  const position = { ...shown.page.next, user_id: caller.user.id };
  const next_cursor = sealPosition(model.cursor_secret, position);
  const pagination = { limit: question.limit, has_more: !shown.page.isLevel, next_cursor };
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
  const shorter = requireValid(await events.read({ ...question, limit }));
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
