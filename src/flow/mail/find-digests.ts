// Finds the people for whom a digest is due, and asks for it: one statement for each workspace.

import { wantMail } from '../../control/events/mails.ts';
import { loadZoneTimes } from '../../control/process/zone-times.ts';
import {
  isOfDeletedWorkspace,
  listWorkspaces,
  type WorkspaceRow,
} from '../../control/workspace/workspaces.ts';
import { isDigestDue } from '../../mail/mail-schedule.ts';
import type { MailTime } from '../../model/rights/notification-kinds.ts';
import type { Database } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { waitingPeopleSql } from '../../sql/events/digest-sql.ts';

/** Older notifications are not sent: a mail about them would be late news. */
const MOST_AGE_MS = 7 * 86_400_000;

export interface DigestSearch {
  /** Milliseconds since 1970: when the service began to send mail. */
  readonly since: number;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Errors of one workspace do not keep the others from theirs; the last one is thrown at the end. */
export async function findDigests(db: Database, search: DigestSearch): Promise<void> {
  let failure: unknown;
  for (const workspace of await listWorkspaces(db)) {
    search.signal.throwIfAborted();
    if (workspace.state !== 'ready') continue;
    await findInWorkspace(db, workspace, search).catch((error: unknown) => {
      if (!isOfDeletedWorkspace(error)) failure = error;
    });
  }
  if (failure !== undefined) throw failure;
}

/** The time from which notifications of a workspace are sent: not those that came with it from elsewhere. */
export function digestSince(
  { created_at }: Pick<WorkspaceRow, 'created_at'>,
  { since, now }: Pick<DigestSearch, 'since' | 'now'>,
): string {
  const first = Math.max(since, now - MOST_AGE_MS, Date.parse(created_at));
  return new Date(first).toISOString();
}

interface WaitingPerson {
  readonly user_id: number;
  readonly mail: MailTime;
  readonly time_zone: string;
  readonly first: number;
}

async function findInWorkspace(
  db: Database,
  workspace: WorkspaceRow,
  search: DigestSearch,
): Promise<void> {
  const { id: workspace_id, schema } = workspace;
  const statement = waitingPeopleSql(schema, digestSince(workspace, search));
  const rows = await runOnce(db.near(schema), statement);
  const people = rows as unknown as readonly WaitingPerson[];
  const daily = people.filter(({ mail }) => mail === 'daily').map(({ time_zone }) => time_zone);
  const times = await loadZoneTimes(db, [...new Set(daily)], search.now);
  const mornings = new Map(times.map(({ zone, morning }) => [zone, morning]));
  for (const { user_id, mail, time_zone, first } of people) {
    const morning = mornings.get(time_zone) ?? 0;
    if (!isDigestDue(mail, { first, now: search.now, morning })) continue;
    await wantMail(db, { workspace_id, user_id, kind: 'digest', language: null });
  }
}
