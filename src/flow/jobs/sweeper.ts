// Deletes expired rows, in small statements: stored answers of Idempotency-Keys after their 24 hours; jobs, sessions,
// links and deliveries of webhooks that ended more than a week ago; after a day files and notes of imports, archives of
// workspaces and files that no record has; values of records and deleted records after the time that the definition
// says. Expires overdue status requests, and notifies people of work items that are due. Several processes may run it at
// the same time.

import { notifyOfDueItems } from '../../control/due-items.ts';
import { deleteExpiredFiles } from '../../control/files.ts';
import { deleteOldHistory } from '../../control/history-rows.ts';
import { deleteOldImportRows } from '../../control/import-rows.ts';
import type { JobKind } from '../../control/job-lease.ts';
import { deleteOldJobs } from '../../control/jobs.ts';
import { deleteOldMails } from '../../control/mails.ts';
import { deleteOldWindows } from '../../control/rate-windows.ts';
import { deleteOldSessions } from '../../control/session-rows.ts';
import { deleteOldAttempts } from '../../control/sign-in-attempts.ts';
import { deleteOldLinks } from '../../control/sign-in-links.ts';
import { deleteOldTrash } from '../../control/trash-rows.ts';
import { deleteOldDeliveries } from '../../control/webhook-deliveries.ts';
import { forgetOldSecrets } from '../../control/webhook-rows.ts';
import { forgetOldPositions, listWebhookSchemas } from '../../control/webhook-runs.ts';
import {
  isOfDeletedWorkspace,
  listWorkspaces,
  type WorkspaceRow,
} from '../../control/workspaces.ts';
import type { FileStore } from '../../files/stored-bytes.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { deleteExpiredAnswersSql } from '../../sql/idempotency-sql.ts';
import { expireRequestsSql } from '../../sql/status-request-sql.ts';
import { removeExpiredArchives } from '../files/remove-archives.ts';
import { collectFiles, type FileKeeping } from '../files/remove-files.ts';

/** Rows that one statement deletes: few enough to hold no lock for long. */
const MOST = 1000;
/** Milliseconds between two passes: one over 5,000 workspaces takes 5 s of a processor. */
const EVERY = 60 * 60_000;

/** One pass every hour, by one process. */
export function sweeping(db: Queryable, store: FileStore): JobKind {
  return {
    kind: 'sweep',
    every: EVERY,
    async run(_job, signal, report) {
      const answers = await sweep(db, () => signal.aborted);
      const trash = await sweepTrash(db, () => signal.aborted);
      const jobs = await deleteOldJobs(db, MOST);
      const files = await deleteExpiredFiles(db, MOST);
      const rows = await forgetImports(db, () => signal.aborted);
      const requests = await expireRequests(db, () => signal.aborted);
      const deliveries = await sweepWebhooks(db, () => signal.aborted);
      const history = await sweepHistory(db, () => signal.aborted);
      const due = await notifyOfDue(db, () => signal.aborted);
      const mails = await deleteOldMails(db, MOST);
      const signIns = await sweepSignIns(db);
      // The store may be away: everything else is done before.
      const archives = await removeExpiredArchives({ db, store }, MOST);
      const recordFiles = await sweepFiles({ db, store }, () => signal.aborted);
      await report({
        answers,
        trash,
        jobs,
        files,
        rows,
        requests,
        deliveries,
        history,
        archives,
        record_files: recordFiles,
        due,
        mails,
        ...signIns,
      });
    },
  };
}

/** Deletes the rows of imports that ended a day ago; returns the number of deleted rows. */
async function forgetImports(db: Queryable, isStopped: () => boolean): Promise<number> {
  let total = 0;
  for (let last = MOST; last >= MOST && !isStopped(); total += last) {
    last = await deleteOldImportRows(db, MOST);
  }
  return total;
}

/** Deletes expired rows of sign-ins; returns the number of each. */
export async function sweepSignIns(db: Queryable) {
  return {
    sessions: await deleteOldSessions(db, MOST),
    links: await deleteOldLinks(db, MOST),
    attempts: await deleteOldAttempts(db, MOST),
    windows: await deleteOldWindows(db, MOST),
  };
}

/** One pass over all workspaces; answers how many stored answers it has deleted. */
export function sweep(db: Queryable, isStopped?: () => boolean): Promise<number> {
  return inPortions(db, isStopped, async ({ schema }) => {
    const [row] = await runOnce(db, deleteExpiredAnswersSql(schema, MOST));
    return Number(row?.forgotten);
  });
}

/** The same for deleted records whose time is over. */
export function sweepTrash(db: Queryable, isStopped?: () => boolean): Promise<number> {
  return inPortions(db, isStopped, ({ schema }) => deleteOldTrash(db, schema, MOST));
}

/** Values whose time is over, in the history of records; answers how many rows it has deleted. */
export function sweepHistory(db: Queryable, isStopped?: () => boolean): Promise<number> {
  return inPortions(db, isStopped, (workspace) => deleteOldHistory(db, workspace, MOST));
}

/** Files that no record has had for a day; answers how many it has removed. */
export function sweepFiles(keeping: FileKeeping, isStopped?: () => boolean): Promise<number> {
  return inPortions(keeping.db, isStopped, (workspace) => collectFiles(keeping, workspace, MOST));
}

/** Expires overdue status requests of all workspaces; answers how many. */
export function expireRequests(db: Queryable, isStopped?: () => boolean): Promise<number> {
  return inPortions(db, isStopped, async ({ schema }) => {
    const [row] = await runOnce(db, expireRequestsSql(schema, MOST));
    return Number(row?.expired);
  });
}

/** Notifies people of work items that are due today; answers how many. */
export function notifyOfDue(
  db: Queryable,
  isStopped?: () => boolean,
  now: () => number = Date.now,
): Promise<number> {
  return inPortions(db, isStopped, (workspace) =>
    notifyOfDueItems(db, workspace, { now: now(), most: MOST }),
  );
}

/** Calls `portion` for each workspace until it finds less than a whole one; answers the sum. */
async function inPortions(
  db: Queryable,
  isStopped: () => boolean = () => false,
  portion: (workspace: WorkspaceRow) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (const workspace of await listWorkspaces(db)) {
    for (let last = MOST; last >= MOST && !isStopped(); total += last) {
      last = await unlessGone(() => portion(workspace));
    }
  }
  return total;
}

/** Old deliveries, secrets and positions of webhooks; answers how many deliveries it has deleted. */
export async function sweepWebhooks(
  db: Queryable,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let total = 0;
  for (const schema of await listWebhookSchemas(db)) {
    for (let last = MOST; last === MOST && !isStopped(); total += last) {
      last = await unlessGone(() => deleteOldDeliveries(db, schema, MOST));
    }
    await unlessGone(() => forgetOldPositions(db, schema));
    await unlessGone(() => forgetOldSecrets(db, schema));
  }
  return total;
}

/** 0 when the workspace has been deleted since it was listed. */
async function unlessGone(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (isOfDeletedWorkspace(error)) return 0;
    throw error;
  }
}
