// Imports that were asked for over HTTP (D249 to D251): the file comes out of the database, and each row is noted in
// the transaction that writes it. An attempt goes on where the one before has ended, however it ended.

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type FileFormat, loadPieces, loadSentFile, prolongFile } from '../control/files.ts';
import {
  completedStatement,
  countLines,
  deleteRejects,
  type ImportAuthority,
  importedStatement,
  JOB_REFUSED,
  loadImportedLines,
  loadRejectedLines,
  loadRejects,
  mayImportStatement,
  putRejects,
  type RejectedLine,
} from '../control/import-rows.ts';
import { IMPORT_JOBS, type ImportInput } from '../control/job-kinds.ts';
import { endingOf, type JobKind, type Report, whileHeld } from '../control/job-lease.ts';
import type { Job, Progress } from '../control/jobs.ts';
import { loadMember } from '../control/members.ts';
import { loadModel } from '../control/workspaces.ts';
import { isDefinitionChanged, isOperatorError, operatorError } from '../errors.ts';
import type { WriteContext } from '../flow/records/write-group.ts';
import { LIMITS } from '../limits.ts';
import { callerOf } from '../model/access.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { type Database, isDatabaseError } from '../postgres/db.ts';
import type { ImportPlan } from './compile-mapping.ts';
import { planImport } from './import-file.ts';
import type { Ledger } from './import-report.ts';
import { parseMapping } from './mapping.ts';
import { openProblemGroups, type ProblemGroups } from './problem-groups.ts';
import { formatOf, inspectFile, type SourceFile, separatorOf } from './read-rows.ts';
import { layoutOf } from './reject-file.ts';
import { type Rejection, runImport } from './run-import.ts';

