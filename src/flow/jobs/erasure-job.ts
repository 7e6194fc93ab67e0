// Erases records for good as a job (docs/design/erasure.md): one after the other, then the files, rejected rows and
// requests that imports, exports and bulk changes have left in the workspace, words of the search index, late answers of
// webhook receivers, and dead rows; none of these when all records are refused. A dry run counts the same and changes
// nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import { addProgress, putRefused } from '../../control/jobs/bulk-rows.ts';
import { ERASURE_JOBS, type ErasureInput } from '../../control/jobs/job-kinds.ts';
import { endingOf, type JobKind, whileHeld } from '../../control/jobs/job-lease.ts';
import { tablesWithTraces, vacuumTables } from '../../control/stored/dead-rows.ts';
import {
  countHolders,
  loadErasedFiles,
  WORKSPACE_PLACES,
} from '../../control/stored/erased-rows.ts';
import { isOperatorError } from '../../errors.ts';
import type { FileStore } from '../../files/stored-bytes.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { Database } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { sql } from '../../sql/sql.ts';
import {
  countRowsSql,
  deliveriesOf,
  emptyRowsSql,
  eraseRowsSql,
  sendingWebhooks,
  unusedWords,
  wordsSql,
} from '../../sql/write/erase-sql.ts';
import { removeExpiredArchives } from '../files/remove-archives.ts';
import { removeMarkedFiles } from '../files/remove-files.ts';
import { eraseNext } from './erase-record.ts';
import { RECORD_PLACES } from './erased/record-places.ts';
import { judgeErasure } from './erasure-authority.ts';
import { type Erasure, note, stateOf, sumOf } from './erasure-progress.ts';
import { openJudge } from './job-authority.ts';

/** The places of the report, in its order. */
export const ERASED_PLACES: readonly string[] = Object.freeze([
  ...new Set([
    'records',
    ...[...RECORD_PLACES, ...WORKSPACE_PLACES].map(({ key }) => key),
    'search_words',
    'refused',
  ]),
]);

interface ErasingOptions {
  /** Milliseconds until deliveries that are under way have ended. */
  readonly pause?: number;
  /** Has the files of records; left out: the sweeper removes their bytes. */
  readonly store?: FileStore;
}

/** A receiver answers within the time of a delivery, and some seconds pass until its outcome is stored. */
const DELIVERED_MS = (LIMITS.webhookSeconds + 5) * 1000;

export function erasing(
  db: Database,
  { pause = DELIVERED_MS, store }: ErasingOptions = {},
): JobKind {
  return {
    kind: ERASURE_JOBS,
    async run(job, signal, report) {
      const held = whileHeld(db, signal);
      const input = job.input as ErasureInput;
      const steps = input.dry_run ? DRY_STEPS : STEPS;
      const judge = openJudge(held, { job, input }, (model, member) =>
        judgeErasure(input, model, member),
      );
      const state = stateOf(job, input.records.length, steps.length);
      const work: Erasure = { db: held, job, input, signal, report, pause, store, judge, state };
      try {
        await note(work, {});
        await eraseRecords(work);
        for (const step of stepsAfter(work, steps)) await step(work);
      } catch (error) {
        if (endingOf(signal) === undefined && isOperatorError(error)) {
          await addProgress(held, job, { reason: error.message });
        }
        throw error;
      }
    },
  };
}

/** The steps that are left; only the report for an erasure that erases no record. */
function stepsAfter(work: Erasure, steps: readonly Step[]): readonly Step[] {
  return steps.slice(work.state.steps, isRefused(work) ? 1 : undefined);
}

function isRefused({ input, state }: Erasure): boolean {
  return state.refusals.length === input.records.length;
}

/** Records that others require are tried again when those may be gone. */
async function eraseRecords(work: Erasure): Promise<void> {
  for (;;) {
    for (const index of work.state.left) await eraseNext(work, index);
    const { refusals, erasedInPass } = work.state;
    if (refusals.length === 0 || erasedInPass === 0) break;
    await note(work, { left: refusals.map(({ index }) => index), refusals: [], erasedInPass: 0 });
  }
}

type Step = (work: Erasure) => Promise<void>;

/** The part of the progress that a step changes when it is done. */
function stepDone({ state }: Erasure) {
  return { done: state.done + 1, steps: state.steps + 1 };
}

const noteRefused: Step = async (work) => {
  const { state, input, job } = work;
  const refused = state.refusals.map(({ index, reason }) => {
    return { record_id: input.records[index]?.id as string, field: '', reason };
  });
  const done = state.done + 1 + refused.length;
  const change = {
    ...{ ...stepDone(work), done, total: isRefused(work) ? done : state.total },
    counts: sumOf({ ...NONE, ...state.counts }, { refused: refused.length }),
  };
  await note(work, change, (tx) => putRefused(tx, job, refused));
};

