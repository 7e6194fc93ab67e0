// The events of an audit row for a reader, by their present rights (D58, docs/design/changes.md). Pure.

import type { ObjectModel, Reach, WorkspaceModel } from '../../model/definition/model.ts';
import {
  type Caller,
  findRelationship,
  isWithinReach,
  objectAccess,
  reachColumn,
} from '../../model/rights/access.ts';
import type { ReaderRights } from '../people/reader-rights.ts';
import { canReadLinked } from '../read/linked-plan.ts';
import type { ChangedNames } from './changed-names.ts';
import type { EventPlace } from './event-position.ts';

/** An audit row with the data that decides who may read it, in present keys. */
export interface EventRow {
  readonly id: number;
  /** The transaction that wrote it: with the id, where it is found again. */
  readonly transaction: string;
  /** The place in the order of the page, which differs when the order of revisions requires it. */
  readonly place: EventPlace;
  readonly at: string;
  readonly object_type: string;
  /** Null: all records of the object were loaded at once. */
  readonly record_id: string | null;
  readonly action: string;
  readonly changed_fields: readonly string[];
  /** Counter of the record after the change; null of a comment. */
  readonly revision: number | null;
  readonly user_id: number | null;
  readonly api_key_id: string | null;
  readonly source: EventSource;
  readonly batch_id: string | null;
  /** True when the record exists. */
  readonly present: boolean;
  /** Owner of the record; of a deleted record, its last owner; of a delete, the owner until then. */
  readonly reach_user_id: number | null;
  /** Owner before a change of the owner, or before the end of the record. */
  readonly former_user_id: number | null;
  /** Null unless a comment was added that still exists. */
  readonly comment: EventComment | null;
  /** The record that this one was merged into, while it exists. */
  readonly merged_into: { readonly id: string; readonly reach_user_id: number | null } | null;
  /** The status request that the row is about, or that led to the move. */
  readonly request: EventRequest | null;
  /** The notification of the new owner, after a change of the owner. */
  readonly assigned: readonly AuthoredNotification[] | null;
}

/** A status request as it is now. */
export interface EventRequest {
  readonly id: string;
  readonly from_status: string;
  readonly to_status: string;
  readonly state: RequestState;
  readonly requested_by: number;
  readonly notifications: readonly AuthoredNotification[];
}

export interface AuthoredNotification extends NotifiedRow {
  readonly author_user_id: number;
  readonly author_kind: string | null;
  readonly author_name: string | null;
}

