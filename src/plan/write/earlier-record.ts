// Operations that name the record of an earlier one of the same request, by its index, in place of an id or a
// reference (D283). Pure.

import type { Problems } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { EarlierRecord, PlannedWrite, Scope, WritePlan } from './write-operation.ts';

/** A name, its place, and the object that the record must be of. */
export interface NamedRecord {
  readonly param: string;
  readonly name: EarlierRecord;
  readonly objectType: string;
}

export function isEarlierRecord(value: unknown): value is EarlierRecord {
  if (typeof value !== 'object' || value === null) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === '$op';
}

/** The id of the record, which a create or upsert has before it is written. */
export function resolveEarlier(
  { earlier }: Pick<Scope, 'earlier'>,
  { param, name: { $op: index }, objectType }: NamedRecord,
  problems: Problems,
): string | undefined {
  // A name such as `length` is none of an operation, and neither is "0".
  const write = typeof index === 'number' ? earlier?.writes[index] : undefined;
  const refuse = (message: Message) => {
    problems.push({ param, code: 'validation_failed', message });
    return undefined;
  };
  if (earlier === undefined || write === undefined) {
    return refuse(say('op_index_malformed'));
  }
  if (write.operation.action === 'delete') {
    return refuse(say('op_deletes', { index }));
  }
  if (write.object.object_type !== objectType) {
    return refuse(say('op_of_another_object', { index, object_type: objectType }));
  }
  const id = write.made ?? write.id ?? undefined;
  if (id !== undefined && earlier.matched.has(id)) earlier.isMatchNamed = true;
  return id;
}

/** The plan with the records that upserts have matched in place of those they would have made. */
export function resolveMatches(
  plan: WritePlan,
  matches: ReadonlyMap<number, readonly Readonly<Record<string, unknown>>[]>,
): WritePlan {
  const idsByName = new Map<unknown, string>();
  for (const { index, made } of plan.writes) {
    const [row] = matches.get(index) ?? [];
    if (row !== undefined) idsByName.set(made, String(row.id));
  }
  if (idsByName.size === 0) return plan;
  const idOf = <Id>(id: Id) => (idsByName.get(id) ?? id) as Id;
  const writes = plan.writes.map((write): PlannedWrite => {
    const { id, link, values } = write;
    return {
      ...write,
      id: idOf(id),
      values: new Map([...values].map(([field, value]) => [field, idOf(value)])),
      link: link && { ...link, target: idOf(link.target) },
    };
  });
  return { ...plan, writes };
}
