// A definition with its data, and a change of it as revisions keep it. Types only.

import type { DefinitionDocument, RelationshipDefinition } from './definition.ts';
import type { WorkspaceModel } from './model.ts';
import type { StorageNames } from './storage-names.ts';

/** A document, where its data is, and the model compiled from both. */
export interface Definition {
  readonly document: DefinitionDocument;
  readonly storage: StorageNames;
  readonly model: WorkspaceModel;
}

export type ChangeAction = 'add' | 'change' | 'remove' | 'rename';

/** A change as revisions keep it. */
export interface ChangeView {
  /** The path of the changed entry, such as `objects.deals.fields.amount`. */
  readonly path: string;
  readonly action: ChangeAction;
  readonly summary: string;
  /** The key before a rename. */
  readonly from?: string;
  /** The field whose history ends; `*`: that of all fields of the object. */
  readonly ends?: string;
  /** True: records lose values, or get others for them, without a new version. */
  readonly alters?: true;
}

/** A rename of an object or a field, or the end of a history, of one revision. */
export interface FieldChange {
  readonly revision: number;
  /** A path such as `objects.deals.fields.amount`, with the keys of that revision. */
  readonly path: string;
  /** The key before a rename. */
  readonly from: string | null;
  /** The field whose history ends; `*`: that of all fields of the object. */
  readonly ends: string | null;
}

/** A change of one revision to what a copy of records has: names, links, values. */
export interface NameChange {
  readonly revision: number;
  readonly applied_at: string;
  readonly action: ChangeAction;
  /** A path such as `objects.deals.fields.amount`, with the keys of that revision. */
  readonly path: string;
  /** The key before a rename. */
  readonly from: string | null;
  readonly alters: boolean;
  /** The table of an object; null: the table named after its key. */
  readonly table: string | null;
  /** The forms of a relationship before and after. */
  readonly relationship: { readonly was: RelationshipForm; readonly is: RelationshipForm } | null;
  /** The records that had a status, with the object types before the revision. */
  readonly records: {
    readonly object_types: readonly string[] | null;
    readonly work_item_types: readonly string[] | null;
  } | null;
}

/** A relationship in a document; null: it is not there. */
type RelationshipForm = Pick<RelationshipDefinition, 'kind' | 'from' | 'to'> | null;
