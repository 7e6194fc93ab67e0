// The name of a field in columns of files, parameters and messages: its key, after `custom_fields.` when it is stored
// there (specification §2.5). Pure.

import type { Field } from './model.ts';

export function storageKeyOf(key: string, storage: Field['storage']): string {
  return storage === 'jsonb' ? `custom_fields.${key}` : key;
}

/** The name of the place of its values, which a rename leaves as it is. */
export function valuePlace({
  storage,
  column,
  custom_key,
}: Pick<Field, 'storage' | 'column' | 'custom_key'>): string {
  return storageKeyOf(storage === 'jsonb' ? custom_key : column, storage);
}

/** The key of a field that is named with or without `custom_fields.`. */
export function plainKey(name: string): string {
  return name.replace(/^custom_fields\./, '');
}
