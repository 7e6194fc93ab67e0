// Imports over HTTP (D248 to D252): starting one, and the rows that were not imported, for a person to correct and
// import again. The work is a job, import/import-job.ts.

import Type from 'typebox';
import { type FileOfJob, loadRejects } from '../../control/jobs/import-rows.ts';
import { IMPORT_JOBS, type ImportedFile, type ImportInput } from '../../control/jobs/job-kinds.ts';
import type { JobRow } from '../../control/jobs/jobs.ts';
import { loadSentFile, prolongFile } from '../../control/stored/files.ts';
import { ApiError } from '../../errors.ts';
import { askedBy, requestJob } from '../../flow/jobs/job-requests.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import {
  type Caller,
  hasOneScope,
  lacksScope,
  requireAdministrator,
} from '../../model/rights/access.ts';
import { ImportMapping } from '../../model/text/mapping-shape.ts';
import { type RejectLayout, rejectHeader, rejectLine } from '../../model/text/reject-text.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import { defineRoute } from '../context.ts';
import { closed, responseOf } from '../shapes.ts';
import { replyOf } from '../write/write-reply.ts';
import { fileReply } from './downloads.ts';
import { MEDIA_TYPES } from './file-routes.ts';
import { JobParams, requireJob } from './job-routes.ts';
import { answerWithJob, JobSummary } from './job-shapes.ts';

const flag = (description: string) => Type.Boolean({ default: false, description });

const FileId = Type.String({ minLength: 1, maxLength: LIMITS.idLength });

export const startImport = defineRoute({
  method: 'POST',
  path: '/imports',
  operationId: 'startImport',
  tag: 'Imports',
  summary: 'Import files',
  description: [
    'Starts a job with the rights of the user, who must be and remain an administrator.',
    '`GET /jobs/{job_id}` shows the progress. Each row is imported once, even if the process crashes.',
    '`mapping` says how the columns of the file become fields. With `files` in place of `file_id` and `mapping`,',
    'several files are imported one after the other: rows may refer to records of earlier files.',
  ].join(' '),
  scope: ['records:write', 'comments:write'],
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      file_id: Type.Optional(FileId),
      mapping: Type.Optional(ImportMapping),
      files: Type.Optional(
        Type.Array(Type.Object({ file_id: FileId, mapping: ImportMapping }, closed), {
          minItems: 1,
          maxItems: LIMITS.importFiles,
          description: 'The files, in the order in which they are imported.',
        }),
      ),
      dry_run: flag('Check everything, but write nothing.'),
      raw: flag('CSV: keep an apostrophe before text that looks like a formula.'),
      only_new: flag('Do not change existing records.'),
      no_status: flag('Ignore the status: new records get the initial one.'),
    },
    closed,
  ),
  idempotent: true,
  status: 202,
  result: responseOf(JobSummary),
  errors: [
    'validation_failed',
    'permission_denied',
    'object_not_available',
    'comments_not_supported',
    'record_not_found',
    'conflict',
  ],
  async handle({ caller, model, body, claim, requestId }, { db }) {
    requireAdministrator(caller);
    const { file_id: _id, mapping: _mapping, files: _files, ...options } = body;
    const wanted = requestedFiles(body).map((file) => ({
      ...{ ...file, subject: requireSubject(model, caller, file) },
    }));
    const sentKeys = Object.entries(body).flatMap(([key, value]) => (value === false ? [] : [key]));
    const prepare = async (tx: Queryable) => {
      const files: ImportInput['files'][number][] = [];
      for (const { mapping, subject, ...file } of wanted) {
        files.push({ ...(await takeFile(tx, { model, caller }, file)), ...subject, mapping });
      }
      const input = { ...askedBy(caller, requestId), ...options, ...shownOf(files), files };
      return { kind: IMPORT_JOBS, input, sent: body, asked: sentKeys } as const;
    };
    return replyOf(await requestJob({ db, model, caller, claim }, prepare, answerWithJob));
  },
});

interface ImportBody {
  readonly file_id?: string;
  readonly mapping?: Mapping;
  readonly files?: readonly { readonly file_id: string; readonly mapping: Mapping }[];
}

type Mapping = Type.Static<typeof ImportMapping>;

/** A file to import. */
interface RequestedFile {
  readonly file_id: string;
  readonly mapping: Mapping;
  /** The place in the body: the prefix of the names of its values. */
  readonly at: string;
}

function requestedFiles({ file_id, mapping, files }: ImportBody): readonly RequestedFile[] {
  const missing = (param: string, message: Message) =>
    new ApiError('validation_failed', { param, message });
  if (files !== undefined) {
    if (file_id === undefined && mapping === undefined) {
      return files.map((file, index) => ({ ...file, at: `files[${index}].` }));
    }
    throw missing('files', say('files_or_file'));
  }
  if (file_id === undefined) throw missing('file_id', say('value_or_files_missing'));
  if (mapping === undefined) throw missing('mapping', say('value_missing'));
  return [{ file_id, mapping, at: '' }];
}

/** The part of the files that a list of jobs shows: one file, or their number. */
function shownOf(files: ImportInput['files']): Partial<ImportedFile> & { file_count?: number } {
  const [only, another] = files;
  if (only === undefined || another !== undefined) return { file_count: files.length };
  const { mapping: _, ...file } = only;
  return file;
}

