// The first people of a new workspace, as entries of its definition document: an administrator, and two roles for
// colleagues.

import type { RoleDefinition } from '../../model/definition/definition.ts';
import { isObject } from '../../model/definition/definition.ts';
import { mergeOverBase } from './definition-file.ts';

/** The role of the base definition with every right. */
const ADMIN_ROLE = 'admin';

export interface Administrator {
  readonly email: string;
  readonly name: string;
}

type Grant = NonNullable<RoleDefinition['objects']>[string];

const READ: Grant = { read: 'organisation' };
const WRITE: Grant = {
  ...READ,
  create: 'organisation',
  update: 'organisation',
  delete: 'organisation',
};

/**
 * The document with this person as an administrator, and with the roles Member and Viewer, which reach all records of
 * its objects (D870), unless it has roles itself. A value that is not a document is returned as it is.
 */
export function withAdministrator(document: unknown, { email, name }: Administrator): unknown {
  if (!isObject(document)) return document;
  const { users } = document as { readonly users?: object };
  const administered = { ...document, users: { ...users, [email]: { name, roles: [ADMIN_ROLE] } } };
  return Object.hasOwn(document, 'roles')
    ? administered
    : { ...administered, roles: firstRoles(document) };
}

function firstRoles(document: object) {
  const { objects } = mergeOverBase(document) as { readonly objects?: unknown };
  const types = isObject(objects) ? Object.keys(objects) : [];
  const onAll = (grant: Grant) => Object.fromEntries(types.map((type) => [type, grant]));
  return {
    member: { name: 'Member', directory: true, assign_owner: true, objects: onAll(WRITE) },
    viewer: { name: 'Viewer', directory: true, objects: onAll(READ) },
  };
}
