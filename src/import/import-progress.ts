// The progress of an import, as its job shows it: counts of each file and of all of them, and problems that many rows
// have. It is stored every second, and in the transaction that ends a file.

import { countLines, type FileOfJob, loadRejects } from '../control/jobs/import-rows.ts';
import type { ImportedFile, ImportInput } from '../control/jobs/job-kinds.ts';
import type { Report } from '../control/jobs/job-lease.ts';
import type { Job, Progress } from '../control/jobs/jobs.ts';
import { prolongFile } from '../control/stored/files.ts';
import { say } from '../messages/message.ts';
import type { RejectLayout } from '../model/text/reject-text.ts';
import type { Database } from '../postgres/db.ts';
import type { EmptiedValues } from './emptied-values.ts';
import type { ImportReport } from './import-report.ts';
import { leftOutText } from './import-report.ts';
import type { DoubleRow } from './import-request.ts';
import { joinGroups, openProblemGroups, type ProblemGroups } from './problem-groups.ts';
import type { FileSummary } from './rows/read-rows.ts';
import type { EmptiedValue } from './rows/row-problems.ts';
import type { ChangedField } from './spreadsheet-marks.ts';

export interface PlannedFile {
  readonly about: ImportedFile;
  readonly total: number;
  readonly layout: RejectLayout;
  /** Columns that go nowhere. */
  readonly unused: readonly string[];
  /** Content of the file that is in no row. */
  readonly leftOut: FileSummary['leftOut'];
}

type Counts = Readonly<Record<string, number>>;

export interface ImportProgress {
  /** The problems of each file. */
  readonly groups: readonly ProblemGroups[];
  /** The progress of the attempts before. */
  resume(before: Progress): Promise<void>;
  /** The progress that is stored next. */
  now(): Progress;
  isDone(file: number): boolean;
  noteDouble(file: number, double: DoubleRow): void;
  noteEmptied(file: number, value: EmptiedValue): void;
  /** Counts of the file that is imported now. */
  tell(counts: Counts): void;
  /** `changed`: values of a dry run that a person looks at again. */
  finish(file: number, report: ImportReport, changed?: readonly ChangedField[]): Promise<void>;
}

/** `file`: its number, where an import has several. */
type OfFile<Value> = Value & { readonly file: number | undefined };

interface Work {
  readonly db: Database;
  readonly job: Job;
  readonly report: Report;
  /** The values without which rows were written, of this and earlier attempts. */
  readonly emptied: EmptiedValues;
}

export function openImportProgress(
  { db, job, report, emptied }: Work,
  files: readonly PlannedFile[],
): ImportProgress {
  const groups = files.map(() => openProblemGroups());
  const doubles: OfFile<DoubleRow>[] = [];
  const changedValues: OfFile<ChangedField>[] = [];
  const numberOf = (file: number) => (files.length === 1 ? undefined : file + 1);
  /** The counts of the files that are done, in their order. */
  const done: Counts[] = [];
  const progressWith = (current: Counts) => ({
    total: files.reduce((sum, { total }) => sum + total, 0),
    ...sumOf([...done, current]),
    groups: joinGroups(groups),
    double_rows: doubles,
    changed_values: changedValues,
    emptied_values: emptied.list(),
    notes: files.flatMap((file) => notesOf(file, files.length)),
    files: files.map((file, index) => progressOf(file, done[index])),
  });
  let current: Counts = {};
  const { tell, settle } = everySecond(() => report(progressWith(current)));

  return {
    groups,
    async resume({ files: before = [] }) {
      for (const { counts } of before as readonly { readonly counts?: Counts }[]) {
        if (counts === undefined) break;
        done.push(counts);
      }
      for (const file of files.keys())
        await addRejected(db, { job_id: job.id, file }, groups[file]);
    },
    noteDouble(file, double) {
      if (doubles.length < SHOWN_DOUBLES) doubles.push({ file: numberOf(file), ...double });
    },
    noteEmptied: (file, value) => emptied.add(value, numberOf(file)),
    now: () => progressWith(current),
    isDone: (file) => file < done.length,
    tell(counts) {
      current = counts;
      tell();
    },
    async finish(file, counted, changed = []) {
      const shown = changed.slice(0, SHOWN_CHANGES - changedValues.length);
      changedValues.push(...shown.map((one) => ({ file: numberOf(file), ...one })));
      await settle();
      const { about, total } = files[file] as PlannedFile;
      const { dry_run } = job.input as ImportInput;
      const stored = dry_run ? {} : await countLines(db, { job_id: job.id, file });
      done.push({ ...counted, ...stored, done: total });
      current = {};
      await db.transaction(async (tx) => {
        await prolongFile(tx, about.file_id);
        await report(progressWith(current), tx);
      });
    },
  };
}

function progressOf({ about, total, layout }: PlannedFile, counts: Counts | undefined) {
  return { about, total, layout, ...(counts && { counts }) };
}

/** Adds the rejections that earlier attempts have stored. */
async function addRejected(
  db: Database,
  file: FileOfJob,
  groups: ProblemGroups | undefined,
): Promise<void> {
  for (let after = 0; ; ) {
    const page = await loadRejects(db, file, { after, limit: PAGE });
    for (const { line, problems } of page) groups?.add(line, problems);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.line;
  }
}

/** Rows that are listed; the others are counted. */
const SHOWN_DOUBLES = 20;
/** Fields with changed values that are listed. */
const SHOWN_CHANGES = 100;

/** Rows that are read at once. */
const PAGE = 500;

function sumOf(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = { done: 0 };
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts))
      sum[name] = (sum[name] ?? 0) + Number(count);
  }
  return sum;
}

function notesOf({ about, unused, leftOut }: PlannedFile, fileCount: number): readonly string[] {
  const notes = [unused.join(', '), leftOutText(leftOut)]
    .filter((names) => names !== '')
    .map((names) => say('note_not_imported', { names }).text);
  return fileCount === 1 ? notes : notes.map((note) => `${about.file_name}: ${note}`);
}

const REPORT_MS = 1000;

/** A report that fails is ignored: a lost lease ends the work by its signal. */
function everySecond(report: () => Promise<void>) {
  let reportedAt = -Infinity;
  let reporting = Promise.resolve();
  return {
    tell(): void {
      if (performance.now() - reportedAt < REPORT_MS) return;
      reportedAt = performance.now();
      reporting = reporting.then(report).catch(() => undefined);
    },
    /** Resolves when no report is under way, so that none replaces a later one. */
    settle: () => reporting,
  };
}
