// The mails that are to be sent, of all workspaces (docs/design/mail.md): one function, one statement. All times are
// those of the database.

import { uuidv7 } from 'uuidv7';
import type { MailLanguage } from '../../model/rights/notification-kinds.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

export const MAIL_KINDS = ['digest', 'invitation', 'sign_in_link', 'second_factor_reset'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export interface NewMail {
  readonly workspace_id: number;
  readonly user_id: number;
  readonly kind: MailKind;
  /** The language of a person who has not chosen one. */
  readonly language: MailLanguage | null;
  /** The hours for which the link of an invitation is valid; null: 30 minutes. */
  readonly link_hours?: number | null;
  /** The administrator who invites; null: the operator, or the person who asked for the mail. */
  readonly maker_user_id?: number | null;
}

export interface WaitingMail extends NewMail {
  readonly id: string;
  /** Attempts that have failed. */
  readonly attempts: number;
  /** Seconds since somebody wanted it. */
  readonly age: number;
}

const MAILS = identifier(CONTROL_SCHEMA, 'mails');

/** Send a mail soon; a person who waits for one of this kind already gets only that, as it was last wanted. */
export async function wantMail(tx: Queryable, mail: NewMail): Promise<void> {
  const { workspace_id, user_id, kind, language, link_hours = null, maker_user_id = null } = mail;
  await runOnce(
    tx,
    sql`insert into ${MAILS} (id, workspace_id, user_id, kind, language, link_hours, maker_user_id)
      values (${uuidv7()}::uuid, ${workspace_id}::integer, ${user_id}::integer, ${kind}::text, ${language}::text,
        ${link_hours}::integer, ${maker_user_id}::integer)
      on conflict (workspace_id, user_id, kind) where state = 'waiting'
        do update set language = excluded.language, link_hours = excluded.link_hours,
          maker_user_id = excluded.maker_user_id`,
  );
}

/** True for a mail that waits, which no other transaction ends until this one does. */
export async function lockWaitingMail(tx: Queryable, id: string): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`select from ${MAILS} where id = ${id}::uuid and state = 'waiting' for no key update`,
  );
  return rows.length > 0;
}

/** Mails that are due: of each workspace the first ones before any has more. */
export async function loadDueMails(
  db: Queryable,
  { except, limit }: { readonly except: readonly string[]; readonly limit: number },
): Promise<readonly WaitingMail[]> {
  const rows = await runOnce(
    db,
    sql`select m.id, m.workspace_id, m.user_id, m.kind, m.language, m.link_hours, m.maker_user_id, m.attempts,
        extract(epoch from now() - m.created_at)::float8 as age
      from (select m.*, row_number() over (partition by m.workspace_id order by m.next_attempt_at, m.id) as place
        from ${MAILS} m where m.state = 'waiting' and m.next_attempt_at <= now()
          and m.id <> all(${except}::uuid[])) m
      order by m.place, m.next_attempt_at, m.id limit ${limit}::integer`,
  );
  return rows as unknown as readonly WaitingMail[];
}

/** The result of an attempt. */
export type MailOutcome =
  | { readonly state: 'sent' | 'skipped' }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'waiting'; readonly error: string; readonly pause: number };

export async function putMailOutcome(
  db: Queryable,
  id: string,
  outcome: MailOutcome,
): Promise<void> {
  const { state } = outcome;
  const error = 'error' in outcome ? outcome.error : null;
  const pause = 'pause' in outcome ? outcome.pause : 0;
  await runOnce(
    db,
    sql`update ${MAILS} set state = ${state}::text, attempts = attempts + 1, error = ${error}::text,
        next_attempt_at = now() + ${pause}::float8 * interval '1 millisecond',
        ended_at = case when ${state}::text <> 'waiting' then now() end
      where id = ${id}::uuid and state = 'waiting'`,
  );
}

/** Delete mails that ended more than a week ago; answers how many. */
export function deleteOldMails(db: Queryable, most: number): Promise<number> {
  const where = sql`t.state <> 'waiting' and t.ended_at < now() - interval '7 days'`;
  return deleteSome(
    db,
    { table: MAILS, key: identifier('id'), where, order: sql`t.ended_at` },
    most,
  );
}
