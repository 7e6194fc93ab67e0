// A definition with its data, what of it has other keys, and a change of it as revisions keep it. Types only.

import type { DefinitionDocument } from './definition.ts';
import type { WorkspaceModel } from './model.ts';
import type { StorageNames } from './storage-names.ts';

/** A document, where its data is, and the model compiled from both. */
export interface Definition {
  readonly document: DefinitionDocument;
  readonly storage: StorageNames;
  readonly model: WorkspaceModel;
}

/** Where keys are renamed; objects and fields are named as they are after the change. */
export type RenamePlace =
  | { readonly section: 'objects' | 'relationships' | 'roles' }
  | { readonly section: 'fields'; readonly object: string }
  | { readonly section: 'statuses'; readonly workflow: string };

export interface Rename {
  readonly place: RenamePlace;
  readonly old_key: string;
  readonly new_key: string;
}

export type ChangeAction = 'add' | 'change' | 'remove' | 'rename';

/** A change as revisions keep it. */
export interface ChangeView {
  /** Such as `objects.deals.fields.amount`. */
  readonly path: string;
  readonly action: ChangeAction;
  readonly summary: string;
}
