// Renamed keys: rows of other tables that hold them get the new ones. Tables, columns and stored values have names of
// their own (D420). No record gets another version; audit rows keep the key of their time. Pure.

import {
  type Field,
  type ObjectModel,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../../model/definition/model.ts';
import type { Rename } from '../../../model/definition/rename.ts';
import { identifier, literal, type Sql, sql } from '../../../sql/sql.ts';
import type { ChangeKind, RenamedKey } from '../change-kind.ts';
import type { Phased } from '../column-sql.ts';
import { renameTrashedLinks } from '../trash-content-sql.ts';
import { fieldPath, type OfField, type OfObject, objectPath } from './parts.ts';

/** `object` and `field` are as before, with their new keys. */
export interface RenameObject extends OfObject, RenamedKey {
  readonly kind: 'rename_object';
}

export interface RenameField extends OfField, RenamedKey {
  readonly kind: 'rename_field';
}

export interface RenameRelationship extends RenamedKey {
  readonly kind: 'rename_relationship';
}

export interface RenameRole extends RenamedKey {
  readonly kind: 'rename_role';
}

export interface RenameStatus extends RenamedKey {
  readonly kind: 'rename_status';
  readonly workflow: string;
  readonly records: readonly WorkflowRecords[];
}

/** Records that have a status of a workflow. */
interface WorkflowRecords {
  readonly object: ObjectModel;
  /** Only these work-item types. */
  readonly types: readonly string[] | undefined;
}

type RenameStep = RenameObject | RenameField | RenameRelationship | RenameRole | RenameStatus;

const renaming = Object.freeze({ action: 'rename' as const });

const inStoredAnswers = Object.freeze({
  ...renaming,
  locks: () => ({ rewritten: ['_idempotency'] }),
});

/** The tables whose rows name an object. */
const NAMING_OBJECTS = [
  '_idempotency',
  '_comments',
  '_notifications',
  '_follows',
  '_status_requests',
] as const;

export const renameObject: ChangeKind<RenameObject> = Object.freeze({
  ...renaming,
  kind: 'rename_object',
  path: objectPath,
  locks: () => ({ rewritten: NAMING_OBJECTS }),
  statements: (schema: string, step: RenameObject) => {
    const { old, now } = keysOf(step);
    return NAMING_OBJECTS.map((table) =>
      renamed(sql`update ${identifier(schema, table)} set object_type = ${now}
          where object_type = ${old}`),
    );
  },
  renamesInViews: (step: RenameObject) => ({
    ...step,
    of: 'objects' as const,
    objects: [step.object],
  }),
});

export const renameField: ChangeKind<RenameField> = Object.freeze({
  ...inStoredAnswers,
  kind: 'rename_field',
  path: fieldPath,
  // Whether a stored answer may be sent again depends on the keys of its fields.
  statements: (schema: string, step: RenameField) => {
    const { old, now } = keysOf(step);
    return [
      renamed(sql`update ${identifier(schema, '_idempotency')} set fields = array_replace(fields, ${old}, ${now})
          where object_type = ${literal(step.object.object_type)} and ${old} = any(fields)`),
    ];
  },
  renamesInViews: (step: RenameField) => ({
    ...step,
    of: 'fields' as const,
    objects: [step.object],
  }),
});

export const renameRelationship: ChangeKind<RenameRelationship> = Object.freeze({
  ...renaming,
  kind: 'rename_relationship',
  path: ({ new_key }: RenameRelationship) => `relationships.${new_key}`,
  locks: () => ({ rewritten: ['_links'] }),
  statements: (schema: string, step: RenameRelationship) => {
    const { old, now } = keysOf(step);
    return [
      renamed(sql`update ${identifier(schema, '_links')} set relationship = ${now}
          where relationship = ${old}`),
      ...renameTrashedLinks(schema, step).map(renamed),
    ];
  },
  rewrittenLinks: ({ old_key }: RenameRelationship) => old_key,
  renamesInViews: (step: RenameRelationship) => ({
    ...step,
    of: 'relationships' as const,
    objects: [],
  }),
});

export const renameRole: ChangeKind<RenameRole> = Object.freeze({
  ...renaming,
  kind: 'rename_role',
  path: ({ new_key }: RenameRole) => `roles.${new_key}`,
  locks: () => ({ rewritten: ['_users'] }),
  statements: (schema: string, step: RenameRole) => {
    const { old, now } = keysOf(step);
    return [
      renamed(sql`update ${identifier(schema, '_users')} set roles = array_replace(roles, ${old}, ${now})
          where ${old} = any(roles)`),
    ];
  },
});

export const renameStatus: ChangeKind<RenameStatus> = Object.freeze({
  ...renaming,
  kind: 'rename_status',
  path: ({ workflow, new_key }: RenameStatus) => `workflows.${workflow}.statuses.${new_key}`,
  locks: (step: RenameStatus) => ({
    reshaped: tablesOf(step),
    rewritten: ['_status_requests'],
  }),
  // The statuses of records are among the rebuilt values (value-sql.ts).
  statements: (schema: string, step: RenameStatus) => {
    const { old, now } = keysOf(step);
    return ['from_status', 'to_status'].map((column) =>
      renamed(sql`update ${identifier(schema, '_status_requests')} set ${identifier(column)} = ${now}
          where ${identifier(column)} = ${old} and workflow_id = ${literal(step.workflow)}`),
    );
  },
  works: () => ['update' as const],
  tables: tablesOf,
  rebuilds: ({ records, old_key, new_key }: RenameStatus) =>
    records.map(({ object: { object_type }, types }) => {
      return { object_type, key: 'status', status: { old_key, new_key, types } };
    }),
  renamesInViews: ({ records, old_key, new_key }: RenameStatus) => {
    const objects = records.map(({ object }) => object);
    const types = records.find((one) => one.types !== undefined)?.types;
    return { of: 'statuses' as const, objects, types, old_key, new_key };
  },
});

function tablesOf({ records }: RenameStatus): readonly string[] {
  return records.map(({ object }) => object.table);
}

function keysOf({ old_key, new_key }: RenamedKey): { readonly old: Sql; readonly now: Sql } {
  return { old: literal(old_key), now: literal(new_key) };
}

function renamed(statement: Sql): Phased {
  return { phase: 'rename', statement };
}

/** The objects and fields are those of the renamed definition. */
export function renameStep({ place, ...keys }: Rename, renamed: WorkspaceModel): RenameStep {
  const { new_key } = keys;
  switch (place.section) {
    case 'objects':
      return { kind: 'rename_object', object: objectOf(renamed, new_key), ...keys };
    case 'fields': {
      const object = objectOf(renamed, place.object);
      const field = (object.fields.get(new_key) ?? object.rollups.get(new_key)) as Field;
      return { kind: 'rename_field', object, field, ...keys };
    }
    case 'relationships':
      return { kind: 'rename_relationship', ...keys };
    case 'roles':
      return { kind: 'rename_role', ...keys };
    case 'statuses':
      return {
        kind: 'rename_status',
        workflow: place.workflow,
        records: recordsWithStatus(renamed, place.workflow),
        ...keys,
      };
  }
}

function objectOf(model: WorkspaceModel, objectType: string): ObjectModel {
  return model.objects.get(objectType) as ObjectModel;
}

/** The records whose status is one of this workflow. */
function recordsWithStatus(model: WorkspaceModel, workflowId: string): readonly WorkflowRecords[] {
  const objects = [...model.objects.values()].filter(({ workflow }) => workflow?.id === workflowId);
  const types = [...model.work_item_types.values()]
    .filter(({ workflow }) => workflow.id === workflowId)
    .map(({ id }) => id);
  const items = types.length === 0 ? undefined : model.objects.get(WORK_ITEMS);
  return [
    ...objects.map((object) => ({ object, types: undefined })),
    ...(items === undefined ? [] : [{ object: items, types }]),
  ];
}
