// Deletes expired rows, in small statements: stored answers of Idempotency-Keys after their 24 hours; jobs, sessions,
// links and deliveries of webhooks that ended more than a week ago; after a day files and notes of imports, archives of
// workspaces and files that no record has; values of records and deleted records after the time that the definition
// says. Expires overdue status requests, and notifies people of work items that are due. Several processes may run it at
// the same time.

import { notifyOfDueItems } from '../../control/events/due-items.ts';
import { deleteOldMails } from '../../control/events/mails.ts';
import { deleteOldDeliveries } from '../../control/events/webhook-deliveries.ts';
import { forgetOldPositions } from '../../control/events/webhook-outbox.ts';
import { forgetOldSecrets } from '../../control/events/webhook-rows.ts';
import { listWebhookSchemas } from '../../control/events/webhook-runs.ts';
import { deleteOldImportRows } from '../../control/jobs/import-rows.ts';
import type { JobKind } from '../../control/jobs/job-lease.ts';
import { deleteOldJobs } from '../../control/jobs/jobs.ts';
import { deleteUnusedClients } from '../../control/oauth/oauth-clients.ts';
import { deleteOldGrantSecrets } from '../../control/oauth/oauth-tokens.ts';
import { deleteOldChallenges } from '../../control/people/factor-challenges.ts';
import { deleteOldWindows } from '../../control/people/rate-statements.ts';
import { deleteOldSessions } from '../../control/people/session-rows.ts';
import { deleteOldAttempts } from '../../control/people/sign-in-attempts.ts';
import { deleteOldLinks } from '../../control/people/sign-in-links.ts';
import { deleteExpiredFiles } from '../../control/stored/files.ts';
import { deleteOldHistory } from '../../control/stored/history-rows.ts';
import { deleteOldTrash } from '../../control/stored/trash-rows.ts';
import {
  isOfDeletedWorkspace,
  listWorkspaces,
  type WorkspaceRow,
} from '../../control/workspace/workspaces.ts';
import type { FileStore } from '../../files/stored-bytes.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { deleteExpiredAnswersSql } from '../../sql/write/idempotency-sql.ts';
import { expireRequestsSql } from '../../sql/write/status-request-sql.ts';
import { removeExpiredArchives } from '../files/remove-archives.ts';
import { collectFiles, type FileKeeping } from '../files/remove-files.ts';

/** Rows that one statement deletes: few enough to hold no lock for long. */
const MOST = 1000;
/** Milliseconds between two passes: one over 5,000 workspaces takes 5 s of a processor. */
const EVERY = 60 * 60_000;
/** Failures in a row after which a pass ends. */
const MOST_IN_A_ROW = 3;

type IsStopped = () => boolean;
type Part = (keeping: FileKeeping, isStopped: IsStopped) => Promise<number>;

/** The parts of a pass, by the names of their counts in its report. The store may be away: what needs it comes last. */
const PARTS: Readonly<Record<string, Part>> = {
  answers: ({ db }, isStopped) => sweepAnswers(db, isStopped),
  trash: ({ db }, isStopped) => sweepTrash(db, isStopped),
  jobs: whole(deleteOldJobs),
  files: whole(deleteExpiredFiles),
  rows: whole(deleteOldImportRows),
  requests: ({ db }, isStopped) => expireRequests(db, isStopped),
  deliveries: ({ db }, isStopped) => sweepWebhooks(db, isStopped),
  history: ({ db }, isStopped) => sweepHistory(db, isStopped),
  due: ({ db }, isStopped) => notifyOfDue(db, isStopped),
  mails: whole(deleteOldMails),
  sessions: whole(deleteOldSessions),
  links: whole(deleteOldLinks),
  attempts: whole(deleteOldAttempts),
  challenges: whole(deleteOldChallenges),
  windows: whole(deleteOldWindows),
  clients: whole(deleteUnusedClients),
  tokens: whole(deleteOldGrantSecrets),
  archives: (keeping, isStopped) =>
    inPortions(isStopped, () => removeExpiredArchives(keeping, MOST)),
  record_files: sweepFiles,
};

