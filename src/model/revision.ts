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
}
