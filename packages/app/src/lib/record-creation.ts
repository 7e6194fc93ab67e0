// A new record: who may make one, with which fields, and where it is put once it is there.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Access, Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { noteCreated } from './record-cache.ts';
import { useSession } from './session.ts';

/** As far as the service has said so of the object. */
export function canCreate({
  capabilities,
  permissions,
}: Pick<ObjectDefinition, 'capabilities' | 'permissions'>): boolean {
  return capabilities.create && permissions.create.allowed;
}

/** Those that the service sets by itself. */
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
  // Of an object whose records never change no field is editable; new ones are written all the same.
  const isWritable = ({ key, editable }: Field) =>
    object.capabilities.update ? editable : granted.has(key);
  const mayAssign = access?.assign_owner.allowed === true;
  const rank = ({ key, required }: Field) => (key === 'owner_user_id' ? 2 : required ? 0 : 1);
  return object.fields
    .filter((field) => !SYSTEM.has(field.key) && isWritable(field))
    .filter(({ key }) => key !== 'owner_user_id' || mayAssign)
    .toSorted((one, other) => rank(one) - rank(other));
}

interface Creation {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same for each attempt: it is made once, however often it is sent. */
  readonly key: string;
}

export function useCreate(type: string) {
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, key }: Creation) => {
      const options = { idempotencyKey: key };
      return (await client.records(type).create(fields, options)) as RecordData;
    },
    onSuccess: (record) => noteCreated(queries, workspace, record),
  });
}
