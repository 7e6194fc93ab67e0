// The interface of a kind of change of a definition: where its steps are in the document, what they lock, cost and
// leave behind, what is built before them, and their statements. Each kind is a module in kinds/. Pure.

import type { TeamDefinition, UserDefinition } from '../../model/definition/definition.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { ChangeAction } from '../../model/definition/revision.ts';
import type { StoredName } from '../../model/definition/storage-names.ts';
import type { TableIndex } from '../../sql/write/index-sql.ts';
import type { Phased } from './column-sql.ts';

/** One kind of change. Objects and fields of a step are those after the change, dropped ones those before. */
export interface ChangeKind<Step extends { readonly kind: string }> {
  readonly kind: Step['kind'];
  /** The part of the document that changes, such as `objects.cars.fields.size`. */
  path(step: Step): string;
  /** The action on that part; omitted when the first character of the summary gives it. */
  readonly action?: ChangeAction;
  /** The tables that are locked from before the check of the data until the end of the transaction. */
  locks(step: Step): Locks;
  statements(schema: string, step: Step): readonly Phased[];

  /** The work that takes time for each record of `tables`. */
  works?(step: Step): readonly RecordWork[];
  /** The tables of records that it works on; left out: that of `object`, or those of the requirements. */
  tables?(step: Step): readonly string[];
  /** The data that a change with a loss deletes; omitted: the values that violate its requirements. */
  loses?(step: Step): Lost;
  /** Records lose values, or get others for them, without a new version. */
  readonly alters?: true;
  /** The relationship whose links are written again. */
  rewrittenLinks?(step: Step): string;

  /** The index that the change is about. */
  index?(step: Step): TableIndex | undefined;
  /** The index replaces another one, which the transaction drops. */
  readonly replacesIndex?: true;
  /** The column comes with the transaction, so its indexes cannot be built before. */
  newColumn?(step: Step): Column;
  /** Fields whose values are rebuilt while clients write. */
  rebuilds?(step: Step): readonly RebuiltField[];
  /** The object whose search rows are rebuilt while clients write. */
  rebuildsSearch?(step: Step): ChangedObject;

  /** Users and teams that are written. */
  people?(step: Step): WrittenPeople;
  /** Data that is deleted afterwards, in portions (D261). */
  leaves?(step: Step): readonly StoredName[];
  /** The key that views name by another one from now on. */
  renamesInViews?(step: Step): RenamedInViews;
  /** The object type whose views are deleted. */
  deletesViews?(step: Step): string;
}

/** Tables of the schema of the workspace. */
export interface Locks {
  /** Closed to readers too: they get another shape. */
  readonly reshaped?: readonly string[];
  /** Closed to writers: they get other rows. */
  readonly rewritten?: readonly string[];
}

export const NO_LOCKS: Locks = Object.freeze({});

/** `update`: its row is written again. `compute`: with the whole table and its indexes. `check`: the row is read. `judge`: its value is parsed by the field type. */
export type RecordWork = 'update' | 'compute' | 'index' | 'check' | 'judge' | 'search';

/** The rows that are counted to report the size of a loss. */
export type Lost =
  | { readonly of: 'records' | 'team' }
  | { readonly of: 'values'; readonly field: Field }
  | { readonly of: 'links'; readonly relationship: string }
  /** Deleted records of the object with this table. */
  | { readonly of: 'trash'; readonly table: string };

export interface Column {
  readonly table: string;
  readonly column: string;
}

export interface RebuiltField {
  readonly object_type: string;
  readonly key: string;
  /** The renamed status, for the field `status` only. */
  readonly status?: RenamedStatus;
}

export interface RenamedStatus extends RenamedKey {
  /** Only records of these work-item types. */
  readonly types: readonly string[] | undefined;
}

export interface ChangedObject {
  readonly from: ObjectModel;
  readonly object: ObjectModel;
}

export interface WrittenPeople {
  readonly users?: readonly (UserDefinition & { readonly email: string })[];
  readonly teams?: readonly (TeamDefinition & { readonly name: string })[];
  readonly droppedTeams?: readonly string[];
}

export interface RenamedKey {
  readonly old_key: string;
  readonly new_key: string;
}

/** Objects have their new keys; fields and statuses are those of `objects`, relationships of none. */
export interface RenamedInViews extends RenamedKey {
  readonly of: 'objects' | 'fields' | 'statuses' | 'relationships';
  /** Of a status of work items: the types that have it. */
  readonly types?: readonly string[] | undefined;
  readonly objects: readonly ObjectModel[];
}
