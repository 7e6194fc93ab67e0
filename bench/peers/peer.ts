// The description of a server that the comparison needs to measure it: its address, the request of each task, and how
// its answer is read. The same code checks the answers of all adapters.

import type { Deal, Selection, StageTotal } from './deals.ts';

export interface PeerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** With the query string, encoded. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface PeerTask<Input, Output> {
  request(input: Input): PeerRequest;
  /** Of a right answer. */
  readonly status: number;
  /** The parsed JSON body in the terms of the comparison; may throw when it has another form. */
  read(body: unknown): Output;
}

export interface StoredDeal extends Deal {
  readonly id: string;
}

/** The tasks in the order they are measured in: what writes comes last. */
export const TASK_NAMES = ['get', 'list', 'aggregate', 'create', 'batch'] as const;
export type TaskName = (typeof TASK_NAMES)[number];

export interface PeerTasks {
  /** One deal by its id. */
  readonly get: PeerTask<string, StoredDeal>;
  /** The first 25 deals that fit, latest close date first. */
  readonly list: PeerTask<Selection, readonly Deal[]>;
  /** Number of deals and sum of their amounts for each stage. */
  readonly aggregate: PeerTask<undefined, readonly StageTotal[]>;
  /** A new deal; some products answer its id alone. */
  readonly create: PeerTask<Deal, Pick<StoredDeal, 'id'> & Partial<Deal>>;
  /** 100 new deals, all or none; their ids in the order of the deals. */
  readonly batch: PeerTask<readonly Deal[], readonly string[]>;
}

/** A server that answers. */
export interface OpenPeer {
  readonly url: string;
  /** Sent with every request: the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tasks: PeerTasks;
  /** Ids of the deals it has loaded itself; without them the batch task loads them. */
  readonly ids?: readonly string[];
  /** Does the work of autovacuum after loading; without it the run waits for autovacuum. */
  settle?(): Promise<void>;
  close(): Promise<void>;
}

export interface Peer {
  /** Of a column of the table. */
  readonly name: string;
  /** Why it cannot take part; undefined when it can. */
  readonly missing?: string | undefined;
  /** Make ready without any deals, or with exactly these. */
  open(deals: readonly Deal[]): Promise<OpenPeer>;
}
