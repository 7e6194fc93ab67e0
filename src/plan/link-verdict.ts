// The verdict on linking and unlinking: a reference is set or cleared, any other link added or removed
// (specification §4.4, D56). Pure.

import type { Field } from '../model/model.ts';
import { type Case, type Change, currentValue, isDeletedBefore, report } from './write-case.ts';
import type { PlannedLink } from './write-plan.ts';

type Row = Readonly<Record<string, unknown>>;

/** The target must be there for the caller; linking what is linked changes nothing. */
export function judgeLink(one: Case, row: Row): Change | undefined {
  const { relationship, target } = one.write.link as PlannedLink;
  const id = String(row.id);
  const readable = one.found.references.get(relationship.object_type);
  if (target === null || readable?.has(target) !== true || isDeletedBefore(one, target)) {
    report(one, 'rules', { code: 'record_not_found', param: 'target_id' });
    return undefined;
  }
  if (target === id) {
    const message = 'A record cannot be linked to itself.';
    report(one, 'rules', { code: 'invalid_write', param: 'target_id', message });
    return undefined;
  }
  const { via } = relationship;
  if (via.kind === 'link') {
    return { kind: 'link', id, relationship, target, keys: [relationship.id] };
  }
  const field = one.plan.object.fields.get(via.field) as Field;
  if (currentValue(row, field) === target) return { kind: 'none', id };
  return { kind: 'update', id, action: 'link', set: new Map([[field, target]]), keys: [field.key] };
}

/** A reference is cleared only while it points to the target; a link that is not there is no error. */
export function judgeUnlink(one: Case, row: Row): Change | undefined {
  const { relationship, target } = one.write.link as PlannedLink;
  const id = String(row.id);
  const { via } = relationship;
  if (via.kind === 'link') {
    if (target !== null && one.found.references.get(relationship.object_type)?.has(target)) {
      return { kind: 'unlink', id, relationship, target, keys: [relationship.id] };
    }
    report(one, 'rules', { code: 'record_not_found', param: 'target_id' });
    return undefined;
  }
  const field = one.plan.object.fields.get(via.field) as Field;
  if (currentValue(row, field) !== target || target === null) {
    const message = 'The reference does not point to this record.';
    report(one, 'precondition', { code: 'stale_record', param: 'target_id', message });
    return undefined;
  }
  if (field.required) {
    const message = 'The reference is required.';
    report(one, 'rules', { code: 'invalid_write', param: 'association_id', message });
    return undefined;
  }
  return { kind: 'update', id, action: 'unlink', set: new Map([[field, null]]), keys: [field.key] };
}
