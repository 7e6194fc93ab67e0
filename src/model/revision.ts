// A definition with its data, and a change of it as revisions keep it. Types only.

import type { DefinitionDocument } from './definition.ts';
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
  /** Such as `objects.deals.fields.amount`. */
  readonly path: string;
  readonly action: ChangeAction;
  readonly summary: string;
  /** Of a rename: the key before. */
  readonly from?: string;
  /** The field whose history ends; `*`: that of all fields of the object. */
  readonly ends?: string;
}

/** A rename of an object or a field, or the end of a history, of one revision. */
export interface FieldChange {
  readonly revision: number;
  /** Such as `objects.deals.fields.amount`, with the keys of that revision. */
  readonly path: string;
  /** The key before a rename. */
  readonly from: string | null;
  /** The field whose history ends; `*`: that of all fields of the object. */
  readonly ends: string | null;
}

/** A rename or removal of an object, a field or a relationship, of one revision. */
export interface NameChange {
  readonly revision: number;
  readonly action: 'rename' | 'remove';
  /** Such as `objects.deals.fields.amount`, with the keys of that revision. */
  readonly path: string;
  /** The key before a rename. */
  readonly from: string | null;
}
