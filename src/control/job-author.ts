// The person who started a job, as they are now: a job works with their present rights, and only while the key that
// it was started with is in force.

import { operatorError } from '../errors.ts';
import type { Queryable } from '../postgres/db.ts';
import { isKeyRevoked } from './api-keys.ts';
import type { AskedBy } from './job-kinds.ts';
import type { Job } from './jobs.ts';
import { loadMember, type MemberRow } from './people.ts';

export interface JobAuthor {
  readonly user_id: number;
  /** Null when it was started in a session. */
  readonly api_key_id: string | null;
}

export function authorOf(job: Pick<Job, 'asked_by_user_id'>, { api_key_id }: AskedBy): JobAuthor {
  return { user_id: Number(job.asked_by_user_id), api_key_id };
}

export const NO_LONGER_ALLOWED = 'The person who started the job no longer has permission for it.';

/** Errors: an operator error when the person is not active any longer, or the key is revoked. */
export async function requireAuthor(
  db: Queryable,
  schema: string,
  { user_id, api_key_id }: JobAuthor,
): Promise<MemberRow> {
  const member = await loadMember(db, schema, user_id);
  const isAllowed = member?.active === true && !(await isKeyRevoked(db, api_key_id));
  if (!isAllowed) throw operatorError(NO_LONGER_ALLOWED);
  return member;
}
