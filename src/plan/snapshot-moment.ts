// A moment of the database: what a snapshot saw, and the crash epoch in which its transaction numbers
// mean anything (D170, docs/design/crash-epochs.md). A text, `xmin:xmax:xip:epoch`; two of them can be compared
// within one epoch only. Pure.

/** The transactions that a snapshot does not see. */
export interface Unseen {
  /** This one and all later ones. */
  readonly from: string;
  /** And these, which were in progress. */
  readonly pending: readonly string[];
}

/** What a moment did not see. */
export function unseenBy(moment: string): Unseen {
  const [, from = '0', pending = ''] = moment.split(':');
  return { from, pending: pending === '' ? [] : pending.split(',') };
}

/** The moment as a snapshot of PostgreSQL. */
export function snapshotOf(moment: string): string {
  return moment.split(':', 3).join(':');
}

/** Before this transaction all others had ended. */
export function horizonOf(moment: string): string {
  return moment.split(':', 1)[0] as string;
}

/** '' when it is not known. */
export function epochOf(moment: string): string {
  return moment.split(':')[3] ?? '';
}

/** The moment of a server as that of a workspace: its epoch ends when the workspace leaves the place. */
export function momentAt(moment: string, place: number): string {
  return `${moment}.${place}`;
}

/** The moment of the server, whatever workspace it was told for. */
export function momentOfServer(moment: string): string {
  return moment.replace(/\.\d+$/, '');
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
