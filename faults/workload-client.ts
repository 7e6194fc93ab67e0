// One client of the workload, as its operations see it, and the records that all of them write to.

import type { Entry, Ledger } from './ledger.ts';
import type { Answer } from './recorder.ts';
import type { Key, Site } from './site.ts';
import type { Sent } from './wire.ts';

export interface Client {
  readonly index: number;
  readonly key: Key;
  readonly site: Site;
  readonly ledger: Ledger;
  readonly ground: Ground;
  random(): number;
  /** Deals that only this client writes to, with the version it has read. */
  readonly mine: Map<string, string>;
  readonly items: string[];
  /** Send until it is answered for good; undefined when it never was. */
  settle(entry: Entry, sent: Sent): Promise<Answer | undefined>;
}

/** Records that all clients write to. */
export interface Ground {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly hot: readonly string[];
  readonly contacts: readonly string[];
  readonly companies: readonly string[];
}
