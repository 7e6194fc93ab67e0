// One change of all matching records: its dry run, and the job that makes it. The job is followed to its end also when
// its dialog is closed.

import type { QueryClient } from '@tanstack/react-query';
import type { BulkChange, JobDetails, Where } from '@workspace-records/client';
import { makeKey } from '../../../lib/idempotency-key.ts';
import { translate } from '../../../lib/messages/index.ts';
import { refreshLists } from '../../../lib/record-lists.ts';
import type { Session } from '../../../lib/session.ts';
import { deletedSince, deletionAct } from '../../../lib/trash.ts';
import { noteUndo } from '../../../lib/undo.ts';
import { showToast } from '../../../ui/toast.ts';
import { bulkWhere, countsOf } from './selection.ts';

export type MatchingChange =
  | { readonly action: 'update'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly action: 'status'; readonly status_id: string }
  | { readonly action: 'delete' };

export interface MatchingWish {
  readonly type: string;
  /** All of them must be true. */
  readonly parts: readonly Where[];
  readonly change: MatchingChange;
  /** True: deleted records can be restored. */
  readonly isKept?: boolean;
  /** The message for this number of changed records. */
  text(count: number): string;
}

/** Seconds for which an answer waits for the end of the job. */
const WAIT = 1;

export function rehearse({ client }: Session, { type, ...wish }: MatchingWish) {
  return client.records(type).bulkDryRun(bodyOf(wish));
}

export interface BulkRun extends MatchingWish {
  /** The number that the person has confirmed. */
  readonly expected: number;
  onProgress(job: JobDetails): void;
}

/** Errors: those of the service, `conflict` where another number matches now. */
export async function runBulk(
  session: Session,
  queries: QueryClient,
  { expected, onProgress, ...wish }: BulkRun,
): Promise<JobDetails> {
  const { client, workspace } = session;
  const body = { ...bodyOf(wish), expected_count: expected } as BulkChange;
  const { id } = await client.records(wish.type).bulk(body, { idempotencyKey: makeKey() });
  let job = await client.jobs.get(id);
  onProgress(job);
  while (job.finished_at === null) {
    job = await client.jobs.get(id, { wait: WAIT });
    onProgress(job);
  }
  await report(job, wish, { ...session, queries });
  await refreshLists(queries, workspace, wish.type);
  return job;
}

/** Records are restored one by one, some hundred in a second or two. */
const MOST_UNDONE = 500;

type Undoing = Pick<Session, 'workspace' | 'client' | 'me'> & { readonly queries: QueryClient };

/** The list of problems is in the dialog, if it is still open. The note offers to restore a few deleted records. */
async function report(job: JobDetails, wish: MatchingWish, undoing: Undoing): Promise<void> {
  const { workspace, client, queries, me } = undoing;
  const { type, isKept = false } = wish;
  const { changed } = countsOf(job.counts);
  const isFew = isKept && changed > 0 && changed <= MOST_UNDONE;
  const deleted = { by: me.user.id, since: job.created_at, count: changed };
  const ids = isFew ? await deletedSince(client, type, deleted) : undefined;
  const note = noteOf(job, wish);
  if (ids === undefined) return showToast(note);
  noteUndo(deletionAct({ workspace, client, queries, type }, { ids, text: note.text }));
}

function noteOf({ state, counts, error }: JobDetails, { text }: Pick<MatchingWish, 'text'>) {
  const t = translate();
  const { changed, refused } = countsOf(counts);
  const parts = [
    ...(changed > 0 || refused === 0 ? [text(changed)] : []),
    ...(refused > 0 ? [t('matching.refused', { count: refused })] : []),
    ...(state === 'cancelled' ? [t('matching.stopped')] : []),
    ...(state === 'failed' ? [t('matching.failed', { reason: error ?? '' })] : []),
  ];
  return { text: parts.join(' '), isProblem: state === 'failed' || refused > 0 };
}

/** Days and months are those of the browser's time zone, as in lists. */
function bodyOf({ parts, change }: Pick<MatchingWish, 'parts' | 'change'>): BulkChange {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  return { ...change, where: bulkWhere(parts), timezone } as BulkChange;
}
