// Changes many records as a job (D286): a page of them in one transaction by the way of all writes, which also takes
// the page away and counts it. The rights of the author are checked again for each page. An attempt continues where
// the one before has ended, however it ended.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  addProgress,
  type BulkCounts,
  loadPage,
  loadPages,
  type PageNote,
  pageStatement,
  type RefusedRecord,
  sameRightsStatement,
} from '../../control/jobs/bulk-rows.ts';
import { BULK_JOBS, type BulkInput } from '../../control/jobs/job-kinds.ts';
import { endingOf, type JobKind, whileHeld } from '../../control/jobs/job-lease.ts';
import type { Job } from '../../control/jobs/jobs.ts';
import { openParallelWriters } from '../../control/process/parallel-writers.ts';
import { isOperatorError } from '../../errors.ts';
import type { Database } from '../../postgres/db.ts';
import { type Reason, writePartially } from '../records/partial-writes.ts';
import { writeRecords } from '../records/write-flow.ts';
import type { WriteOutcome } from '../records/write-group.ts';
import { type Judged, judgeBulk } from './bulk-authority.ts';
import { operationOn } from './bulk-request.ts';
import { openJudge } from './job-authority.ts';

/** Two, so that PostgreSQL writes one page while this process prepares the other. */
const PARALLEL_PAGES = 2;
const LOADED_PAGES = 10;
/** Attempts at a page that fails for no fault of its records, and the pause between them. */
const TRIES = 10;
const PAUSE_MS = 200;

export function changingMany(db: Database): JobKind {
  return {
    kind: BULK_JOBS,
    async run(job, signal, report) {
      const held = whileHeld(db, signal);
      const input = job.input as BulkInput;
      const judge = openJudge(held, { job, input }, (model, member) =>
        judgeBulk(input, model, member),
      );
      const work = { db: held, job, input, signal, judge };
      await report({ done: 0, ...job.progress, total: input.expected_count });
      try {
        await changePages(work);
      } catch (error) {
        if (endingOf(signal) === undefined && isOperatorError(error)) {
          await addProgress(held, job, { reason: error.message });
        }
        throw error;
      }
    },
  };
}

interface BulkRun {
  readonly db: Database;
  readonly job: Job;
  readonly input: BulkInput;
  readonly signal: AbortSignal;
  /** The author, as they are now. Errors: operator errors when they no longer may do this. */
  judge(): Promise<Judged>;
}

async function changePages(work: BulkRun): Promise<void> {
  const writers = openParallelWriters(PARALLEL_PAGES);
  try {
    for (let after = -1; ; ) {
      const pages = await loadPages(work.db, work.job.id, after, LOADED_PAGES);
      for (const { number, ids } of pages) {
        await writers.start(() => changePage(work, { number, left: new Set(ids), refused: [] }));
      }
      const last = pages[pages.length - 1];
      if (last === undefined) return await writers.settle();
      after = last.number;
    }
  } finally {
    await writers.idle();
  }
}

/** A page, and the records of it that are refused and not noted yet. */
interface OpenPage {
  readonly number: number;
  /** Neither written nor refused. */
  left: Set<string>;
  refused: RefusedRecord[];
}

/** After a failure nobody knows what was written: only the database does. */
async function changePage(work: BulkRun, page: OpenPage): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const judged = await work.judge();
      await change({ ...work, page, judged });
      if (page.refused.length > 0) await noteRefused({ ...work, page, judged });
      return;
    } catch (error) {
      if (work.signal.aborted || isOperatorError(error) || tries === TRIES) throw error;
      await sleep(PAUSE_MS * tries);
      page.left = new Set(await loadPage(work.db, work.job.id, page.number));
      page.refused = [];
    }
  }
}

interface Changing extends BulkRun {
  readonly page: OpenPage;
  readonly judged: Judged;
}

async function change(changing: Changing): Promise<void> {
  await writePartially([...changing.page.left], {
    what: 'change',
    write: (ids) => write(changing, ids),
    refuse: (id, [first]) => refuse(changing.page, id, first as Reason),
  });
}

async function write(changing: Changing, ids: readonly string[]): Promise<void> {
  const { db, input, page, judged } = changing;
  const { model, caller, object } = judged;
  const { api_key_id, api_key_prefix, session_id } = input;
  const written = new Set(ids);
  const left = [...page.left].filter((id) => !written.has(id));
  const context = {
    ...{ db, model, caller, requestId: input.request_id },
    asked: { api_key_id, api_key_prefix, session_id },
    notesOf: (outcomes: readonly (WriteOutcome | undefined)[]) => {
      const changed = outcomes.filter((one) => one?.changed === true).length;
      return notesOf(changing, { left, changed, unchanged: outcomes.length - changed });
    },
  };
  const operations = ids.map((id) => operationOn(id, input));
  await writeRecords(context, object, { operations, source: 'bulk', batch: true, answered: [] });
  page.left = new Set(left);
  page.refused = [];
}

async function noteRefused(changing: Changing): Promise<void> {
  const { db, page } = changing;
  const notes = notesOf(changing, { left: [...page.left], changed: 0, unchanged: 0 });
  await db.transaction(async (tx) => {
    await tx.finish(notes);
  });
}

function notesOf(
  { job, judged, page }: Changing,
  { left, ...counts }: Pick<PageNote, 'left'> & Omit<BulkCounts, 'refused'>,
) {
  const { number, refused } = page;
  const note = {
    ...{ number, left, refused },
    counts: { ...counts, refused: refused.length },
  };
  return [sameRightsStatement(judged), pageStatement(job, judged, note)];
}

/** The first problem of a record is the one that is shown (D287). */
function refuse(page: OpenPage, record_id: string, { field, reason }: Reason): void {
  page.refused.push({ record_id, field, reason });
  page.left.delete(record_id);
}
