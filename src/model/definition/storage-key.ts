// The name of a field in columns of files, parameters and messages: its key, after `custom_fields.` when it is stored
// there (specification §2.5). Pure.

import type { Field } from './model.ts';

export function storageKeyOf(key: string, storage: Field['storage']): string {
  return storage === 'jsonb' ? `custom_fields.${key}` : key;
}

/** The key of a field that is named with or without `custom_fields.`. */
export function plainKey(name: string): string {
  return name.replace(/^custom_fields\./, '');
}