/** `mostRows`: of a file. */
export function importing(db: Database, mostRows: number = LIMITS.importRows): JobKind {
  return {
    kind: IMPORT_JOBS,
    async run(job, signal, report) {
      const folder = await mkdtemp(join(tmpdir(), 'workspace-records-import-'));
      const work = { db: whileHeld(db, signal), job, signal, report, mostRows, folder };
      const input = job.input as ImportInput;
      try {
        await importByDefinition(work, input);
      } catch (error) {
        if (endingOf(signal) !== undefined) throw error;
        const reason = refusalOf(error, { folder, input });
        if (reason === undefined) throw error;
        await report({ ...job.progress, reason });
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
  /** Of this attempt, for the file. */
  readonly folder: string;
}

const NOT_ALLOWED = 'The person who started the import no longer has permission for it.';

/** Why what was asked for cannot be done, as whoever asked should read it; undefined: it may be another time. */
function refusalOf(
  error: unknown,
  { folder, input }: { readonly folder: string; readonly input: ImportInput },
): string | undefined {
  if (isDatabaseError(error) && error.code === JOB_REFUSED) return NOT_ALLOWED;
  if (!isOperatorError(error)) return undefined;
  return error.message.replaceAll(new RegExp(`${folder}[/\\\\]file\\.\\w+`, 'g'), input.file_name);
}

/** What was imported by a definition that has changed since stays; the rest is imported by the new one (D392). */
async function importByDefinition(work: Work, input: ImportInput): Promise<void> {
  for (;;) {
    try {
      return await importFrom(work, input);
    } catch (error) {
      if (!isDefinitionChanged(error)) throw error;
      work.signal.throwIfAborted();
    }
  }
}

async function importFrom(work: Work, input: ImportInput): Promise<void> {
  const { db, job, report, mostRows } = work;
  const model = await requireModel(db, Number(job.workspace_id));
  const context = await requireContext(work, model, input);
  const file = await fetchFile(work, input);
  const summary = await inspectFile(file);
  if (summary.rows > mostRows) {
    throw operatorError(`The file has ${summary.rows} rows; ${mostRows} can be imported at once.`);
  }
  const mapping = parseMapping('The mapping', input.mapping);
  const source = { file, mapping, mappingName: 'The mapping', noStatus: input.no_status };
  const plan = planImport(model, source, summary);
  const groups = openProblemGroups();
  const rejects = openRejects(work, authorityOf(model, job, input), groups);
  const ledger = await openLedger(work, { isDryRun: input.dry_run, rejects });
  if (ledger.rejected.length > 0) await addRejected(work, groups);
  const shown = { total: summary.rows, layout: layoutOf(file, summary), notes: notesOf(plan) };
  const { tell, settle } = everySecond((counts) =>
    report({ ...shown, ...counts, groups: groups.most() }),
  );
  tell({ done: ledger.imported.length + ledger.rejected.length });
  const end = await runImport({
    ...{ context, file, plan, ledger, dryRun: input.dry_run, onReject: rejects.add },
    kept: input.only_new ? 'record' : 'status',
    onProgress: (done, counts) => tell({ done, ...counts }),
  });
  await settle();
  const counts = input.dry_run ? end : { ...end, ...(await countLines(db, job.id)) };
  await db.transaction(async (tx) => {
    await prolongFile(tx, input.file_id);
    await report({ ...shown, ...counts, done: shown.total, groups: groups.most() }, tx);
  });
}

async function requireModel(db: Database, workspaceId: number): Promise<WorkspaceModel> {
  const model = await loadModel(db, workspaceId);
  if (model === undefined) throw operatorError('The workspace does not exist any more.');
  return model;
}

/** Whoever asked, as they are now. */
async function requireContext(
  { db, job }: Work,
  model: WorkspaceModel,
  { scopes, request_id }: ImportInput,
): Promise<WriteContext> {
  const member = await loadMember(db, model.schema, Number(job.asked_by_user_id));
  if (member?.active !== true) throw operatorError(NOT_ALLOWED);
  const caller = callerOf(model, member, { kind: 'import', scopes });
  if (!caller.access.administrator) throw operatorError(NOT_ALLOWED);
  return { db, model, caller, requestId: request_id };
}

const ENDINGS: Readonly<Record<FileFormat, string>> = { csv: 'csv', tsv: 'tsv', jsonl: 'jsonl' };

/** The file in the folder of this attempt. */
async function fetchFile({ db, job, folder }: Work, input: ImportInput): Promise<SourceFile> {
  const owner = {
    workspace_id: Number(job.workspace_id),
    user_id: Number(job.asked_by_user_id),
  };
  const stored = await loadSentFile(db, owner, input.file_id);
  if (stored === undefined) throw operatorError('The file has expired. Send it again.');
  const path = join(folder, `file.${ENDINGS[stored.format]}`);
  await pipeline(Readable.from(loadPieces(db, stored.id)), createWriteStream(path));
  const { delimiter } = input.mapping as { readonly delimiter?: string };
  const format = formatOf(path, delimiter ?? separatorOf(path)) as SourceFile['format'];
  return { path, format, raw: input.raw };
}

function authorityOf(
  { schema, roles }: WorkspaceModel,
  job: Job,
  { api_key_id }: ImportInput,
): ImportAuthority {
  const administrators = [...roles.values()].filter(({ administrator }) => administrator);
  return {
    schema,
    user_id: Number(job.asked_by_user_id),
    api_key_id,
    roles: administrators.map(({ key }) => key),
  };
}

interface Rejects {
  readonly authority: ImportAuthority;
  add(rejection: Rejection): void;
  store(): Promise<void>;
}

/** Rejections are stored many at a time; who is killed before finds them again. */
function openRejects(
  { db, job }: Work,
  authority: ImportAuthority,
  groups: ProblemGroups,
): Rejects {
  let told: RejectedLine[] = [];
  return {
    authority,
    add({ row: { line, texts }, problems }) {
      groups.add(line, problems);
      told.push({
        line,
        texts,
        problems: problems.map(({ field, reason }) => ({ field, reason })),
      });
    },
    async store() {
      const rejects = told;
      told = [];
      if (rejects.length > 0) await putRejects(db, job, authority, rejects);
    },
  };
}

const PAGE = 500;

/** Those of the attempts before. */
async function addRejected({ db, job }: Work, groups: ProblemGroups): Promise<void> {
  for (let after = 0; ; ) {
    const page = await loadRejects(db, job.id, { after, limit: PAGE });
    for (const { line, problems } of page) groups.add(line, problems);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.line;
  }
}

/** A dry run notes nothing but rejections, and begins anew. */
async function openLedger(
  { db, job }: Work,
  { isDryRun, rejects }: { readonly isDryRun: boolean; readonly rejects: Rejects },
): Promise<Ledger> {
  const { authority, store } = rejects;
  if (isDryRun) {
    await deleteRejects(db, job.id);
    return { imported: [], rejected: [], note: () => [], store };
  }
  return {
    imported: await loadImportedLines(db, job.id),
    rejected: await loadRejectedLines(db, job.id),
    store,
    note: (lines, completed) => [
      mayImportStatement(authority),
      ...(lines.length === 0 ? [] : [importedStatement(job, authority, lines)]),
      ...(completed.length === 0 ? [] : [completedStatement(job, authority, completed)]),
    ],
  };
}

function notesOf({ unused }: ImportPlan): readonly string[] {
  return unused.length === 0 ? [] : [`Not imported: ${unused.join(', ')}.`];
}

const REPORT_MS = 1000;

/** What a report fails of ends the work by its signal, or is no reason to end it. */
function everySecond(report: (progress: Progress) => Promise<void>) {
  let reportedAt = -Infinity;
  let reporting = Promise.resolve();
  return {
    tell(progress: Progress): void {
      if (performance.now() - reportedAt < REPORT_MS) return;
      reportedAt = performance.now();
      reporting = reporting.then(() => report(progress)).catch(() => undefined);
    },
    /** All that was told is stored: what is told then stays. */
    settle: () => reporting,
  };
}
