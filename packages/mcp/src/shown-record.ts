// The values of a record by one name each, whether they come as identity, as fields or from records it refers to.

import type { Result } from './operations.ts';

export type RecordData = Result<'getRecord'>['data'];

/** The identity that lists show; `status` and `public_id` where the object has them. */
export function identityOf({ id, public_id, display, status }: RecordData): object {
  return { id, ...(public_id === undefined ? {} : { public_id }), display, status };
}

/** Names and values; a record that a reference leads to stands in place of its id. */
export function shownRecord(record: RecordData, identity: object): ReadonlyMap<string, unknown> {
  const { custom_fields: custom = {}, ...fields } = record.fields ?? {};
  return new Map<string, unknown>([
    ...Object.entries(identity),
    ...Object.entries(fields),
    ...Object.entries(custom as object).map(
      ([key, value]) => [`custom_fields.${key}`, value] as const,
    ),
    ...Object.entries(record.expanded ?? {}).map(
      ([key, target]) => [key, shownTarget(target)] as const,
    ),
  ]);
}

/** A referenced record or user: id, name and the fields that were asked for. */
function shownTarget(target: unknown): unknown {
  if (typeof target !== 'object' || target === null) return target;
  const { id, display, name, fields } = target as Partial<RecordData> & { readonly name?: string };
  const named = display ?? name ?? null;
  const others = Object.entries(fields ?? {}).filter(([, value]) => value !== named);
  return { id, name: named, ...Object.fromEntries(others) };
}
