// Imports that were asked for over HTTP (D249 to D251, D416): the files come out of the database, one is imported after
// the other, and each row is noted in the transaction that writes it. An attempt continues where the one before has ended,
// however it ended.

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Attempt,
  completedStatement,
  deleteRejects,
  type ImportAuthority,
  importedStatement,
  loadImportedLines,
  loadRejectedLines,
  mayImportStatement,
  putRejects,
  type RejectedLine,
} from '../control/jobs/import-rows.ts';
import {
  authorOf,
  JOB_REFUSED,
  NO_LONGER_ALLOWED,
  requireAdministrator,
  requireJobModel,
} from '../control/jobs/job-author.ts';
import { IMPORT_JOBS, type ImportInput } from '../control/jobs/job-kinds.ts';
import { endingOf, type JobKind, type Report, whileHeld } from '../control/jobs/job-lease.ts';
import type { Job, Progress } from '../control/jobs/jobs.ts';
import { loadPieces, loadSentFile } from '../control/stored/files.ts';
import { isDefinitionChanged, isOperatorError, operatorError } from '../errors.ts';
import type { WriteContext } from '../flow/records/write-group.ts';
import { LIMITS } from '../limits.ts';
import type { WorkspaceModel } from '../model/definition/model.ts';
import { callerOf } from '../model/rights/access.ts';
import { administratorRoles } from '../model/rights/administrator-roles.ts';
import { type Database, isDatabaseError } from '../postgres/db.ts';
import { type EmptiedField, type EmptiedValues, openEmptiedValues } from './emptied-values.ts';
import { openRehearsals } from './file-rehearsal.ts';
import { type ImportSource, planFiles } from './import-file.ts';
import { openImportProgress, type PlannedFile } from './import-progress.ts';
import type { Ledger } from './import-report.ts';
import type { Rejection } from './import-request.ts';
import type { ImportPlan } from './mapping/compile-mapping.ts';
import { type Mapping, parseMapping } from './mapping/mapping.ts';
import type { ProblemGroups } from './problem-groups.ts';
import { layoutOf } from './reject-file.ts';
import { type FileSummary, formatOfFile, inspectFile, type SourceFile } from './rows/read-rows.ts';
import { runImport } from './run-import.ts';
import { openSpreadsheetMarks } from './spreadsheet-marks.ts';

