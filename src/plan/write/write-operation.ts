// The request of a write, and its operations once they are planned. Types only; write-plan.ts plans them.

import type { Problem } from '../../errors.ts';
import type {
  Field,
  ObjectModel,
  Relationship,
  WorkspaceModel,
} from '../../model/definition/model.ts';
import type { Caller } from '../../model/rights/access.ts';
import type { Precondition } from './precondition.ts';

export type FieldValues = Readonly<Record<string, unknown>>;

/**
 * Where a write comes from: a request, an import, which may set status, author and times, or a job that
 * changes many records as requests would.
 */
export type WriteSource = 'api' | 'import' | 'bulk';

/** Where the keys of one operation are resolved. */
export interface Scope {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
  readonly source: WriteSource;
  readonly prefix: string;
  /** True of an erasure. */
  readonly erasing?: boolean;
  /** Undefined: operations cannot name the records of earlier ones. */
  readonly earlier?: EarlierWrites | undefined;
}

/** The record of an earlier operation of the same request, by its index. */
export interface EarlierRecord {
  readonly $op: number;
}

/** One write, as the batch endpoints name it (specification §4.3). */
export type WriteOperation =
  | { readonly action: 'create'; readonly fields: FieldValues }
  | {
      readonly action: 'update';
      readonly id: RecordName;
      readonly fields: FieldValues;
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly action: 'status';
      readonly id: RecordName;
      readonly status_id: string;
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly action: 'delete';
      readonly id: string;
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly action: 'link' | 'unlink';
      readonly id: RecordName;
      readonly association_id: string;
      readonly target_id: RecordName;
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly action: 'upsert';
      readonly target: string;
      readonly match: FieldValues;
      readonly fields?: FieldValues | undefined;
    }
  | {
      readonly action: 'comment';
      readonly id: RecordName;
      readonly body: string;
      readonly mention_user_ids?: readonly number[] | undefined;
    };

/** An id, or the record of an earlier operation. */
export type RecordName = string | EarlierRecord;

/** The object of all operations, or of each of them. */
export type WrittenObjects = ObjectModel | readonly ObjectModel[];

export interface WriteRequest {
  readonly operations: readonly WriteOperation[];
  readonly source: WriteSource;
  /** True when `operations` is the client's own array, so that `param` names the index. */
  readonly batch: boolean;
  /** True when operations may name the records of earlier ones by `$op`. */
  readonly refers?: boolean;
  /** Fields that the answered rows have; every readable one when left out. */
  readonly answered?: readonly string[] | undefined;
  /** The part of existing records that upserts keep; undefined: none. */
  readonly kept?: Kept | undefined;
  /** The approval of a move that is requested or was approved; undefined: gates are enforced. */
  readonly approval?: Approval | undefined;
  /** True for an erasure: its deletes put no record into the trash, and every object permits them. */
  readonly erasing?: boolean;
}

/** `asked`: the move must need approval. `given`: gates do not hold it. */
export type Approval = 'asked' | 'given';

/** The status of a record, which its workflow moves, or all of it. */
export type Kept = 'status' | 'record';

/** An operation whose keys are resolved and whose values are canonical. */
export interface PlannedWrite extends WrittenFields {
  readonly index: number;
  readonly object: ObjectModel;
  readonly operation: WriteOperation;
  /** Canonical record id; undefined for create and upsert, null when the sent text is not an id. */
  readonly id: string | null | undefined;
  /** The id that a create gives to its record, and an upsert without a match. */
  readonly made: string | undefined;
  /** True when `id` is the record of an earlier operation. */
  readonly follows: boolean;
  readonly match: ReadonlyMap<Field, unknown>;
  /** The link of a link or unlink operation. */
  readonly link: PlannedLink | undefined;
  /** The text of a comment operation. */
  readonly comment: PlannedText | undefined;
  /** Prefix of `param`: '' or `operations[3].`. */
  readonly prefix: string;
}

/** The relationship and the other record of a link; null when the sent text is not an id. */
export interface PlannedLink {
  readonly relationship: Relationship;
  readonly target: string | null;
}

/** The text of a comment; the mentioned people each once. */
export interface PlannedText {
  readonly body: string;
  readonly mentioned: readonly number[];
}

export interface WritePlan {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  /** The objects of the operations, each once, in the order in which they are first named. */
  readonly objects: readonly ObjectModel[];
  readonly source: WriteSource;
  readonly batch: boolean;
  readonly answered: readonly string[] | undefined;
  readonly kept: Kept | undefined;
  readonly approval: Approval | undefined;
  readonly erasing: boolean;
  readonly writes: readonly PlannedWrite[];
  /** True when other operations name the record of an upsert, which is known when its match is. */
  readonly awaitsMatches: boolean;
}

export interface WrittenFields {
  readonly values: ReadonlyMap<Field, unknown>;
  /** Broken rules found without reading; reported only when the record itself is in order. */
  readonly problems: readonly Problem[];
}

/** The earlier records that later operations may name. */
export interface EarlierWrites {
  readonly writes: readonly PlannedWrite[];
  /** Ids that upserts give to their records when they have no match. */
  readonly matched: ReadonlySet<string>;
  /** True once an operation names the record of an upsert. */
  isMatchNamed: boolean;
}

export type Planned = Pick<
  PlannedWrite,
  'id' | 'made' | 'follows' | 'values' | 'match' | 'link' | 'comment' | 'problems'
>;
