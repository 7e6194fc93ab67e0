// Challenges that a second factor or a passkey answers: random values of five minutes, found by their hash. Each signs in
// or adds a passkey at most once.

import { hashOf } from '../../model/rights/api-key-form.ts';
import type { SignInMethod } from '../../model/rights/principal.ts';
import { isToken, makeToken } from '../../model/rights/session-token.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';
import { type Holder, isOf } from './passwords.ts';

export interface Challenged {
  readonly workspace_id: number;
  /** Null: a sign-in with a passkey alone. */
  readonly user_id: number | null;
  /** How the person proved their identity before; null: the challenge of a new passkey. */
  readonly method: Exclude<SignInMethod, 'oidc'> | null;
}

/** A challenge in force with its workspace. */
export interface ChallengeRow extends Challenged {
  readonly schema: string;
  readonly slug: string;
  readonly name: string;
}

export interface Challenge {
  readonly challenge: string;
  readonly expires_at: string;
}

const CHALLENGES = identifier(CONTROL_SCHEMA, 'factor_challenges');
const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');

export async function appendChallenge(
  tx: Queryable,
  { workspace_id, user_id, method }: Challenged,
): Promise<Challenge> {
  const challenge = makeToken();
  const [row] = await runOnce(
    tx,
    sql`insert into ${CHALLENGES} (token_hash, workspace_id, user_id, method, expires_at)
      values (${hashOf(challenge)}, ${workspace_id}, ${user_id}::integer, ${method}::text,
        now() + interval '5 minutes') returning expires_at`,
  );
  return { challenge, expires_at: row?.expires_at as string };
}

/** Undefined when it is over, was used or never existed. */
export async function loadChallenge(
  db: Queryable,
  challenge: string,
): Promise<ChallengeRow | undefined> {
  if (!isToken(challenge)) return undefined;
  const [row] = await runOnce(
    db,
    sql`select c.workspace_id, c.user_id, c.method, w.schema_name as schema, w.slug, w.name
      from ${CHALLENGES} c join ${WORKSPACES} w on w.id = c.workspace_id
      where c.token_hash = ${hashOf(challenge)} and c.expires_at > now()`,
  );
  return row as unknown as ChallengeRow | undefined;
}

/** Use up a challenge, once; false: it is over, or somebody was faster. */
export async function takeChallenge(tx: Queryable, challenge: string): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`delete from ${CHALLENGES} where token_hash = ${hashOf(challenge)} and expires_at > now()
      returning 1`,
  );
  return rows.length > 0;
}

/** The challenges of a person become useless: the password or the factors have changed. */
export async function endChallenges(tx: Queryable, holder: Holder): Promise<void> {
  await runOnce(tx, sql`delete from ${CHALLENGES} where ${isOf(holder)}`);
}

/** Delete challenges that are over; answers how many. */
export function deleteOldChallenges(db: Queryable, most: number): Promise<number> {
  const where = sql`t.expires_at < now()`;
  return deleteSome(db, { table: CHALLENGES, key: identifier('token_hash'), where }, most);
}
