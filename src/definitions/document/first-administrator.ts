// The first person of a new workspace, as an entry of its definition document.

import { isObject } from '../../model/definition/definition.ts';

/** The role of the base definition with every right. */
const ADMIN_ROLE = 'admin';

export interface Administrator {
  readonly email: string;
  readonly name: string;
}

/** The document with this person as an administrator; a value that is not a document is returned as it is. */
export function withAdministrator(document: unknown, { email, name }: Administrator): unknown {
  if (!isObject(document)) return document;
  const { users } = document as { readonly users?: object };
  return { ...document, users: { ...users, [email]: { name, roles: [ADMIN_ROLE] } } };
}
