// The decisions behind live events: which events of an audit row a reader may get now, and the position of a
// reader in the order of events (D58). Pure.

import { type Caller, findRelationship, isWithinReach, objectAccess } from '../model/access.ts';
import type { ObjectModel, Reach, WorkspaceModel } from '../model/model.ts';
import { canReadLinked } from './linked-plan.ts';
import { unseenBy } from './snapshot-moment.ts';

/** An audit row with the data that decides who may read it. */
export interface EventRow {
  readonly id: number;
  readonly transaction: string;
  readonly at: string;
  readonly object_type: string;
  readonly record_id: string;
  readonly action: string;
  readonly changed_fields: readonly string[];
  readonly user_id: number;
  /** True when the record exists. */
  readonly present: boolean;
  /** Owner of the record; of a deleted record, its last owner. */
  readonly reach_user_id: number | null;
  /** Owner before a change of the owner. */
  readonly former_user_id: number | null;
  /** Counter of the record as it is; null of one that is gone. */
  readonly version: number | null;
  /** Null unless a comment was added that still exists; `author_…` describe its author. */
  readonly comment_id: string | null;
  readonly body: string | null;
  readonly author_user_id: number | null;
  readonly author_kind: string | null;
  readonly author_name: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly notifications: readonly NotifiedRow[] | null;
}

/** A user who was notified of the comment. */
export interface NotifiedRow {
  readonly id: string;
  readonly user_id: number;
  readonly created_at: string;
  readonly read_at: string | null;
}

/** An event for a reader. */
export type ShownEvent =
  | {
      readonly name: (typeof RECORD_EVENTS)[keyof typeof RECORD_EVENTS];
      readonly row: EventRow;
      /** Keys of the changed fields that the reader may read. */
      readonly changed_fields: readonly string[];
    }
  | { readonly name: 'comment.created'; readonly row: EventRow }
  | { readonly name: 'record.left'; readonly row: EventRow }
  | {
      readonly name: 'notification.created';
      readonly row: EventRow;
      readonly notification: NotifiedRow;
    };

/** Event by action of the audit. */
const RECORD_EVENTS = Object.freeze({
  create: 'record.created',
  update: 'record.updated',
  status: 'record.updated',
  delete: 'record.deleted',
  link: 'record.linked',
  unlink: 'record.unlinked',
} as const);

/** The events of a row for this reader, by their present rights; none when they may not read it. */
export function planEvents(
  model: WorkspaceModel,
  caller: Caller,
  row: EventRow,
): readonly ShownEvent[] {
  const object = model.objects.get(row.object_type);
  if (object === undefined) return [];
  const { read } = objectAccess(caller, object).reach;
  if (!isWithinReach(caller, read, row.reach_user_id)) return leavingEvents(caller, row, read);
  if (row.action === 'comment') return commentEvents(caller, row);
  const name = RECORD_EVENTS[row.action as keyof typeof RECORD_EVENTS];
  if (name === undefined || !caller.scopes.has('records:read')) return [];
  // A record that no longer exists has only its deletion as an event.
  if (!row.present && row.action !== 'delete') return [];
  const changed_fields = readableKeys(model, caller, object, row.changed_fields);
  const isWhole = row.action === 'create' || row.action === 'delete';
  return isWhole || changed_fields.length > 0 ? [{ name, row, changed_fields }] : [];
}

/** For those who could read it until it was given to another owner (D320). */
function leavingEvents(caller: Caller, row: EventRow, read: Reach | null): readonly ShownEvent[] {
  const wasTheirs = isWithinReach(caller, read, row.former_user_id);
  const isLeaving = wasTheirs && row.present && row.action !== 'delete';
  return isLeaving && caller.scopes.has('records:read') ? [{ name: 'record.left', row }] : [];
}

function commentEvents(caller: Caller, row: EventRow): readonly ShownEvent[] {
  if (!row.present || row.comment_id === null || !caller.scopes.has('comments:read')) return [];
  const own = (row.notifications ?? []).filter(({ user_id }) => user_id === caller.user.id);
  return [
    { name: 'comment.created', row },
    ...own.map((notification) => ({ name: 'notification.created', row, notification }) as const),
  ];
}

/**
 * Changed keys are those of fields, or ids of relationships (D28). An event of a link is for
 * readers of the page of linked records: with partial reach it could reveal a hidden record (D171).
 */
function readableKeys(
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

/** Where in the order of events a page ended. */
export interface EventPlace {
  readonly transaction: string;
  readonly id: number;
}

/**
 * The position of a reader: sent are all rows that the moment `delivered` sees and, within a poll, those
 * that `to` sees up to the place `after`.
 */
export interface EventPosition {
  readonly delivered: string;
  readonly within?: { readonly to: string; readonly after: EventPlace };
}

/** A page of the rows that come after a position. */
export interface EventPage {
  /** Transactions that were in progress. */
  readonly pending: readonly string[];
  /** After this place, among those that were in progress. */
  readonly after: EventPlace;
  /** After this place, among all later ones. */
  readonly start: EventPlace;
  /** Only what this moment sees, and on its node. */
  readonly to: string;
  readonly limit: number;
}

/** Before all rows: their ids begin with 1. */
const FIRST: EventPlace = Object.freeze({ transaction: '0', id: 0 });

/** Plan the next page; it ends at `to`, or at the end of the poll that the position is within. */
export function planEventPage(
  { delivered, within }: EventPosition,
  to: string,
  limit: number,
): EventPage {
  const { from, pending } = unseenBy(delivered);
  const after = within?.after ?? FIRST;
  // One comparison and not two: an index begins where the first of them says.
  const isBeyond = BigInt(after.transaction) >= BigInt(from);
  return {
    after,
    start: isBeyond ? after : { transaction: from, id: 0 },
    pending,
    to: within?.to ?? to,
    limit,
  };
}
