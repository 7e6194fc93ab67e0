// The decision behind a page of linked records: the record they are linked to within the caller's
// reach, and a list of the other object restricted to the records it is linked to (§4.4). Pure.

import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type {
  Field,
  ObjectModel,
  Relationship,
  WorkspaceModel,
} from '../../model/definition/model.ts';
import {
  type Caller,
  canReadObject,
  canReadStoringField,
  findRelationship,
  objectAccess,
  type Rights,
  relatedObject,
} from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { planExpanded } from './expand-plan.ts';
import { type LinkedTo, planGet, type ReadPlan, startAfter } from './read-plan.ts';
import { type ExpandInput, recordQuery } from './record-query.ts';
import type { KeyScope } from './resolve-field.ts';

export interface LinkedRequest {
  readonly association_id: string;
  /** Canonical id of the record. */
  readonly id: string;
  readonly expand: readonly ExpandInput[];
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface LinkedPlan {
  /** The record itself, which must exist and be readable. */
  readonly source: ReadPlan;
  readonly page: ReadPlan;
}

/** The relationships of a record that the caller may see (D28). */
export function visibleRelationships(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
): readonly Relationship[] {
  return object.relationships.filter((relationship) => {
    const other = relatedObject(model, caller, relationship);
    return other !== undefined && canReadStoringField(caller, object, other, relationship);
  });
}

/**
 * True when the caller may read pages of this relationship: it needs organisation-wide read
 * (D103).
 */
export function canReadLinked(
  caller: Rights,
  object: ObjectModel,
  other: ObjectModel,
  relationship: Relationship,
): boolean {
  const isWhole = objectAccess(caller, other).reach.read === 'organisation';
  return isWhole && canReadStoringField(caller, object, other, relationship);
}

/** Plan one page. Errors: `record_not_found`, `permission_denied`, `invalid_cursor`. */
export function planLinked(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  request: LinkedRequest,
): LinkedPlan {
  const { association_id, id, expand, limit, cursor } = request;
  const linkedObject = findRelationship(model, caller, object, association_id);
  if (linkedObject === undefined) {
    const message = say('relationship_not_found');
    throw new ApiError('record_not_found', { param: 'association_id', message });
  }
  const { relationship, other } = linkedObject;
  if (!canReadLinked(caller, object, other, relationship)) {
    const isWhole = objectAccess(caller, other).reach.read === 'organisation';
    const message = isWhole
      ? say('relationship_not_readable')
      : say('records_not_all_readable', { object: other.name });
    throw new ApiError('permission_denied', { param: 'association_id', message });
  }
  const page = planExpanded(model, caller, other, {
    endpoint: `linked ${object.object_type} ${id} ${association_id}`,
    query: recordQuery({ expand }),
    limit,
    cursor: undefined,
  });
  const after = startAfter(model, caller, page.binding, cursor);
  const linked = { via: viaOf(object, other, relationship), table: object.table, id };
  return {
    source: planGet(model, caller, object, { ids: [id], fields: [] }),
    page: { ...page, linked, after },
  };
}

/** The record and relationship that a question restricts its records to. */
export interface LinkedToInput {
  readonly object_type: string;
  readonly record_id: string;
  readonly association_id: string;
}

/**
 * The plan of a question, restricted to the records that a record is linked to; none where the caller may not read
 * that. The rights are those of a page of linked records, and of a filter by the field that refers to the record
 * (D515). Errors: `invalid_filter`, `permission_denied`.
 */
export function withLinkedTo(
  { model, caller, object: other }: KeyScope,
  plan: ReadPlan,
  { object_type, record_id, association_id }: LinkedToInput,
): ReadPlan {
  const id = parseRecordId(record_id);
  const object = model.objects.get(object_type);
  const isReadable = object !== undefined && canReadObject(caller, object);
  const linkedObject = isReadable
    ? findRelationship(model, caller, object, association_id)
    : undefined;
  if (id === undefined || object === undefined || linkedObject?.other !== other) {
    const message = say('relationship_to_unknown', { from: object_type, to: other.object_type });
    throw new ApiError('invalid_filter', { param: 'linked_to', message });
  }
  const { relationship } = linkedObject;
  const isFilter =
    relationship.via.kind === 'inverse' && canReadStoringField(caller, object, other, relationship);
  if (!isFilter && !canReadLinked(caller, object, other, relationship)) {
    const message = say('records_not_all_readable', { object: other.name });
    throw new ApiError('permission_denied', { param: 'linked_to', message });
  }
  const source = planGet(model, caller, object, { ids: [id], fields: [] });
  const via = viaOf(object, other, relationship);
  const bound = JSON.stringify([object_type, id, association_id]);
  return {
    ...plan,
    linked: { via, table: object.table, id, source },
    binding: `${plan.binding} linked ${bound}`,
  };
}

/** The links, or the column that stores the relationship. */
function viaOf(object: ObjectModel, other: ObjectModel, { via }: Relationship): LinkedTo['via'] {
  if (via.kind === 'link') return via;
  const field = (via.kind === 'reference' ? object : other).fields.get(via.field) as Field;
  return { kind: via.kind, column: field.column };
}
