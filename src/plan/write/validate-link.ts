// Validates links and unlinks: a reference is set or cleared, any other link added or removed
// (specification §4.4, D56). Pure.

import { say } from '../../messages/message.ts';
import type { Field } from '../../model/definition/model.ts';
import type { Row } from '../../model/values/row.ts';
import type { PlannedLink, PlannedWrite } from './write-operation.ts';
import {
  type Change,
  currentValue,
  isPresent,
  type LinkedPair,
  report,
  type WriteValidation,
} from './write-validation.ts';

/** The records that an operation links or unlinks; undefined for a relationship by reference. */
export function pairOf({ id, link }: PlannedWrite): LinkedPair | undefined {
  const via = link?.relationship.via;
  const target = link?.target ?? null;
  if (via?.kind !== 'link' || id === undefined || id === null || target === null) return undefined;
  // A relationship of an object with itself has a row in each direction; one pair represents both.
  const isTurned = via.side === 'to' || (via.side === 'both' && target < id);
  return isTurned ? { via, from_id: target, to_id: id } : { via, from_id: id, to_id: target };
}

/** A key of the two records and their relationship. */
export function pairKey(relationship: string, from_id: string, to_id: string): string {
  return [relationship, from_id, to_id].join(' ');
}

/** The target must exist within the caller's reach; linking an existing pair is not a change. */
export function validateLink(one: WriteValidation, row: Row): Change | undefined {
  const { relationship, target } = one.write.link as PlannedLink;
  const id = String(row.id);
  if (target === null || !isPresent(one, relationship.object_type, target)) {
    report(one, 'rules', { code: 'record_not_found', param: 'target_id' });
    return undefined;
  }
  if (target === id) {
    const message = say('link_to_itself');
    report(one, 'rules', { code: 'invalid_write', param: 'target_id', message });
    return undefined;
  }
  const { via } = relationship;
  if (via.kind === 'link') {
    return validatePair(one, row, 'link');
  }
  const field = one.write.object.fields.get(via.field) as Field;
  if (currentValue(row, field) === target) return { kind: 'none', id, before: row };
  const set = new Map([[field, target]]);
  return { kind: 'update', id, before: row, action: 'link', set, keys: [field.key] };
}

/** A reference is cleared only while it points to the target; a missing link is not an error. */
export function validateUnlink(one: WriteValidation, row: Row): Change | undefined {
  const { relationship, target } = one.write.link as PlannedLink;
  const id = String(row.id);
  const { via } = relationship;
  if (via.kind === 'link') {
    if (target !== null && isPresent(one, relationship.object_type, target)) {
      return validatePair(one, row, 'unlink');
    }
    report(one, 'rules', { code: 'record_not_found', param: 'target_id' });
    return undefined;
  }
  const field = one.write.object.fields.get(via.field) as Field;
  if (currentValue(row, field) !== target || target === null) {
    const message = say('reference_differs');
    report(one, 'precondition', { code: 'stale_record', param: 'target_id', message });
    return undefined;
  }
  if (field.required) {
    const message = say('reference_required');
    report(one, 'rules', { code: 'invalid_write', param: 'association_id', message });
    return undefined;
  }
  const set = new Map([[field, null]]);
  return { kind: 'update', id, before: row, action: 'unlink', set, keys: [field.key] };
}

/** Undefined when the two are linked already, or not linked. */
function validatePair(one: WriteValidation, row: Row, kind: 'link' | 'unlink'): Change {
  const pair = pairOf(one.write) as LinkedPair;
  const id = String(one.write.id);
  if (isLinked(one, pair) === (kind === 'link')) return { kind: 'none', id, before: row };
  const { relationship } = one.write.link as PlannedLink;
  return { kind, id, before: row, pair, keys: [relationship.id] };
}

/** Whether the two are linked after the earlier operations of the batch. */
function isLinked(
  { plan, write, lookedUp }: WriteValidation,
  { via, from_id, to_id }: LinkedPair,
): boolean {
  const key = pairKey(via.key, from_id, to_id);
  for (const { id, operation, ...before } of plan.writes.slice(0, write.index).toReversed()) {
    if (operation.action === 'delete' && (id === from_id || id === to_id)) return false;
    const pair = pairOf({ id, operation, ...before });
    if (pair !== undefined && pairKey(pair.via.key, pair.from_id, pair.to_id) === key) {
      return operation.action === 'link';
    }
  }
  return lookedUp.links.has(key);
}
