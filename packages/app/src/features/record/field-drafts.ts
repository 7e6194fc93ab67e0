// The drafts of fields that were not saved.

import type { Field, RecordData } from '@workspace-records/client';
import { readDraft } from '../../lib/storage.ts';

export function draftName({ object_type, id }: RecordData, { key }: Pick<Field, 'key'>): string {
  return `${object_type}/${id}/${key}`;
}

export function hasDraft(record: RecordData, field: Pick<Field, 'key'>): boolean {
  return readDraft(draftName(record, field)) !== undefined;
}