export const REQUEST_STATES = ['pending', 'approved', 'rejected', 'withdrawn', 'expired'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

export interface EventComment {
  readonly id: string;
  readonly body: string;
  readonly author_user_id: number;
  readonly author_kind: string | null;
  readonly author_name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly notifications: readonly NotifiedRow[];
}

export const EVENT_SOURCES = ['api', 'application', 'mcp', 'import', 'bulk', 'cli'] as const;

export type EventSource = (typeof EVENT_SOURCES)[number];

/** A user who was notified. */
export interface NotifiedRow {
  readonly id: string;
  /** Null in rows of a release before. */
  readonly kind: string | null;
  readonly user_id: number;
  readonly created_at: string;
  readonly read_at: string | null;
}

/** Types of events that are about one record, other than comments. */
export const RECORD_EVENTS = [
  'record.created',
  'record.updated',
  'record.status_changed',
  'record.deleted',
  'record.linked',
  'record.unlinked',
  'record.entered',
  'record.restored',
  'record.merged',
  'record.erased',
] as const;

type RecordEventType = (typeof RECORD_EVENTS)[number];

/** An event of an audit row, as far as the reader may know. */
export type RowEvent =
  | {
      readonly type: RecordEventType;
      readonly row: EventRow;
      /** Keys of the changed fields that the reader may read. */
      readonly changed_fields: readonly string[];
      /** The record that it was merged into, when the reader may read it. */
      readonly into?: string;
    }
  | { readonly type: 'record.left'; readonly row: EventRow }
  | { readonly type: 'comment.created'; readonly row: EventRow; readonly comment: EventComment }
  /** The records of an object were loaded without an event for each. */
  | {
      readonly type: 'reach.changed';
      readonly row: EventRow;
      readonly object_types: readonly string[];
    }
  | {
      readonly type: 'notification.created';
      readonly row: EventRow;
      readonly comment: EventComment | null;
      /** The notification with its author, where there is no comment. */
      readonly notification: NotifiedRow;
      readonly request?: EventRequest;
    }
  | {
      readonly type: RequestEventType;
      readonly row: EventRow;
      readonly request: EventRequest;
    };

/** Types of events about status requests. */
export const REQUEST_EVENTS = ['status_request.created', 'status_request.decided'] as const;

type RequestEventType = (typeof REQUEST_EVENTS)[number];

/** An event for a reader: of an audit row, or of their own rights. */
export type ShownEvent = RowEvent | RightsEvent;

/** The definition or the rights of the reader have changed; `key` tells the change from others of the reader. */
export type RightsEvent = { readonly key: string } & (
  | ({ readonly type: 'definition.changed' } & ChangedNames)
  | { readonly type: 'reach.changed'; readonly object_types: readonly string[] }
);

/** Event by action of the audit. */
const TYPES: ReadonlyMap<string, RecordEventType> = new Map([
  ['create', 'record.created'],
  ['update', 'record.updated'],
  ['status', 'record.status_changed'],
  ['delete', 'record.deleted'],
  ['link', 'record.linked'],
  ['unlink', 'record.unlinked'],
  ['restore', 'record.restored'],
  ['merge', 'record.merged'],
  ['erase', 'record.erased'],
]);

/** Event by action of the audit; an approval that is not the last one has none. */
const REQUEST_TYPES: ReadonlyMap<string, RequestEventType> = new Map([
  ['status_request', 'status_request.created'],
  ['status_decision', 'status_request.decided'],
]);

/** The events of a row for this reader, by their present rights; none when they may not read it. */
export function planEvents({ model, caller }: ReaderRights, row: EventRow): readonly RowEvent[] {
  const object = model.objects.get(row.object_type);
  if (object === undefined) return [];
  const { read } = objectAccess(caller, object).reach;
  const mayRead = caller.scopes.has('records:read');
  if (row.record_id === null) {
    const object_types = [row.object_type];
    return read !== null && mayRead ? [{ type: 'reach.changed', row, object_types }] : [];
  }
  if (!isWithinReach(caller, read, row.reach_user_id)) return leavingEvents(caller, row, read);
  if (row.action === 'comment') return commentEvents(caller, row);
  const requested = REQUEST_TYPES.get(row.action);
  if (requested !== undefined) return requestEvents(caller, row, requested);
  const type = TYPES.get(row.action);
  if (type === undefined || !mayRead) return [];
  // A record that no longer exists has only its deletion and its erasure as events.
  if (!row.present && !ENDS.has(row.action)) return [];
  const changed_fields = readableKeys(model, caller, object, row.changed_fields);
  const assigned = assignmentEvents(caller, row);
  if (isEntering(caller, object, row)) {
    return [{ type: 'record.entered', row, changed_fields }, ...assigned];
  }
  // A merge can change nothing but the version.
  const isVersionAlone = row.changed_fields.length === 0;
  const isTold = WHOLE.has(row.action) || changed_fields.length > 0 || isVersionAlone;
  if (!isTold) return assigned;
  const { merged_into: into } = row;
  const isKnown =
    row.action === 'merge' && into !== null && isWithinReach(caller, read, into.reach_user_id);
  return [{ type, row, changed_fields, ...(isKnown ? { into: into.id } : {}) }, ...assigned];
}

function assignmentEvents(caller: Caller, row: EventRow): readonly RowEvent[] {
  if (row.assigned === null || !caller.scopes.has('comments:read')) return [];
  const own = row.assigned.filter(({ user_id }) => user_id === caller.user.id);
  return own.map((notification) => {
    return { type: 'notification.created', row, comment: null, notification } as const;
  });
}

/** Actions that a record does not outlive. */
const ENDS: ReadonlySet<string> = new Set(['delete', 'merge', 'erase']);

/** Actions on all of a record. */
const WHOLE: ReadonlySet<string> = new Set(['create', 'restore', ...ENDS]);

/** True for a change of the owner that brought the record within the reach of the caller. */
function isEntering(caller: Caller, object: ObjectModel, row: EventRow): boolean {
  const isGiven = !WHOLE.has(row.action) && row.changed_fields.includes(reachColumn(object));
  const { read } = objectAccess(caller, object).reach;
  return isGiven && !isWithinReach(caller, read, row.former_user_id);
}

/**
 * The events for readers who could read the record until it was given to another owner (D320), also when it is gone
 * since: its end is not an event for them (D567).
 */
function leavingEvents(caller: Caller, row: EventRow, read: Reach | null): readonly RowEvent[] {
  const wasTheirs = isWithinReach(caller, read, row.former_user_id);
  return wasTheirs && caller.scopes.has('records:read') ? [{ type: 'record.left', row }] : [];
}

function commentEvents(caller: Caller, row: EventRow): readonly RowEvent[] {
  const { comment } = row;
  if (!row.present || comment === null || !caller.scopes.has('comments:read')) return [];
  const own = comment.notifications.filter(({ user_id }) => user_id === caller.user.id);
  return [
    { type: 'comment.created', row, comment },
    ...own.map(
      (notification) => ({ type: 'notification.created', row, comment, notification }) as const,
    ),
  ];
}

/** The events of a status request, for everybody who may read the record. */
function requestEvents(caller: Caller, row: EventRow, type: RequestEventType): readonly RowEvent[] {
  const { request } = row;
  if (!row.present || request === null || !caller.scopes.has('records:read')) return [];
  const own = request.notifications.filter(({ user_id }) => user_id === caller.user.id);
  return [
    { type, row, request },
    ...own.map(
      (notification) =>
        ({ type: 'notification.created', row, comment: null, notification, request }) as const,
    ),
  ];
}

/**
 * Changed keys are those of fields, or ids of relationships (D28). An event of a link is for
 * readers of the page of linked records: with partial reach it could reveal a hidden record (D171).
 */
export function readableKeys(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  keys: readonly string[],
): readonly string[] {
  const { readable } = objectAccess(caller, object);
  const isVisible = (key: string) => {
    const found = findRelationship(model, caller, object, key);
    return found !== undefined && canReadLinked(caller, object, found.other, found.relationship);
  };
  return keys.filter((key) => readable.has(key) || (!object.fields.has(key) && isVisible(key)));
}
