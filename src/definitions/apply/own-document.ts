// The document of a workspace, brought up to date: people and teams change without it (docs/decisions.md,
// D224), so what it says of those that it lists is replaced by what the database has.

import { type DocumentPeople, loadDocumentPeople } from '../../control/people/document-people.ts';
import { inSlices } from '../../control/process/slices.ts';
import {
  loadDefinition,
  type StoredDefinition,
  type WorkspaceRow,
} from '../../control/workspace/workspaces.ts';
import {
  composeSteps,
  type TeamDefinition,
  type UserDefinition,
} from '../../model/definition/definition.ts';
import { ownValue } from '../../model/text/own-value.ts';
import type { Queryable } from '../../postgres/db.ts';
import { isSameTeam, isSameUser } from '../changes/kinds/listed-people.ts';
import { readBase } from '../document/definition-file.ts';
import { leaversOf, withLeaving } from '../document/leaving-people.ts';

/** A merge patch over the base: any entry of it may be null. */
export type OwnDocument = Readonly<Record<string, unknown>>;

/** The document that was applied last, with people and teams as they are now. */
async function loadOwnDocument(db: Queryable, workspace: WorkspaceRow): Promise<OwnDocument> {
  return ownDocumentOf(db, workspace, await loadDefinition(db, workspace));
}

/** The own document of a definition that was loaded just before. */
export async function ownDocumentOf(
  db: Queryable,
  { schema }: Pick<WorkspaceRow, 'schema'>,
  stored: StoredDefinition | undefined,
): Promise<OwnDocument> {
  const patch = (stored?.patch ?? {}) as OwnDocument;
  return withPresentPeople(patch, await loadDocumentPeople(db, schema));
}

/** The own document with a merge patch over it: the result of a patch of additions (D394). */
export async function mergeOntoOwn(
  db: Queryable,
  workspace: WorkspaceRow,
  patch: unknown,
): Promise<unknown> {
  const own = await loadOwnDocument(db, workspace);
  const composed = await inSlices(composeSteps(readBase(), own, patch));
  return withLeaving(composed, leaversOf(patch));
}

/** Members of a listed team are listed too: a document names no team with members unknown to it. */
export function withPresentPeople(
  document: OwnDocument,
  { users: everybody, teams: present }: DocumentPeople,
): OwnDocument {
  const { users = {}, teams = {} } = document as PeopleOfDocument;
  const keptTeams = Object.entries(teams).flatMap(
    ([name, team]): (readonly [string, unknown])[] => {
      const now = ownValue(present, name);
      if (team === null) return [[name, null]];
      return now === undefined ? [] : [[name, isSameTeam(team, now) ? team : written(now)]];
    },
  );
  const members = keptTeams.flatMap(([name, team]) =>
    team === null ? [] : (present[name]?.members ?? []),
  );
  const listed = [...new Set([...Object.keys(users), ...members])].flatMap((email) => {
    const now = ownValue(everybody, email);
    return now === undefined ? [] : [[email, presentUser(ownValue(users, email), now)] as const];
  });
  return {
    ...document,
    ...(listed.length > 0 || document.users !== undefined
      ? { users: Object.fromEntries(listed) }
      : {}),
    ...(document.teams === undefined ? {} : { teams: Object.fromEntries(keptTeams) }),
  };
}

interface PeopleOfDocument {
  readonly users?: Readonly<Record<string, UserDefinition | null>>;
  readonly teams?: Readonly<Record<string, TeamDefinition | null>>;
}

/** The entry as it stands, when it says what is so. */
function presentUser(entry: UserDefinition | null | undefined, now: UserDefinition): unknown {
  if (entry === null && now.active === false) return null;
  const isSame = entry !== null && entry !== undefined && isSameUser(entry, now);
  return isSame ? entry : written(now);
}

/** The entry as a person would write it: without values that are the default. */
function written(entry: object): object {
  const unsaid: Readonly<Record<string, unknown>> = { active: true, kind: 'user' };
  return Object.fromEntries(
    Object.entries(entry).filter(([word, value]) => value !== null && value !== unsaid[word]),
  );
}
