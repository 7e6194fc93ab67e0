// A moment of the database: the transactions that a snapshot saw, and the crash epoch in which its transaction
// numbers are valid (D170, docs/design/crash-epochs.md). A text, `xmin:xmax:xip:epoch`; two of them can be compared
// within one epoch only. Pure.

/** The transactions that a snapshot does not see. */
export interface Unseen {
  /** This one and all later ones. */
  readonly from: string;
  /** And these, which were in progress. */
  readonly pending: readonly string[];
}

/** The transactions that a moment did not see. */
export function unseenBy(moment: string): Unseen {
  const [, from = '0', pending = ''] = moment.split(':');
  return { from, pending: pending === '' ? [] : pending.split(',') };
}

/** The moment as a snapshot of PostgreSQL. */
export function snapshotOf(moment: string): string {
  return moment.split(':', 3).join(':');
}

/** The horizon of a moment: all transactions before this one had ended. */
export function horizonOf(moment: string): string {
  return moment.split(':', 1)[0] as string;
}

/** '' when it is not known. */
export function epochOf(moment: string): string {
  return moment.split(':')[3] ?? '';
}

/** Where a workspace is: a number that is another one after each move, and the group of the node with Citus. */
export interface WorkspaceLocation {
  readonly place: number;
  readonly node_group: number | null;
}

/** The moment of a server as that of a workspace: its epoch ends when the workspace leaves the place. */
export function momentAt(moment: string, { place, node_group }: WorkspaceLocation): string {
  return node_group === null ? `${moment}.${place}` : `${moment}.${place}.${node_group}`;
}

/** The moment of the server, for any workspace. */
export function momentOfServer(moment: string): string {
  return moment.replace(/\.[\d.]+$/, '');
}

/** The group of the node that the workspace was on; undefined without Citus. */
export function nodeGroupOf(moment: string): number | undefined {
  const group = epochOf(moment).split('.')[2];
  return group === undefined ? undefined : Number(group);
}

/** True when a workspace was on one node at the one moment and on another one at the other. */
export function isMoved(one: string, other: string): boolean {
  const [from, to] = [nodeGroupOf(one), nodeGroupOf(other)];
  return from !== undefined && to !== undefined && from !== to;
}

/** A moment that sees the transactions before this one, of the epoch of the given moment. */
export function momentBefore(transaction: string, moment: string): string {
  return `${transaction}:${transaction}::${epochOf(moment)}`;
}

/**
 * The moment without the transactions behind `last`, the last one that it sees in the rows it is used for: they have no
 * such rows, so it sees the same ones. A crash gives out only numbers again that it does not see then (D455).
 */
export function trimmedTo(last: string | null, moment: string): string {
  const { from, pending } = unseenBy(moment);
  const end = last === null ? 1n : BigInt(last) + 1n;
  if (end >= BigInt(from)) return moment;
  const earlier = pending.filter((one) => BigInt(one) < end);
  return `${earlier[0] ?? end}:${end}:${earlier.join(',')}:${epochOf(moment)}`;
}

/** The epoch of the server in that of a moment, and where the workspace was. */
export function epochParts(moment: string): { readonly epoch: string; readonly place: string } {
  const [epoch = '', ...place] = epochOf(moment).split('.');
  return { epoch, place: place.join('.') };
}

/** False when the database has crashed, or the workspace has moved, between the two. */
export function isSameEpoch(one: string, other: string): boolean {
  return epochOf(one) !== '' && epochOf(one) === epochOf(other);
}

/**
 * True when `moment` is older than `seen`, of the same epoch: transaction numbers have gone back.
 */
export function isSetBack(moment: string, seen: string): boolean {
  return isSameEpoch(moment, seen) && BigInt(unseenBy(moment).from) < BigInt(unseenBy(seen).from);
}
