// The author of an import: an active person with the administrator right.

import {
  loadFirstWithRole,
  type MemberRow,
  requireMemberByEmail,
} from '../control/people/people.ts';
import { operatorError } from '../errors.ts';
import type { WorkspaceModel } from '../model/definition/model.ts';
import { type Caller, callerOf } from '../model/rights/access.ts';
import { administratorRoles } from '../model/rights/administrator-roles.ts';
import type { Queryable } from '../postgres/db.ts';

/** The person of this e-mail address, active or not, or the first administrator; else an operator error. */
export async function requireMember(
  db: Queryable,
  model: WorkspaceModel,
  email: string | undefined,
): Promise<MemberRow> {
  const { schema } = model;
  const { slug } = model.workspace;
  if (email !== undefined) return requireMemberByEmail(db, { schema, slug }, email);
  const first = await loadFirstWithRole(db, schema, administratorRoles(model));
  if (first !== undefined) return first;
  throw operatorError(
    `"${slug}" has no active user with an administrator role; the definition can add one.`,
  );
}

/** The caller of an import by this person. Errors: those of `requireMember`, and an operator error when the person is not an administrator. */
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
