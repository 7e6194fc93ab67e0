// The reader of an export: a person with their present rights, or the operator of the server, who may read
// everything.

import { type JobAuthor, requireAuthor } from '../control/jobs/job-author.ts';
import { requireMemberByEmail } from '../control/people/people.ts';
import { operatorError } from '../errors.ts';
import type { WorkspaceModel } from '../model/definition/model.ts';
import { type Access, type Caller, callerOf } from '../model/rights/access.ts';
import type { Queryable } from '../postgres/db.ts';

/** A person by their address, or the one who started a job, with the scopes that they had. */
export type Reader = string | (JobAuthor & { readonly scopes: readonly string[] });

/** The active person or agent; without one, somebody who may read everything. */
export async function requireReader(
  db: Queryable,
  model: WorkspaceModel,
  reader: Reader | undefined,
): Promise<Caller> {
  if (reader === undefined) return operatorOf(model);
  const { schema } = model;
  const { slug } = model.workspace;
  if (typeof reader !== 'string') {
    const { scopes } = reader;
    return callerOf(model, await requireAuthor(db, schema, reader), { kind: 'export', scopes });
  }
  const member = await requireMemberByEmail(db, { schema, slug }, reader);
  if (!member.active) throw operatorError(`${member.email} is not active.`);
  return callerOf(model, member, { kind: 'export' });
}

function operatorOf(model: WorkspaceModel): Caller {
  const everything = { create: null, read: 'organisation', update: null, delete: null } as const;
  const objects: Access['objects'] = new Map(
    [...model.objects.values()].map(({ object_type, fields }) => [
      object_type,
      { reach: everything, readable: new Set(fields.keys()), writable: new Set<string>() },
    ]),
  );
  const none = {
    administrator: false,
    developer: false,
    assign_owner: false,
    second_factor: false,
  };
  const operator = { id: 0, name: null, email: null, title: null, kind: 'user' } as const;
  const person = { ...operator, roles: [], team_ids: [], colleague_ids: [] };
  return callerOf(
    model,
    person,
    { kind: 'export' },
    { ...none, directory: true, roles: new Set(), objects },
  );
}
