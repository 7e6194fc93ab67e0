// The question of a request for changes: which events, of which records, from which position on (docs/design/changes.md).

import Type from 'typebox';
import { ApiError, errorFromProblems } from '../../errors.ts';
import {
  type ChangeEvent,
  type ChangeQuestion,
  type Expired,
  positionOf,
} from '../../flow/events/change-reader.ts';
import type { Outbox } from '../../flow/events/event-pages.ts';
import { LIMITS } from '../../limits.ts';
import { about, type Message, say } from '../../messages/message.ts';
import { parseDateTime } from '../../model/values/times.ts';
import { openPosition } from '../../plan/events/event-id.ts';
import type { ReaderPosition } from '../../plan/events/event-position.ts';
import type { ReaderRights } from '../../plan/people/reader-rights.ts';
import { planGet, requireObject } from '../../plan/read/read-plan.ts';
import { closed } from '../shapes.ts';
import { CHANGE_TYPES } from './event-shapes.ts';

const FAMILIES = ['record.*', 'comment.*', 'definition.*', 'reach.*'];

export const ChangesQuery = Type.Object(
  {
    object_type: Type.Optional(
      Type.String({
        maxLength: LIMITS.fieldsQueryLength,
        description: 'Comma-separated object types; all that you may read when left out.',
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
        minLength: 1,
        maxLength: 40,
        description: 'Instead of a cursor, a date or a date and time: begins not later than then.',
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
        description:
          'Fields of the records, comma-separated; with one `object_type` and `include=record` only.',
      }),
    ),
  },
  closed,
);

export type AskedChanges = Type.Static<typeof ChangesQuery>;

/** Errors: also `invalid_cursor` and `cursor_expired`. */
export async function questionOf(
  reading: ReaderRights,
  asked: AskedChanges,
  outbox: Outbox,
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
  { cursor, since }: AskedChanges,
  outbox: Outbox,
): Promise<ReaderPosition> {
  if (cursor !== undefined && cursor !== '' && since !== undefined) {
    throw refused('since', say('cursor_or_since'));
  }
  if (cursor === undefined || cursor === '' || cursor === 'start') {
    const time = since === undefined ? 'now' : { since: timeOf(since) };
    const beginning = cursor === 'start' ? 'start' : time;
    const found = await positionOf(outbox, reading, beginning);
    if ('expired' in found && since !== undefined) throw expired(found.expired, 'since');
    return requireValid(found);
  }
  const { model, caller } = reading;
  const position = openPosition(model.cursor_secret, caller.user.id, cursor);
  if (position === undefined) throw new ApiError('invalid_cursor', { param: 'cursor' });
  return position;
}

function timeOf(since: string): number {
  const parsed = parseDateTime(since);
  if ('problem' in parsed) throw refused('since', about('The value', parsed.problem));
  return Date.parse(String(parsed.value));
}

/** A reader without any object has lost the rights that the cursor was for. */
function requireReadable({ caller }: ReaderRights): void {
  if ([...caller.access.objects.values()].some(({ reach }) => reach.read !== null)) return;
  throw expired('rights_lost');
}

export function requireValid<Found extends object>(found: Found | Expired | undefined): Found {
  if (found === undefined) throw new Error('a wait ended without an answer');
  if ('expired' in found) throw expired(found.expired as Expired['expired']);
  return found;
}

const EXPIRED = Object.freeze({
  too_old: say('cursor_too_old'),
  restored: say('cursor_before_restore'),
  rights_lost: say('cursor_rights_lost'),
});

const OLD_SINCE = say('changes_since_too_old');

function expired(reason: keyof typeof EXPIRED, param: 'cursor' | 'since' = 'cursor'): ApiError {
  return new ApiError('cursor_expired', {
    param,
    message: param === 'since' ? OLD_SINCE : EXPIRED[reason],
    details: { reason },
  });
}

function refused(param: string, message: Message): ApiError {
  return errorFromProblems([{ param, code: 'validation_failed', message }]);
}

/** Errors: `validation_failed`, `invalid_filter` for a field, `object_not_available`. */
function wantedBy(
  { model, caller }: ReaderRights,
  { object_type, type, fields, include }: AskedChanges,
): (event: ChangeEvent) => boolean {
  const types = typesOf(type);
  const named = listed(object_type).map((one) => requireObject(model, caller, one));
  const objects = named.map((object) => object.object_type);
  if (fields !== undefined) {
    const [object, another] = named;
    if (include === undefined || object === undefined || another !== undefined) {
      throw refused('fields', say('changes_fields_alone'));
    }
    planGet(model, caller, object, { ids: [], fields: listed(fields) });
  }
  const isOfObject = (name: string) => objects.length === 0 || objects.includes(name);
  return (event) => {
    if (types !== undefined && !types.has(event.type)) return false;
    if (event.type === 'definition.changed') return true;
    if (event.type !== 'reach.changed') return isOfObject(event.row.object_type);
    return event.object_types.length === 0 || event.object_types.some(isOfObject);
  };
}

export function listed(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(',').map((one) => one.trim());
}

/** The types that a list names; undefined: all. */
function typesOf(text: string | undefined): ReadonlySet<string> | undefined {
  const names = listed(text);
  if (names.length === 0) return undefined;
  const known: readonly string[] = [...CHANGE_TYPES, ...FAMILIES];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw refused('type', say('unknown_type', { type: unknown, known: known.join(', ') }));
  }
  return new Set(
    names.flatMap((name) =>
      name.endsWith('*') ? CHANGE_TYPES.filter((type) => type.startsWith(name.slice(0, -1))) : name,
    ),
  );
}