/** Every report names all places. */
const NONE = Object.freeze(Object.fromEntries(ERASED_PLACES.map((key) => [key, 0])));

/** Milliseconds for which other jobs are waited for, and between two looks at them. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 500;

/**
 * Jobs that were requested before, or began while the records were there, may be about to write files; others read what is
 * left.
 */
const awaitHolders: Step = async (work) => {
  const { db, job, signal } = work;
  const gone_at = work.state.gone_at ?? (await loadTime(db));
  await note(work, { gone_at });
  for (let waited = 0; (await countHolders(db, job, gone_at)) > 0; waited += LOOK_MS) {
    // Another attempt follows, and jobs that wait for this one to end can run before it.
    if (waited >= PATIENCE_MS)
      throw new Error('imports, exports or bulk changes of the workspace have not ended');
    await sleep(LOOK_MS, undefined, { signal });
  }
  await note(work, stepDone(work));
};

/** The time of the database. */
async function loadTime(db: Database): Promise<string> {
  const [row] = await runOnce(db, sql`select clock_timestamp()::text as time`);
  return String(row?.time);
}

/** Files that a report names. */
const NAMED_FILES = 100;

const eraseKept: Step = async (work) => {
  const { db, job, input, state } = work;
  const { schema } = await work.judge();
  const workspace = { id: Number(job.workspace_id), schema };
  const storedCounts: Record<string, number> = {};
  for (const place of WORKSPACE_PLACES) storedCounts[place.key] = await place.count(db, workspace);
  const counts = sumOf(state.counts, storedCounts);
  if (input.dry_run) {
    // Names of files may be values as well: an erasure counts them, and removes the names of earlier dry runs.
    const notes = await nameFiles(db, workspace.id, storedCounts.files ?? 0);
    return note(work, { ...stepDone(work), counts, notes });
  }
  await note(work, { ...stepDone(work), counts }, async (tx) => {
    for (const place of WORKSPACE_PLACES) await place.erase(tx, workspace);
  });
};

async function nameFiles(db: Database, workspaceId: number, count: number) {
  const files = await loadErasedFiles(db, workspaceId, NAMED_FILES);
  const names = files.map(
    ({ name, made }) => say(made ? 'note_export_file' : 'note_import_file', { name }).text,
  );
  const more = count - files.length;
  return more > 0 ? [...names, say('note_more_files', { count: more }).text] : names;
}

/** Words that are looked at in one statement. */
const WORDS = 2000;

const eraseWords: Step = async (work) => {
  const { db, input, signal, state } = work;
  const { schema } = await work.judge();
  let count = 0;
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const rows = await runOnce(db, wordsSql(schema, after, WORDS));
    const words = rows.map(({ word }) => String(word));
    const unused = unusedWords(schema, words);
    const [found] = words.length === 0 ? [] : await runOnce(db, countRowsSql(unused));
    const some = Number(found?.rows ?? 0);
    count += some;
    if (some > 0 && !input.dry_run) await runOnce(db, eraseRowsSql(unused));
    if (words.length < WORDS) break;
    after = words.at(-1) as string;
  }
  await note(work, { ...stepDone(work), counts: sumOf(state.counts, { search_words: count }) });
};

/** An answer to an event that was sent before the record was erased may have come since. */
const eraseLateAnswers: Step = async (work) => {
  const { db, input, signal, pause } = work;
  const { schema } = await work.judge();
  const [sending] = await runOnce(db, countRowsSql(sendingWebhooks(schema)));
  if (Number(sending?.rows) > 0) {
    await sleep(pause, undefined, { signal });
    const late = deliveriesOf(schema, input.records);
    await runOnce(db, emptyRowsSql(late, sql`answer = null`));
  }
  await note(work, stepDone(work));
};

const vacuum: Step = async (work) => {
  const { schema } = await work.judge();
  const tables = new Set(work.input.records.map(({ table }) => table));
  await vacuumTables(work.db, tablesWithTraces(schema, [...tables]));
  await note(work, stepDone(work));
};

/** More archives than a workspace has: the next archive removes the one before. */
const ARCHIVES = 100;

/**
 * Removes the files. Their rows are marked: the next attempt or the sweeper completes the work of a process that dies.
 */
const removeFiles: Step = async (work) => {
  const { db, store, job } = work;
  const { schema } = await work.judge();
  const workspace = { id: Number(job.workspace_id), schema };
  if (store !== undefined) {
    await removeMarkedFiles({ db: db.near(schema), store }, workspace);
    await removeExpiredArchives({ db, store }, ARCHIVES, workspace.id);
  }
  await note(work, stepDone(work));
};

const DRY_STEPS: readonly Step[] = Object.freeze([noteRefused, eraseKept, eraseWords]);

const STEPS: readonly Step[] = Object.freeze([
  noteRefused,
  awaitHolders,
  eraseKept,
  removeFiles,
  eraseWords,
  eraseLateAnswers,
  vacuum,
]);
