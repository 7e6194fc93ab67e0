// Imports from beginning to end: files, mappings, person, progress, rejected rows. The command line and the demo
// both come in here.

import { requireModel, type WorkspaceRow } from '../control/workspace/workspaces.ts';
import { ApiError, isOperatorError, operatorError } from '../errors.ts';
import type { WriteContext } from '../flow/records/write-group.ts';
import type { WorkspaceModel } from '../model/definition/model.ts';
import type { RejectLayout } from '../model/text/reject-text.ts';
import type { Database } from '../postgres/db.ts';
import { importInBulk } from './bulk-import.ts';
import { type EmptiedField, openEmptiedValues } from './emptied-values.ts';
import { openRehearsals, type Rehearsal } from './file-rehearsal.ts';
import type { ImportReport } from './import-report.ts';
import type { Rejection } from './import-request.ts';
import { requireImporter } from './importer.ts';
import { compileMapping, type ImportPlan, planAfter } from './mapping/compile-mapping.ts';
import { type Mapping, readMappingFile } from './mapping/mapping.ts';
import { presetMapping } from './mapping/preset-mapping.ts';
import { openProblemGroups, type ProblemGroup } from './problem-groups.ts';
import { openProgress, type ProgressOutput } from './progress.ts';
import { layoutOf, openRejectFile, type RejectFile } from './reject-file.ts';
import { idsOf } from './rows/line-ids.ts';
import {
  ENDINGS_TEXT,
  type FileSummary,
  formatOfFile,
  inspectFile,
  type SourceFile,
  type WrittenChoices,
} from './rows/read-rows.ts';
import type { Subject } from './rows/row-subject.ts';
import { runImport } from './run-import.ts';
import { type ChangedField, openSpreadsheetMarks } from './spreadsheet-marks.ts';

export interface FileImport {
  readonly workspace: Pick<WorkspaceRow, 'id' | 'slug'>;
  readonly file: string;
  /** The path of the mapping; without it the columns go to the fields of the same name. */
  readonly mapping: string | undefined;
  /** The program that wrote the file, or `auto`: the mapping is the one that is found. */
  readonly preset?: string | undefined;
  /** These two override the mapping. */
  readonly objectType: string | undefined;
  readonly match: readonly string[] | undefined;
  /** The rows are links of this relationship of the object. */
  readonly relationship?: string | undefined;
  /** Override the mapping and the name of the file. */
  readonly written?: WrittenChoices;
  /** True: an apostrophe before what looks like a formula belongs to the text. */
  readonly raw?: boolean;
  readonly dryRun: boolean;
  /** True: records that are there are left alone. */
  readonly onlyNew?: boolean;
  /** True: new records get the initial status of their workflow. */
  readonly noStatus?: boolean;
  /** True: in one transaction, into an object that has no record. */
  readonly bulk?: boolean;
  readonly rejectFile: string | undefined;
  /** E-mail of the administrator who imports; by default the first one. */
  readonly user: string | undefined;
  readonly output: ProgressOutput;
  readonly onReject?: (rejection: Rejection) => void;
}

/** The type of a file, and its target: the same for the command and for jobs. */
export interface ImportSource {
  readonly file: SourceFile;
  readonly mapping: Mapping;
  /** The name of the mapping in messages. */
  readonly mappingName: string;
  /** True: the file has no statuses. */
  readonly noStatus: boolean;
}

export interface FileImportReport extends ImportReport {
  readonly object_type: string;
  /** Records of the object, comments on them, or their links. */
  readonly rows_are: Subject['kind'];
  readonly seconds: number;
  /** Columns of the file that were not imported. */
  readonly unused_columns: readonly string[];
  /** Content of the file that is in no row. */
  readonly left_out: FileSummary['leftOut'];
  /** The problems of most of the rejected rows. */
  readonly problem_groups: readonly ProblemGroup[];
  /** Values that name nothing or do not fit, without which rows are written. */
  readonly emptied_values: readonly EmptiedField[];
  /** Of a dry run: values that a spreadsheet may have changed. */
  readonly changed_values: readonly ChangedField[];
}

/** Import one file. Whatever keeps the whole file from being imported is an operator error. */
export async function importFile(db: Database, request: FileImport): Promise<FileImportReport> {
  const { value } = await importFiles(db, [request]).next();
  return value as FileImportReport;
}

/**
 * Import files one after the other: rows may refer to records of files before theirs, also in a dry run. All are read
 * and their mappings compiled before anything is written. They share workspace, person and `dryRun`. Answers the report
 * of each file when it is done.
 */
export async function* importFiles(
  db: Database,
  requests: readonly [FileImport, ...FileImport[]],
): AsyncGenerator<FileImportReport, void, undefined> {
  const [{ workspace, user, dryRun }] = requests;
  const startedAt = performance.now();
  const sources: ReadFile[] = [];
  const model = await requireModel(db, workspace);
  for (const request of requests) sources.push(await readSource(model, request));
  const plans = planFiles(model, sources);
  const caller = await requireImporter(db, model, user);
  const rehearsalOf = dryRun ? openRehearsals(plans) : () => undefined;
  const context = { db, model, caller, requestId: null };
  let seconds = (performance.now() - startedAt) / 1000;
  for (const [index, source] of sources.entries()) {
    const plan = plans[index] as ImportPlan;
    const planned = { ...source, plan, rehearsal: rehearsalOf(plan), requests };
    const report = await importPlanned(context, planned);
    yield { ...report, seconds: report.seconds + seconds };
    seconds = 0;
  }
}

interface ReadFile extends ImportSource {
  readonly request: FileImport;
  readonly summary: FileSummary;
}

