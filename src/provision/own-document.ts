// The own document of a workspace, brought up to date: people and teams change without it (docs/decisions.md,
// D224), so what it says of those that it lists is replaced by what the database has.

import { loadTeams, loadUsers } from '../control/people-rows.ts';
import { loadDefinition, type WorkspaceRow } from '../control/workspaces.ts';
import type { DefinitionDocument } from '../model/definition.ts';
import type { Users } from '../model/judge-people.ts';
import { ownValue } from '../model/own-value.ts';
import type { Queryable } from '../postgres/db.ts';

type Teams = NonNullable<DefinitionDocument['teams']>;
/** A merge patch over the base: any entry of it may be null. */
export type OwnDocument = Readonly<Record<string, unknown>>;

/** The document that was applied last, with people and teams as they are now. */
export async function loadOwnDocument(
  db: Queryable,
  workspace: WorkspaceRow,
): Promise<OwnDocument> {
  const stored = await loadDefinition(db, workspace);
  const patch = (stored?.patch ?? {}) as OwnDocument;
  const named = Object.keys((patch.teams ?? {}) as object);
  const everybody = await loadUsers(db, workspace.schema);
  const teams = await loadTeams(db, workspace.schema, named);
  return withPresentPeople(patch, everybody, teams);
}

/** Whoever is in a listed team is listed too: a document names no team with members unknown to it. */
export function withPresentPeople(
  patch: OwnDocument,
  everybody: Users,
  present: Teams,
): OwnDocument {
  const { users = {}, teams = {}, ...rest } = patch as Record<'users' | 'teams', Users & Teams>;
  const members = Object.values(present).flatMap((team) => team.members);
  const listed = [...new Set([...Object.keys(users), ...members])].flatMap((email) => {
    const user = ownValue(everybody, email);
    if (user === undefined) return [];
    const isLeaver = ownValue(users, email) === null && user.active === false;
    return [[email, isLeaver ? null : written(user)] as const];
  });
  const kept = Object.keys(teams).flatMap((name) => {
    const team = ownValue(present, name);
    return team === undefined ? [] : [[name, written(team)] as const];
  });
  return {
    ...rest,
    ...(patch.users === undefined && listed.length === 0
      ? {}
      : { users: Object.fromEntries(listed) }),
    ...(patch.teams === undefined ? {} : { teams: Object.fromEntries(kept) }),
  };
}

/** As somebody would write it: without what holds when nothing is said. */
function written(entry: object): object {
  const unsaid: Readonly<Record<string, unknown>> = { active: true, kind: 'user' };
  return Object.fromEntries(
    Object.entries(entry).filter(([word, value]) => value !== null && value !== unsaid[word]),
  );
}
