// Roles over HTTP: entries of the definition, read and changed one at a time (docs/decisions.md, D225). The way
// to another definition is definitions/apply/role-changes.ts.

import Type from 'typebox';
import { loadRoleHolders } from '../../control/people/people.ts';
import { administrativeActor } from '../../control/workspace/administrative-audit.ts';
import { changeRole, type RoleChange } from '../../definitions/apply/role-changes.ts';
import { requirePersonById } from '../../flow/people/people-flow.ts';
import type { Authenticated } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { compileRole } from '../../model/definition/compile.ts';
import { KEY_PATTERN, OBJECT_TYPE_PATTERN } from '../../model/definition/definition.ts';
import type { Role, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, objectAccess, requireAdministrator } from '../../model/rights/access.ts';
import type { Database } from '../../postgres/db.ts';
import { defineRoute } from '../context.ts';
import { closed, listOf, nullable, responseOf } from '../shapes.ts';
import { NameText, noParams, noQuery } from './administration-shapes.ts';

const REACHES = ['own', 'team', 'organisation'] as const;
const ACCESSES = ['none', 'read', 'write'] as const;
const FACTORS = ['optional', 'required'] as const;

const reachShape = Type.Optional(Type.Enum([...REACHES]));
const RoleShape = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    administrator: Type.Boolean({ description: 'Every right on every object.' }),
    developer: Type.Boolean({ description: 'May have API keys.' }),
    directory: Type.Boolean({ description: 'May read all people and teams.' }),
    assign_owner: Type.Boolean({ description: 'May make someone else the owner.' }),
    second_factor: Type.Enum([...FACTORS], {
      description: 'required: people with the role have to set up a second factor.',
    }),
    objects: Type.Record(
      Type.String(),
      Type.Object({
        create: reachShape,
        read: reachShape,
        update: reachShape,
        delete: reachShape,
        fields: Type.Record(Type.String(), Type.Enum([...ACCESSES]), {
          description: 'Fields with another access than `write`.',
        }),
      }),
    ),
    people: nullable(
      Type.Integer({
        description: 'The number of people and agents with this role; null if you may not see it.',
      }),
    ),
  },
  { $id: 'Role' },
);

/** A property of a body that null removes, as in a merge patch. */
function removable(schema: Type.TSchema) {
  return Type.Optional(nullable(schema));
}

const reachInput = removable(Type.Enum([...REACHES]));
const fieldsInput = Type.Record(
  Type.String({ pattern: KEY_PATTERN }),
  nullable(Type.Enum([...ACCESSES])),
  { ...closed, maxProperties: LIMITS.grantedFields },
);
const grantInput = Type.Object(
  {
    create: reachInput,
    read: reachInput,
    update: reachInput,
    delete: reachInput,
    fields: removable(fieldsInput),
  },
  closed,
);
const RoleInput = {
  name: removable(NameText),
  administrator: removable(Type.Boolean()),
  developer: removable(Type.Boolean()),
  directory: removable(Type.Boolean()),
  assign_owner: removable(Type.Boolean()),
  second_factor: removable(Type.Enum([...FACTORS])),
  objects: removable(
    Type.Record(Type.String({ pattern: OBJECT_TYPE_PATTERN }), nullable(grantInput), {
      ...closed,
      maxProperties: LIMITS.grantedObjects,
      description: 'Object type → grant, a merge patch: null takes away.',
    }),
  ),
};

const roleParams = Type.Object({ role_key: Type.String({ pattern: KEY_PATTERN }) }, closed);

export const listRoles = defineRoute({
  method: 'GET',
  path: '/roles',
  operationId: 'listRoles',
  tag: 'Administration',
  summary: 'List roles',
  description: [
    'All roles, for administrators. Others see the roles they have, with the objects and fields that',
    'they can read.',
  ].join(' '),
  scope: 'workspace:read',
  params: noParams,
  query: noQuery,
  status: 200,
  result: listOf(RoleShape),
  errors: [],
  async handle({ caller, model }, { db }) {
    const { administrator } = caller.access;
    return {
      body: { data: await (administrator ? allRoles(db, model) : ownRoles(db, model, caller)) },
    };
  },
});

