// Who reads an export: a person with their present rights, or the operator of the server, who may read
// everything.

import { loadMember, requireMemberByEmail } from '../control/people.ts';
import { operatorError } from '../errors.ts';
import { type Access, type Caller, callerOf } from '../model/access.ts';
import type { WorkspaceModel } from '../model/model.ts';
import type { Queryable } from '../postgres/db.ts';

/** A person by their address, or by their id with the scopes of who asked. */
export type Reader = string | { readonly user_id: number; readonly scopes: readonly string[] };

/** The active person or agent; without one, somebody who may read everything. */
export async function requireReader(
  db: Queryable,
  model: WorkspaceModel,
  reader: Reader | undefined,
): Promise<Caller> {
  if (reader === undefined) return operatorOf(model);
  const { schema } = model;
  const { slug } = model.workspace;
  const isNamed = typeof reader === 'string';
  const member = isNamed
    ? await requireMemberByEmail(db, { schema, slug }, reader)
    : await loadMember(db, schema, reader.user_id);
  if (member === undefined) {
    throw operatorError(`There is no such user in the workspace "${slug}".`);
  }
  if (!member.active) throw operatorError(`${member.email} is not active.`);
  const scopes = isNamed ? {} : { scopes: reader.scopes };
  return callerOf(model, member, { kind: 'export', ...scopes });
}

function operatorOf(model: WorkspaceModel): Caller {
  const everything = { create: null, read: 'organisation', update: null, delete: null } as const;
  const objects: Access['objects'] = new Map(
    [...model.objects.values()].map(({ object_type, fields }) => [
      object_type,
      { reach: everything, readable: new Set(fields.keys()), writable: new Set<string>() },
    ]),
  );
  const rights = { administrator: false, developer: false, directory: true, assign_owner: false };
  const operator = { id: 0, name: null, email: null, title: null, kind: 'user' } as const;
  const person = { ...operator, roles: [], team_ids: [], colleague_ids: [] };
  return callerOf(model, person, { kind: 'export' }, { ...rights, roles: new Set(), objects });
}
