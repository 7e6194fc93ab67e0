// The service's refusals of many writes, in words: by the record, or the row, of each.

import type { Field, RecordData } from '@workspace-records/client';
import { translate } from '../../lib/messages/index.ts';
import type { BatchOutcome, RefusedOperation } from '../../lib/record-batches.ts';
import { recordName } from '../../lib/record-name.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

/** The text of a refusal, with the name of the field that it is about. */
export function refusalText(
  { error, message, param }: RefusedOperation,
  fields: readonly Field[] = [],
): string {
  const key = param?.replace(/^fields\.(?:custom_fields\.)?/, '');
  const field = fields.find((one) => one.key === key);
  const text = message ?? problemText(error, translate());
  return field === undefined ? text : `${field.name ?? field.key}: ${text}`;
}

/** One note for all of them, with the first. */
export function tellRefusals({ refused }: BatchOutcome, records: readonly RecordData[]): void {
  const [first] = refused;
  const record = first === undefined ? undefined : records[first.index];
  if (first === undefined || record === undefined) return;
  const text = translate()('grid.refused', {
    ...{ count: refused.length, name: recordName(record), reason: refusalText(first) },
  });
  showToast({ text, isProblem: true });
}