/** `mostRows`: of all files of an import. */
export function importing(db: Database, mostRows: number = LIMITS.importRows): JobKind {
  return {
    kind: IMPORT_JOBS,
    async run(job, signal, report) {
      const folder = await mkdtemp(join(tmpdir(), 'workspace-records-import-'));
      const input = job.input as ImportInput;
      const before = job.progress.emptied_values as readonly EmptiedField[] | undefined;
      const emptied = openEmptiedValues(before);
      const held = whileHeld(db, signal);
      const reached = { progress: job.progress };
      const work = { db: held, job, signal, report, mostRows, folder, emptied, reached };
      try {
        await importByDefinition(work, input);
      } catch (error) {
        if (endingOf(signal) !== undefined) throw error;
        const reason = refusalOf(error, { folder, input });
        if (reason === undefined) throw error;
        await report({ ...reached.progress, reason });
        throw operatorError(reason, error);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

interface Work {
  readonly db: Database;
  readonly job: Job;
  readonly signal: AbortSignal;
  readonly report: Report;
  readonly mostRows: number;
  /** The folder of this attempt, for the files. */
  readonly folder: string;
  /** The values without which rows were written, of this and earlier attempts. */
  readonly emptied: EmptiedValues;
  /** How far the job was when its work ended. */
  readonly reached: { progress: Progress };
}

/** The reason why the request cannot be carried out, for its author; undefined: a later attempt may succeed. */
function refusalOf(
  error: unknown,
  { folder, input }: { readonly folder: string; readonly input: ImportInput },
): string | undefined {
  if (isDatabaseError(error) && error.code === JOB_REFUSED) return NO_LONGER_ALLOWED;
  if (!isOperatorError(error)) return undefined;
  return error.message.replaceAll(
    new RegExp(`${folder}[/\\\\]file(\\d+)\\.\\w+`, 'g'),
    (_, index: string) => String(input.files[Number(index)]?.file_name),
  );
}

/** Rows imported under an earlier definition stay; the rest is imported under the new one (D392). */
async function importByDefinition(work: Work, input: ImportInput): Promise<void> {
  for (;;) {
    try {
      const emptied = input.dry_run ? openEmptiedValues() : work.emptied;
      return await importFrom({ ...work, emptied }, input);
    } catch (error) {
      if (!isDefinitionChanged(error)) throw error;
      work.signal.throwIfAborted();
    }
  }
}

async function importFrom(work: Work, input: ImportInput): Promise<void> {
  const { db, job } = work;
  const model = await requireJobModel(db, job);
  const context = await requireContext(work, model, input);
  const sources = await readSources(work, input);
  const plans = planFiles(model, sources);
  const progress = openImportProgress(work, plannedFiles(input, sources, plans));
  const rehearsalOf = input.dry_run ? openRehearsals(plans) : () => undefined;
  const authority = authorityOf(model, job, input);
  // A dry run keeps in memory what the rows before would have made, so it starts from the first row again.
  if (input.dry_run) await deleteRejects(db, job.id);
  else await progress.resume(job.progress);
  const importFile = async (file: number, plan: ImportPlan) => {
    const { file: source } = sources[file] as Source;
    const rejects = openRejects({ db, attempt: { job, file } }, authority, progress.groups[file]);
    const ledger = await openLedger({ ...work, file }, input.dry_run, rejects);
    progress.tell({ done: ledger.imported.length + ledger.rejected.length });
    const marks = input.dry_run ? await openSpreadsheetMarks(context, plan) : undefined;
    const report = await runImport({
      ...{ context, file: source, plan, ledger, rehearsal: rehearsalOf(plan), marks },
      onReject: rejects.add,
      onEmptied: (value) => progress.noteEmptied(file, value),
      onDouble: (double) => progress.noteDouble(file, double),
      kept: input.only_new ? 'record' : 'status',
      onProgress: (done, counts) => progress.tell({ ...counts, done }),
    });
    await progress.finish(file, report, marks?.found());
  };
  try {
    for (const [file, plan] of plans.entries())
      if (!progress.isDone(file)) await importFile(file, plan);
  } finally {
    work.reached.progress = progress.now();
  }
}

type Source = ImportSource & { readonly summary: FileSummary };

/** All files, so that one that cannot be used is refused before anything is written. */
async function readSources(work: Work, input: ImportInput): Promise<readonly Source[]> {
  const sources: Source[] = [];
  const isOnly = input.files.length === 1;
  for (const [index, { file_name, mapping: document }] of input.files.entries()) {
    const file = await fetchFile(work, input, index);
    const mappingName = isOnly ? 'The mapping' : `The mapping of ${file_name}`;
    const mapping = parseMapping(mappingName, document);
    const summary = await inspectFile(file);
    sources.push({ file, mapping, mappingName, noStatus: input.no_status, summary });
  }
  const rows = sources.reduce((sum, { summary }) => sum + summary.rows, 0);
  if (rows <= work.mostRows) return sources;
  const which = isOnly ? 'The file has' : 'The files have';
  throw operatorError(`${which} ${rows} rows; ${work.mostRows} can be imported at once.`);
}

function plannedFiles(
  { files }: ImportInput,
  sources: readonly Source[],
  plans: readonly ImportPlan[],
): readonly PlannedFile[] {
  return files.map(({ mapping: _mapping, ...about }, index) => {
    const { file, summary } = sources[index] as Source;
    const { unused } = plans[index] as ImportPlan;
    const { rows: total, leftOut } = summary;
    return { about, total, layout: layoutOf(file, summary), unused, leftOut };
  });
}

/** The author, as they are now. */
async function requireContext(
  { db, job }: Work,
  model: WorkspaceModel,
  input: ImportInput,
): Promise<WriteContext> {
  const member = await requireAdministrator(db, model, authorOf(job, input));
  const { scopes, request_id } = input;
  const caller = callerOf(model, member, { kind: 'import', scopes });
  return { db, model, caller, requestId: request_id };
}

/** A file in the folder of this attempt. */
async function fetchFile(
  { db, job, folder }: Work,
  { files, raw }: ImportInput,
  index: number,
): Promise<SourceFile> {
  const owner = {
    workspace_id: Number(job.workspace_id),
    user_id: Number(job.asked_by_user_id),
  };
  const { file_id, mapping } = files[index] as ImportInput['files'][number];
  const stored = await loadSentFile(db, owner, file_id);
  if (stored === undefined) throw operatorError('The file has expired. Send it again.');
  const path = join(folder, `file${index}.${stored.format}`);
  await pipeline(Readable.from(loadPieces(db, stored.id)), createWriteStream(path));
  const format = await formatOfFile(path, mapping as Mapping);
  return { path, format: format as SourceFile['format'], raw };
}

function authorityOf(model: WorkspaceModel, job: Job, input: ImportInput): ImportAuthority {
  return { ...authorOf(job, input), schema: model.schema, roles: administratorRoles(model) };
}

interface Rejects {
  readonly authority: ImportAuthority;
  add(rejection: Rejection): void;
  store(): Promise<void>;
}

/** Rejections are stored many at a time; after a crash the next attempt finds the others again. */
function openRejects(
  { db, attempt }: { readonly db: Database; readonly attempt: Attempt },
  authority: ImportAuthority,
  groups: ProblemGroups | undefined,
): Rejects {
  let told: RejectedLine[] = [];
  return {
    authority,
    add({ row: { line, texts }, problems }) {
      groups?.add(line, problems);
      told.push({
        line,
        texts,
        problems: problems.map(({ field, reason }) => ({ field, reason })),
      });
    },
    async store() {
      const rejects = told;
      told = [];
      if (rejects.length > 0) await putRejects(db, attempt, authority, rejects);
    },
  };
}

/** A dry run notes nothing but rejections. */
async function openLedger(
  { db, job, file }: Pick<Work, 'db' | 'job'> & Pick<Attempt, 'file'>,
  isDryRun: boolean,
  { authority, store }: Rejects,
): Promise<Ledger> {
  if (isDryRun) return { imported: [], rejected: [], note: () => [], store };
  const [part, attempt] = [
    { job_id: job.id, file },
    { job, file },
  ];
  return {
    imported: await loadImportedLines(db, part),
    rejected: await loadRejectedLines(db, part),
    store,
    note: (lines, completed) => [
      mayImportStatement(authority),
      ...(lines.length === 0 ? [] : [importedStatement(attempt, authority, lines)]),
      ...(completed.length === 0 ? [] : [completedStatement(attempt, authority, completed)]),
    ],
  };
}