/** One pass every hour, by one process. */
export function sweeping(db: Queryable, store: FileStore): JobKind {
  return {
    kind: 'sweep',
    every: EVERY,
    async run(_job, signal, report) {
      const counts: Record<string, number> = {};
      try {
        await tryEach(Object.entries(PARTS), async ([name, part]) => {
          counts[name] = await part({ db, store }, () => signal.aborted);
        });
      } finally {
        await report(counts);
      }
    },
  };
}

/** Deletes by portions, until there is less than a whole one. */
function whole(deleteSome: (db: Queryable, most: number) => Promise<number>): Part {
  return ({ db }, isStopped) => inPortions(isStopped, () => deleteSome(db, MOST));
}

/** Deletes expired stored answers of all workspaces; answers how many. */
export function sweepAnswers(db: Queryable, isStopped?: IsStopped): Promise<number> {
  return inWorkspaces(db, isStopped, async ({ schema }) => {
    const [row] = await runOnce(db, deleteExpiredAnswersSql(schema, MOST));
    return Number(row?.forgotten);
  });
}

/** Deletes the records whose time in the trash is over. */
export function sweepTrash(db: Queryable, isStopped?: IsStopped): Promise<number> {
  return inWorkspaces(db, isStopped, ({ schema }) => deleteOldTrash(db, schema, MOST));
}

/** Deletes values whose time in the history of records is over; answers how many rows. */
export function sweepHistory(db: Queryable, isStopped?: IsStopped): Promise<number> {
  return inWorkspaces(db, isStopped, (workspace) => deleteOldHistory(db, workspace, MOST));
}

/** Removes files that no record has had for a day; answers how many. */
function sweepFiles(keeping: FileKeeping, isStopped?: IsStopped): Promise<number> {
  return inWorkspaces(keeping.db, isStopped, (workspace) => collectFiles(keeping, workspace, MOST));
}

/** Expires overdue status requests of all workspaces; answers how many. */
export function expireRequests(db: Queryable, isStopped?: IsStopped): Promise<number> {
  return inWorkspaces(db, isStopped, async ({ schema }) => {
    const [row] = await runOnce(db, expireRequestsSql(schema, MOST));
    return Number(row?.expired);
  });
}

/** Notifies people of work items that are due today; answers how many. */
export function notifyOfDue(
  db: Queryable,
  isStopped?: IsStopped,
  now: () => number = Date.now,
): Promise<number> {
  return inWorkspaces(db, isStopped, (workspace) =>
    notifyOfDueItems(db, workspace, { now: now(), most: MOST }),
  );
}

/** Deletes old deliveries, secrets and positions of webhooks; answers how many deliveries. */
export async function sweepWebhooks(
  db: Queryable,
  isStopped: IsStopped = () => false,
): Promise<number> {
  let total = 0;
  await tryEach(await listWebhookSchemas(db), async (schema) => {
    total += await inPortions(isStopped, () => deleteOldDeliveries(db, schema, MOST));
    await forgetOldPositions(db, schema);
    await forgetOldSecrets(db, schema);
  });
  return total;
}

async function inWorkspaces(
  db: Queryable,
  isStopped: IsStopped = () => false,
  portion: (workspace: WorkspaceRow) => Promise<number>,
): Promise<number> {
  let total = 0;
  await tryEach(await listWorkspaces(db), async (workspace) => {
    total += await inPortions(isStopped, () => portion(workspace));
  });
  return total;
}

/** Calls `portion` until it finds less than a whole one; answers the sum. */
async function inPortions(isStopped: IsStopped, portion: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let last = MOST; last >= MOST && !isStopped(); total += last) last = await portion();
  return total;
}

/**
 * Do the work for each item, and throw the first error at the end. Several errors in a row end the pass: the database may
 * be away. A workspace that has been deleted since it was listed is no error.
 */
async function tryEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  let inARow = 0;
  for (const item of items) {
    try {
      await work(item);
      inARow = 0;
    } catch (error) {
      if (isOfDeletedWorkspace(error)) continue;
      failures.push(error);
      inARow += 1;
      if (inARow === MOST_IN_A_ROW) break;
    }
  }
  if (failures.length > 0) throw failures[0];
}
