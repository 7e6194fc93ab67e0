// The texts of a column that name no record yet.

import type { Client, Field } from '@workspace-records/client';
import { folded } from '../../../../tables/src/folded.ts';
import { fieldValue } from '../../lib/field-value.ts';

/** The values that a filter takes. */
const AT_ONCE = 100;

/** Those of the texts that no record has in the field. */
export async function textsWithoutRecord(
  client: Client,
  { type, field }: { readonly type: string; readonly field: Field },
  { texts, signal }: { readonly texts: readonly string[]; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let start = 0; start < texts.length; start += AT_ONCE) {
    const filters = { [field.key]: { in: texts.slice(start, start + AT_ONCE) } };
    const query = { filters, fields: [field.key], limit: AT_ONCE };
    for await (const record of client.records(type).all(query, { signal }))
      found.add(folded(String(fieldValue(record, field))));
  }
  return texts.filter((text) => !found.has(folded(text)));
}
