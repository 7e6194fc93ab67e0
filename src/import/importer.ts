// Who imports: an active person with the administrator right.

import {
  loadFirstWithRole,
  loadMember,
  loadMemberByEmail,
  type MemberRow,
} from '../control/people.ts';
import { operatorError } from '../errors.ts';
import { type Caller, callerOf } from '../model/access.ts';
import { administratorRoles } from '../model/administrator-roles.ts';
import type { WorkspaceModel } from '../model/model.ts';
import type { Queryable } from '../postgres/db.ts';

/** The person of this e-mail address, active or not, or the first administrator; else an operator error. */
export async function requireMember(
  db: Queryable,
  model: WorkspaceModel,
  email: string | undefined,
): Promise<MemberRow> {
  const { slug } = model.workspace;
  const member =
    email === undefined
      ? await loadFirstAdministrator(db, model)
      : await loadMemberByEmail(db, model.schema, email);
  if (member === undefined) {
    throw operatorError(
      email === undefined
        ? `"${slug}" has no active user with an administrator role; the definition can add one.`
        : `There is no user "${email}" in the workspace "${slug}".`,
    );
  }
  return member;
}

/** The same as an importer. Errors: also an operator error when the person is no administrator. */
export async function requireImporter(
  db: Queryable,
  model: WorkspaceModel,
  email: string | undefined,
): Promise<Caller> {
  const member = await requireMember(db, model, email);
  const caller = callerOf(model, member, { kind: 'import' });
  if (!member.active || !caller.access.administrator) {
    const reason = member.active ? 'has no administrator role' : 'is not active';
    throw operatorError(`${member.email} ${reason}; only administrators import.`);
  }
  return caller;
}

async function loadFirstAdministrator(
  db: Queryable,
  model: WorkspaceModel,
): Promise<MemberRow | undefined> {
  const id = await loadFirstWithRole(db, model.schema, administratorRoles(model));
  return id === undefined ? undefined : loadMember(db, model.schema, id);
}