export const createRole = defineRoute({
  method: 'POST',
  path: '/roles',
  operationId: 'createRole',
  tag: 'Administration',
  summary: 'Add a role',
  description: 'For administrators. It becomes a part of the definition, in a new revision.',
  scope: 'workspace:write',
  fresh: true,
  params: noParams,
  query: noQuery,
  body: Type.Object({ key: Type.String({ pattern: KEY_PATTERN }), ...RoleInput }, closed),
  status: 201,
  result: responseOf(RoleShape),
  errors: ['validation_failed', 'permission_denied', 'conflict', 'invalid_write'],
  async handle(request, { db }) {
    const { key, ...patch } = request.body;
    const data = await replyOf(db, request, { key, action: 'create', patch });
    return { body: { data } };
  },
});

export const updateRole = defineRoute({
  method: 'PATCH',
  path: '/roles/{role_key}',
  operationId: 'updateRole',
  tag: 'Administration',
  summary: 'Change a role',
  description: [
    'For administrators: a merge patch over its entry in the definition, in a new revision. One active',
    'administrator stays.',
  ].join(' '),
  scope: 'workspace:write',
  fresh: true,
  params: roleParams,
  query: noQuery,
  body: Type.Object(RoleInput, closed),
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(RoleShape),
  errors: [
    'validation_failed',
    'permission_denied',
    'record_not_found',
    'conflict',
    'invalid_write',
  ],
  async handle(request, { db }) {
    const { role_key: key } = request.params;
    const change = { key, action: 'update', patch: request.body } as const;
    return { body: { data: await replyOf(db, request, change) } };
  },
});

export const deleteRole = defineRoute({
  method: 'DELETE',
  path: '/roles/{role_key}',
  operationId: 'deleteRole',
  tag: 'Administration',
  summary: 'Delete a role',
  description: 'For administrators. A role that people have is not deleted.',
  scope: 'workspace:write',
  fresh: true,
  params: roleParams,
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Type.Object({ key: Type.String(), deleted: Type.Literal(true) })),
  errors: ['permission_denied', 'record_not_found', 'conflict', 'invalid_write'],
  async handle(request, { db }) {
    const { role_key: key } = request.params;
    await replyOf(db, request, { key, action: 'delete' });
    return { body: { data: { key, deleted: true } } };
  },
});

async function replyOf(
  db: Database,
  { caller, model, requestId }: Authenticated & { readonly requestId: string },
  change: RoleChange,
) {
  requireAdministrator(caller);
  const { id: workspace_id } = model.workspace;
  const actor = administrativeActor(caller, requestId);
  const role = await changeRole(db, { workspace_id, actor }, change);
  if (role === undefined) return undefined;
  const holders = await loadRoleHolders(db, model.schema);
  return present(compileRole(change.key, role), holders.get(change.key) ?? 0);
}

async function allRoles(db: Database, model: WorkspaceModel) {
  const holders = await loadRoleHolders(db, model.schema);
  return [...model.roles.values()].map((role) => present(role, holders.get(role.key) ?? 0));
}

async function ownRoles(db: Database, model: WorkspaceModel, caller: Caller) {
  const { roles } = await requirePersonById(db, model.schema, caller.user.id);
  const own = [...model.roles.values()].filter(({ key }) => roles.includes(key));
  return own.map((role) => present(readablePart(role, model, caller), null));
}

/** The role without objects and fields that the caller cannot read: not even their names are shown. */
function readablePart(role: Role, model: WorkspaceModel, caller: Caller): Role {
  const objects = [...role.objects].flatMap(([type, grant]) => {
    const object = model.objects.get(type);
    const rights = object && objectAccess(caller, object);
    if (rights === undefined || rights.reach.read === null) return [];
    const fields = [...grant.fields].filter(([key]) => rights.readable.has(key));
    return [[type, { ...grant, fields: new Map(fields) }] as const];
  });
  return { ...role, objects: new Map(objects) };
}

function present(role: Role, people: number | null) {
  const { key, name, administrator, developer, directory, assign_owner, second_factor } = role;
  const objects = [...role.objects].map(([type, { reach, fields }]) => {
    return [type, { ...reach, fields: Object.fromEntries(fields) }] as const;
  });
  return {
    ...{ key, name, administrator, developer, directory, assign_owner, second_factor },
    ...{ objects: Object.fromEntries(objects), people },
  };
}
