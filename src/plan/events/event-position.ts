// The position of a reader in the order of changes (D58): which audit rows have been sent, and what the reader might read
// then. Pure.

import { epochOf, horizonOf, unseenBy } from './snapshot-moment.ts';

/** Where in the order of audit rows a page ended. */
export interface EventPlace {
  readonly transaction: string;
  readonly id: number;
}

/**
 * Sent are all rows that the moment `delivered` sees and, within a poll, those that `to` sees up to the place `after`.
 */
export interface EventPosition {
  readonly delivered: string;
  readonly within?: { readonly to: string; readonly after: EventPlace };
}

/** The position of a reader whom the service does not remember. */
export interface ReaderPosition {
  readonly position: EventPosition;
  /** The rights of the reader at that time (reader-rights.ts). */
  readonly rights: string;
  /** Milliseconds since 1970 of the last change before it; it expires with the changes behind it. */
  readonly at: number;
}

/** Most transactions in progress that a position names: it is part of an address or a header. */
const MOST_PENDING = 50;

/** The position as a text without spaces at its ends, which `parsePosition` reads. */
export function positionText({ position, rights, at }: ReaderPosition): string {
  const { delivered, within } = position;
  const place =
    within === undefined ? [] : [shortened(within.to), within.after.transaction, within.after.id];
  return [shortened(delivered), rights, at, ...place].join(' ');
}

/** Undefined for a text of another form. */
export function parsePosition(text: string): ReaderPosition | undefined {
  const [delivered = '', rights = '', at = '', to, transaction = '', id = ''] = text.split(' ');
  if (!/^\d+:\d+:[\d,]*:\S*$/.test(delivered) || !/^\d+$/.test(at)) return undefined;
  const within = to === undefined ? {} : { within: { to, after: { transaction, id: Number(id) } } };
  return { position: { delivered, ...within }, rights, at: Number(at) };
}

/** A page of the rows that come after a position. */
export interface EventPage {
  /** Transactions that were in progress. */
  readonly pending: readonly string[];
  /** The place after which the rows of those transactions are read. */
  readonly after: EventPlace;
  /** The place after which the rows of all later transactions are read. */
  readonly start: EventPlace;
  /** The moment whose visible rows are read, on its node. */
  readonly to: string;
  readonly limit: number;
}

/** The place before all rows: their ids begin with 1. */
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

/** The position within a page, after this row. */
export function positionAt(
  { delivered }: EventPosition,
  to: string,
  { transaction, id }: EventPlace,
): EventPosition {
  return { delivered, within: { to, after: { transaction, id } } };
}

/**
 * The moment in a short form. With too many transactions in progress, all from the first of them on count as not sent.
 */
function shortened(moment: string): string {
  if (unseenBy(moment).pending.length <= MOST_PENDING) return moment;
  const first = horizonOf(moment);
  return `${first}:${first}::${epochOf(moment)}`;
}
