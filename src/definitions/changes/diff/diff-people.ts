// The part of the difference between two definitions that is people: users by e-mail and teams by name. People and
// teams that the new document does not list stay as they are (D78). Pure.

import type { DefinitionDocument } from '../../../model/definition/definition.ts';
import type { Steps } from '../../../model/steps.ts';
import { ownValue } from '../../../model/text/own-value.ts';
import type { Change } from '../change.ts';
import { findTeam, findUser } from '../kinds/listed-people.ts';

type People = Pick<DefinitionDocument, 'users' | 'teams'>;

/** Users and teams to write; `before` is the content of the database. */
export function* diffPeople(before: People | undefined, after: People): Steps<readonly Change[]> {
  const changes: Change[] = [];
  for (const [email, user] of Object.entries(after.users ?? {})) {
    yield;
    changes.push(...findUser(email, ownValue(before?.users, email), user));
  }
  for (const [team, definition] of Object.entries(after.teams ?? {})) {
    yield;
    changes.push(...findTeam(team, ownValue(before?.teams, team), definition));
  }
  return changes;
}
