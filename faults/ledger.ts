// The clients' own book of every write: the request, the answer, and the state of the database that follows from
// them. It depends on the answers of the service only.

export type WriteOutcome = 'acked' | 'refused' | 'unresolved';

/** One write. Under a key it is sent until its fate is known. */
export interface Entry {
  readonly token: string;
  readonly client: number;
  readonly kind: string;
  outcome: WriteOutcome;
  /** Attempts without a definite answer. */
  unknowns: number;
  /** True when the answer that settled it was the stored one. */
  replayed: boolean;
}

/** A record as it must be. */
export interface Expected {
  readonly id: string;
  readonly objectType: 'deals' | 'work_items';
  readonly token: string;
  /** The only client that writes to it; undefined: anybody. */
  readonly client: number | undefined;
  /** Committed changes since it was made. */
  changes: number;
  /** Rows of the audit by action, besides `create` and `update`. */
  statusMoves: number;
  comments: number;
  links: number;
  deleted: boolean;
  status: string;
  /** The last note; of records that all write to, every note there was. */
  readonly notes: string[];
  parent: string | null;
}

export interface Ledger {
  readonly entries: readonly Entry[];
  readonly records: ReadonlyMap<string, Expected>;
  /** Comments by their text: the record, and the mentioned people. */
  readonly comments: ReadonlyMap<string, string>;
  /** Links as `deal contact`. */
  readonly links: ReadonlySet<string>;
  /** Batches that changed all records of a group, by group. */
  readonly groupBatches: ReadonlyMap<string, readonly string[]>;
  /** Violations that the clients saw. */
  readonly complaints: readonly string[];
  open(client: number, kind: string): Entry;
  made(record: Pick<Expected, 'id' | 'objectType' | 'token' | 'client'>): Expected;
  changed(id: string, how: Partial<Pick<Expected, 'status' | 'parent'>> & { note?: string }): void;
  commented(id: string, text: string): void;
  linked(id: string, target: string): void;
  removed(id: string): void;
  grouped(group: string, token: string): void;
  /** Note the version a write was answered with; the same one twice is a complaint (V6). */
  versioned(id: string, version: string, token: string): void;
  complain(text: string): void;
}

const MOST_COMPLAINTS = 50;

/** `seed` is part of every token. */
export function openLedger(seed: number): Ledger {
  const entries: Entry[] = [];
  const records = new Map<string, Expected>();
  const comments = new Map<string, string>();
  const links = new Set<string>();
  const groupBatches = new Map<string, string[]>();
  const versions = new Map<string, string>();
  const complaints: string[] = [];
  const of = (id: string) => records.get(id) as Expected;
  const complain = (text: string) => {
    if (complaints.length < MOST_COMPLAINTS) complaints.push(text);
  };
  return {
    ...{ entries, records, comments, links, groupBatches, complaints, complain },
    open(client, kind) {
      const entry = newEntry(`t${seed}-${entries.length}`, client, kind);
      entries.push(entry);
      return entry;
    },
    made(record) {
      if (records.has(record.id)) complain(`V1 two creates were answered with ${record.id}`);
      const made = newRecord(record);
      records.set(record.id, made);
      return made;
    },
    changed: (id, how) => applyChange(of(id), how),
    commented(id, text) {
      of(id).comments += 1;
      comments.set(text, id);
    },
    linked(id, target) {
      of(id).links += 1;
      links.add(`${id} ${target}`);
    },
    removed(id) {
      of(id).deleted = true;
    },
    grouped(group, token) {
      const tokens = groupBatches.get(group);
      if (tokens === undefined) groupBatches.set(group, [token]);
      else tokens.push(token);
    },
    versioned(id, version, token) {
      const name = `${id} ${version}`;
      const before = versions.get(name);
      if (before !== undefined && before !== token) {
        complain(`V6 ${before} and ${token} were both answered with version ${version}`);
      }
      versions.set(name, token);
    },
  };
}

function newEntry(token: string, client: number, kind: string): Entry {
  return { token, client, kind, outcome: 'unresolved', unknowns: 0, replayed: false };
}

function newRecord(record: Pick<Expected, 'id' | 'objectType' | 'token' | 'client'>): Expected {
  const none = { changes: 0, statusMoves: 0, comments: 0, links: 0, deleted: false };
  return { ...record, ...none, status: 'open', notes: [], parent: null };
}

function applyChange(
  record: Expected,
  { status, parent, note }: Parameters<Ledger['changed']>[1],
): void {
  record.changes += 1;
  if (note !== undefined) record.notes.push(note);
  if (parent !== undefined) record.parent = parent;
  if (status === undefined) return;
  record.status = status;
  record.statusMoves += 1;
}