async function readSource(model: WorkspaceModel, request: FileImport): Promise<ReadFile> {
  const mapping =
    request.preset === undefined ? readMapping(request) : await presetMapping(model, request);
  const { raw = false, noStatus = false } = request;
  const file = { path: request.file, format: await requireFormat(request, mapping), raw };
  const mappingName = request.mapping ?? request.file;
  return { request, file, mapping, mappingName, noStatus, summary: await inspectFile(file) };
}

interface PlannedFile extends ReadFile {
  readonly plan: ImportPlan;
  readonly rehearsal: Rehearsal | undefined;
  /** The requests of all files. */
  readonly requests: readonly FileImport[];
}

async function importPlanned(
  context: WriteContext,
  { request, file, summary, plan, rehearsal, requests }: PlannedFile,
): Promise<FileImportReport> {
  const startedAt = performance.now();
  const { subject, unused } = plan;
  const progress = openProgress(request.output, plan.object.object_type, summary.rows);
  const rejects = openRejects(request, requests, layoutOf(file, summary));
  const groups = openProblemGroups();
  const emptied = openEmptiedValues();
  let done = 0;
  try {
    const marks = rehearsal && (await openSpreadsheetMarks(context, plan));
    const report = await (request.bulk === true ? importInBulk : runImport)({
      ...{ context, file, plan, rehearsal, marks },
      kept: request.onlyNew === true ? 'record' : 'status',
      onEmptied: emptied.add,
      onProgress(count) {
        done = count;
        progress.update(count);
      },
      onReject(rejection) {
        rejects?.write(rejection);
        groups.add(rejection.row.line, rejection.problems);
        request.onReject?.(rejection);
      },
    });
    const about = { object_type: subject.of.object_type, rows_are: subject.kind };
    const seconds = (performance.now() - startedAt) / 1000;
    const found = {
      ...{ problem_groups: groups.most(), emptied_values: emptied.list() },
      changed_values: marks?.found() ?? [],
    };
    const not_imported = { unused_columns: unused, left_out: summary.leftOut };
    return { ...report, ...about, seconds, ...not_imported, ...found };
  } catch (error) {
    throw isOperatorError(error) ? error : explainStop(error, request, done);
  } finally {
    progress.finish();
    rejects?.close();
  }
}

/** The plans of files that are imported in this order. Errors: of an operator. */
export function planFiles(
  model: WorkspaceModel,
  sources: readonly (ImportSource & { readonly summary: FileSummary })[],
): readonly ImportPlan[] {
  const plans: ImportPlan[] = [];
  for (const source of sources) plans.push(planAfter(planImport(model, source), plans));
  return plans;
}

/** Bind a mapping to the workspace and to the file. */
function planImport(
  model: WorkspaceModel,
  {
    file,
    mapping: written,
    mappingName,
    noStatus,
    summary,
  }: ImportSource & { readonly summary: FileSummary },
): ImportPlan {
  const mapping = keepIds(written, summary);
  const compiled = compileMapping(model, mapping, summary.columns, mappingName);
  const isIdentified = compiled.match.length > 0 || compiled.subject.kind !== 'records';
  const source = JSON.stringify([summary.digest, mapping, file.format, file.raw ?? false]);
  const idOfLine = isIdentified ? undefined : idsOf(source);
  return { ...compiled, noStatus, idOfLine };
}

function explainStop(error: unknown, { file, bulk }: FileImport, done: number): Error {
  const hint =
    bulk === true
      ? 'Nothing was written.'
      : 'Run it again: rows that are there already are recognised.';
  const isUnavailable = error instanceof ApiError && error.code === 'service_unavailable';
  const reason = isUnavailable ? 'the database does not answer' : String(error);
  return operatorError(
    `The import of ${file} stopped after ${done} rows: ${reason}. ${hint}`,
    error,
  );
}

function readMapping(request: FileImport): Mapping {
  const { mapping: path, match, written, relationship, objectType } = request;
  const document: Mapping = path === undefined ? {} : readMappingFile(path);
  const mapping = {
    ...document,
    ...written,
    ...(match === undefined ? {} : { match: [...match] }),
  };
  const isNamed = mapping.comments_on !== undefined || mapping.links_of !== undefined;
  if (isNamed && objectType === undefined) return mapping;
  const object_type = objectType ?? mapping.object_type;
  if (object_type === undefined) {
    const place = path === undefined ? '' : ` or in ${path} (object_type)`;
    throw operatorError(`Say which object the rows are: --object TYPE${place}.`);
  }
  if (relationship === undefined) return { ...mapping, object_type };
  return { ...document, ...written, links_of: object_type, relationship };
}

/** Rows that bring ids are known by them, unless the mapping says otherwise. */
function keepIds(mapping: Mapping, { hasIds }: FileSummary): Mapping {
  const { columns, match, object_type } = mapping;
  if (match !== undefined || object_type === undefined) return mapping;
  const targets = columns === undefined ? undefined : Object.values(columns).flat();
  const brings = targets?.some(({ field }) => field === 'id') ?? hasIds;
  return brings ? { ...mapping, match: ['id'] } : mapping;
}

function openRejects(
  { rejectFile }: FileImport,
  requests: readonly FileImport[],
  layout: RejectLayout,
): RejectFile | undefined {
  if (rejectFile === undefined) return undefined;
  const sources = requests.flatMap(({ file, mapping }) => [file, mapping ?? []].flat());
  return openRejectFile(rejectFile, { sources, layout });
}

async function requireFormat({ file, written }: FileImport, mapping: Mapping) {
  const format = await formatOfFile(file, mapping, written?.encoding);
  if (format !== undefined) return format;
  throw operatorError(`${file}: the name must end in ${ENDINGS_TEXT}.`);
}
