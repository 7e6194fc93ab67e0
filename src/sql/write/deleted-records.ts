// Records to delete, and the data that goes with them. Types only.

import type { ObjectModel, Trash } from '../../model/definition/model.ts';
import type { Referrer } from '../../plan/write/referrers.ts';
import type { Actor } from '../events/audit-sql.ts';

/** The data that a delete changes besides the records. */
export interface Attached {
  /** References that become null. */
  readonly cleared: readonly Referrer[];
  /** True when records of this object can be linked. */
  readonly linked: boolean;
  /** True when moves of records of this object can be asked for. */
  readonly requested: boolean;
  /** Where the records go; null: they are gone for good. */
  readonly trash: Trash | null;
}

/** Records of one object to delete, and the author. */
export interface Deleted {
  readonly object: ObjectModel;
  readonly ids: readonly string[];
  readonly actor: Actor;
}