type Subject = Pick<ImportedFile, (typeof SUBJECTS)[number]>;
const SUBJECTS = ['object_type', 'comments_on', 'links_of'] as const;

/** The kind of the rows; needs the scope for it, and for the records that references are looked up in. */
function requireSubject(
  model: WorkspaceModel,
  caller: Caller,
  { mapping, at }: Pick<RequestedFile, 'mapping' | 'at'>,
): Subject {
  const [key = 'object_type', other] = SUBJECTS.filter((one) => mapping[one] !== undefined);
  const name = mapping[key];
  if (name === undefined || other !== undefined) {
    const message = say('one_subject', { subjects: SUBJECTS.join(', ') });
    throw new ApiError('validation_failed', { param: `${at}mapping.object_type`, message });
  }
  const writes = key === 'comments_on' ? 'comments:write' : 'records:write';
  for (const needed of ['records:read', writes] as const) {
    if (!hasOneScope(caller, [needed])) throw lacksScope([needed]);
  }
  const param = `${at}mapping.${key}`;
  const object = model.objects.get(name);
  if (object === undefined) throw new ApiError('object_not_available', { param });
  requireObject(model, caller, object.object_type);
  if (key === 'comments_on' && !object.commentable) {
    throw new ApiError('comments_not_supported', { param });
  }
  return { [key]: name };
}

interface Owner {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
}

/** A file that the caller has sent; it is kept for a day from now on. */
async function takeFile(
  db: Queryable,
  { model, caller }: Owner,
  { file_id, at }: Pick<RequestedFile, 'file_id' | 'at'>,
): Promise<ImportedFile> {
  const owner = { workspace_id: model.workspace.id, user_id: caller.user.id };
  const id = parseRecordId(file_id);
  const file = id === undefined ? undefined : await loadSentFile(db, owner, id);
  if (file === undefined) {
    const message = say('sent_file_not_found');
    throw new ApiError('record_not_found', { param: `${at}file_id`, message });
  }
  await prolongFile(db, file.id);
  return { file_id: file.id, file_name: file.name };
}

export const getRejects = defineRoute({
  method: 'GET',
  path: '/imports/{job_id}/rejects',
  operationId: 'getRejects',
  tag: 'Imports',
  summary: 'Download the rows that were not imported',
  description: [
    'The file has the format of the import, and is only for the person who started it, until a day after',
    'its end. The columns `_line`, `_field` and `_reason` give the problem of each row. Imports ignore them,',
    'so you can correct the file and import it again without `raw`.',
    'Of an import of several files it has the rows of one of them.',
  ].join(' '),
  scope: ['records:write', 'comments:write'],
  params: JobParams,
  query: Type.Object(
    {
      file: Type.Integer({
        minimum: 1,
        maximum: LIMITS.importFiles,
        default: 1,
        description: 'The number of the file in the import, from 1.',
      }),
    },
    closed,
  ),
  status: 200,
  result: Type.String(),
  givesFile: [MEDIA_TYPES.csv, MEDIA_TYPES.jsonl],
  errors: ['validation_failed', 'permission_denied', 'record_not_found'],
  async handle({ caller, model, params, query }, { db }) {
    requireAdministrator(caller);
    if (!hasOneScope(caller, ['records:read'])) throw lacksScope(['records:read']);
    const own = { workspace_id: model.workspace.id, asked_by_user_id: caller.user.id };
    const row = await requireJob(db, { ...own, kind: IMPORT_JOBS }, params.job_id);
    const file = query.file - 1;
    const layout = layoutOf(row, file);
    const format = layout.kind === 'csv' ? 'csv' : 'jsonl';
    const number = file === 0 ? '' : `-${query.file}`;
    return fileReply({
      name: `rejects-${row.id}${number}.${format}`,
      type: MEDIA_TYPES[format],
      bytes: undefined,
      pieces: () => rejectPieces(db, { job_id: row.id, file }, layout),
    });
  },
});

/** Rows that are read and written at once. */
const PAGE = 500;
const KEPT_MS = 24 * 3600_000;

function layoutOf({ progress, finished_at }: JobRow, file: number): RejectLayout {
  const { files = [] } = progress as { readonly files?: readonly { layout: RejectLayout }[] };
  const layout = files[file]?.layout;
  const isKept = finished_at === null || Date.parse(finished_at) > Date.now() - KEPT_MS;
  if (layout !== undefined && isKept) return layout;
  const message = say('rejects_not_found');
  const param = layout === undefined && files.length > 0 ? 'file' : 'job_id';
  throw new ApiError('record_not_found', { param, message });
}

async function* rejectPieces(
  db: Queryable,
  file: FileOfJob,
  layout: RejectLayout,
): AsyncGenerator<string> {
  yield rejectHeader(layout);
  for (let after = 0; ; ) {
    const rows = await loadRejects(db, file, { after, limit: PAGE });
    yield rows.map((row) => rejectLine(layout, row)).join('');
    if (rows.length < PAGE) return;
    after = rows[rows.length - 1]?.line ?? after;
  }
}
