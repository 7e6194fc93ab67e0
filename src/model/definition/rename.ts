// The keys that a definition renames, compared with the one before. Types only.

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
