// The right to make a record, and the fields of its form.

import type { Access, Field, ObjectDefinition } from '@workspace-records/client';

type Creatable = Pick<ObjectDefinition, 'capabilities' | 'permissions' | 'work_item_types'>;

/** True when the service has confirmed that the person can create records of the object. */
export function canCreate(object: Creatable): boolean {
  const { capabilities, permissions } = object;
  return capabilities.create && permissions.create.allowed && !lacksTypes(object);
}

/** True when the person may write these fields; values that begin a record are of no use otherwise. */
export function canWriteFields(
  type: string,
  keys: readonly string[],
  access: Access | undefined,
): boolean {
  const rights = access?.objects.find(({ object_type }) => object_type === type);
  const written = rights?.fields.filter((field) => field.access === 'write').map(({ key }) => key);
  return keys.every((key) => written?.includes(key) === true);
}

/** A work item has a type, and there is none yet. */
export function lacksTypes({ work_item_types }: Pick<ObjectDefinition, 'work_item_types'>) {
  return work_item_types?.length === 0;
}

/** The fields that the service sets by itself. */
const SYSTEM: ReadonlySet<string> = new Set([
  'id',
  'public_id',
  'status',
  'custom_status_id',
  'created_at',
  'updated_at',
]);

/** Fields that the person may write in a new record: required ones first, the owner last. */
export function creationFields(
  object: ObjectDefinition,
  access: Access | undefined,
): readonly Field[] {
  const rights = access?.objects.find(({ object_type }) => object_type === object.object_type);
  const granted = new Set(
    rights?.fields.filter((field) => field.access === 'write').map(({ key }) => key),
  );
  // No field is editable when the records of an object never change; new records are written all the same.
  const isWritable = ({ key, editable }: Field) =>
    object.capabilities.update ? editable : granted.has(key);
  const mayAssign = access?.assign_owner.allowed === true;
  const rank = ({ key, required }: Field) => (key === 'owner_user_id' ? 2 : required ? 0 : 1);
  return object.fields
    .filter((field) => !SYSTEM.has(field.key) && isWritable(field))
    .filter(({ key }) => key !== 'owner_user_id' || mayAssign)
    .toSorted((one, other) => rank(one) - rank(other));
}
