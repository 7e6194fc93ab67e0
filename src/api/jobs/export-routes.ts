// Exports over HTTP (D248, D253): starting one, and its file. The author gets the records they may read, and only the
// author gets the file. The work is a job, export/export-job.ts.

import Type from 'typebox';
import {
  EXPORT_JOBS,
  type ExportInput,
  WORKSPACE_EXPORT_JOBS,
} from '../../control/jobs/job-kinds.ts';
import type { JobRow } from '../../control/jobs/jobs.ts';
import { loadKeptArchive } from '../../control/jobs/workspace-archives.ts';
import { loadChangesMoment } from '../../control/process/moments.ts';
import { loadExportFile } from '../../control/stored/files.ts';
import { ApiError } from '../../errors.ts';
import { askedBy, requestJob } from '../../flow/jobs/job-requests.ts';
import { requireWholeWorkspace } from '../../flow/jobs/workspace-export-request.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { requireContactFields } from '../../model/definition/contact-fields.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { plainKey } from '../../model/definition/storage-key.ts';
import { type Caller, findRelationship } from '../../model/rights/access.ts';
import { hasReadRights } from '../../model/rights/read-rights.ts';
import { eventIdAt } from '../../plan/events/event-id.ts';
import { selectedParts } from '../../plan/read/question.ts';
import { planList, readableFields, requireObject } from '../../plan/read/read-plan.ts';
import { parseRecordQuery, parseSort } from '../../plan/read/record-query.ts';
import { archiveName } from '../../workspaces/export-format.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { selectingBody } from '../read/question-shapes.ts';
import { sortBody } from '../read/record-read-routes.ts';
import { ObjectType } from '../record-shapes.ts';
import { closed, responseOf } from '../shapes.ts';
import { replyOf } from '../write/write-reply.ts';
import { type Download, fileReply } from './downloads.ts';
import { MEDIA_TYPES, storedDownload } from './file-routes.ts';
import { JobParams, noJob, requireJob, visibleTo } from './job-routes.ts';
import { answerWithJob, JobSummary } from './job-shapes.ts';

const MOST_FIELDS = 1000;
const ARCHIVE_TYPE = 'application/gzip';

export const startExport = defineRoute({
  method: 'POST',
  path: '/exports',
  operationId: 'startExport',
  tag: 'Imports',
  summary: 'Export records to a file',
  description: [
    'Starts a job that exports the records of an object as of one moment, as far as the user may read',
    'them. The file is at `GET /exports/{job_id}/file` for a day. To keep a copy up to date, load the file and follow',
    '`GET /changes` from the `changes_cursor` of the job.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      object_type: ObjectType,
      format: Type.Enum(['csv', 'jsonl', 'xlsx', 'vcf'], { default: 'csv' }),
      relationship: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: LIMITS.associationIdLength,
          description:
            'The links of this relationship instead of the records: two ids in each row.',
        }),
      ),
      ...selectingBody,
      fields: Type.Optional(
        Type.Array(Type.String(), {
          minItems: 1,
          maxItems: MOST_FIELDS,
          description:
            'Keys in this order, with or without `custom_fields.`; everything that can be read when left out.',
        }),
      ),
      sort: sortBody,
      raw: Type.Boolean({
        default: false,
        description: 'CSV: leave text alone that a spreadsheet would take for a formula.',
      }),
      bom: Type.Boolean({
        default: false,
        description: 'CSV: start with a byte-order mark, so that Excel reads UTF-8.',
      }),
      names: Type.Boolean({
        default: false,
        description:
          'CSV and Excel: labels of options and names of records, which an import reads back, and not values and ids.',
      }),
      user_ids: Type.Boolean({
        default: false,
        description: 'People by their ids, as records have them, and not by their e-mails.',
      }),
    },
    closed,
  ),
  idempotent: true,
  status: 202,
  result: responseOf(JobSummary),
  errors: [
    'validation_failed',
    'invalid_filter',
    'permission_denied',
    'object_not_available',
    'search_not_supported',
    'conflict',
  ],
  async handle({ caller, model, body, claim, requestId }, { db }) {
    const { object_type, query: text, filters = {}, where, timezone, fields } = body;
    const sort = parseSort(body.sort, []);
    const source = { ...selectedParts(body), fields: fields?.map(plainKey), sort };
    const { object, query } = parseRecordQuery(source, () =>
      requireObject(model, caller, object_type),
    );
    // Refuses now the requests that the job would refuse.
    planList(model, caller, object, { endpoint: 'export', query, limit: 1, cursor: undefined });
    if (body.format === 'vcf') {
      requireContactFields(body.relationship === undefined ? readableFields(caller, object) : []);
    }
    requireLinks(model, caller, object, body.relationship);
    const moment = await loadChangesMoment(db, model.schema);
    const input: ExportInput = {
      ...askedBy(caller, requestId),
      changes_cursor: eventIdAt({ caller, model }, moment),
      ...{
        object_type,
        format: body.format,
        raw: body.raw,
        bom: body.bom,
        names: body.names,
        user_ids: body.user_ids,
        filters,
        sort,
      },
      ...(body.relationship === undefined ? {} : { relationship: body.relationship }),
      ...(text === undefined ? {} : { query: text }),
      ...(where === undefined ? {} : { where }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(fields === undefined ? {} : { fields }),
    };
    const asked = Object.entries(body).flatMap(([key, value]) => (value === false ? [] : [key]));
    const request = async () => ({ kind: EXPORT_JOBS, input, asked }) as const;
    return replyOf(await requestJob({ db, model, caller, claim }, request, answerWithJob));
  },
});

function requireLinks(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  id: string | undefined,
): void {
  const found = id === undefined ? undefined : findRelationship(model, caller, object, id);
  if (id === undefined || found?.relationship.via.kind === 'link') return;
  const message = say('links_not_exportable');
  throw new ApiError('validation_failed', { param: 'relationship', message });
}

export const getExportFile = defineRoute({
  method: 'GET',
  path: '/exports/{job_id}/file',
  operationId: 'getExportFile',
  tag: 'Imports',
  summary: 'Download the file of an export',
  description: [
    'The file is available for a day. The file of an export of records is only for the person who started it, and',
    'only while they may still read everything in it. The file of an export of a whole workspace is for',
    'administrators, with the scopes that such an export needs.',
  ].join(' '),
  scope: 'records:read',
  params: JobParams,
  query: Type.Object({}, closed),
  status: 200,
  result: Type.String(),
  givesFile: [MEDIA_TYPES.csv, MEDIA_TYPES.jsonl, MEDIA_TYPES.xlsx, MEDIA_TYPES.vcf, ARCHIVE_TYPE],
  errors: ['permission_denied', 'record_not_found', 'conflict'],
  async handle({ caller, model, params }, { db, files }) {
    const row = await requireJob(db, visibleTo(caller, model), params.job_id);
    if (row.kind === WORKSPACE_EXPORT_JOBS) {
      requireWholeWorkspace(caller);
      requireEnd(row);
      return fileReply(await requireArchive({ db, files }, model, row));
    }
    if (row.kind !== EXPORT_JOBS || row.asked_by_user_id !== caller.user.id) throw noJob();
    requireEnd(row);
    const file = await loadExportFile(db, row.id);
    if (file === undefined) throw hasExpired();
    if (!hasReadRights(model, caller, file.rights)) {
      throw new ApiError('permission_denied', { message: say('export_rights_changed') });
    }
    return fileReply(storedDownload(db, file));
  },
});

function requireEnd({ state }: JobRow): void {
  if (state === 'done') return;
  throw new ApiError('conflict', { message: say('export_without_file', { state }) });
}

/** Opens the archive before the answer begins. Errors: `record_not_found`. */
async function requireArchive(
  { db, files }: Pick<ApiContext, 'db' | 'files'>,
  { workspace }: WorkspaceModel,
  { id, finished_at }: JobRow,
): Promise<Download> {
  const kept = await loadKeptArchive(db, id);
  if (kept === undefined) throw hasExpired();
  const { bytes, archive_id } = kept;
  const at = { workspace: workspace.id, id: archive_id };
  const found = await files.open(at, { start: 0, end: bytes - 1 });
  if (found === undefined) throw hasExpired();
  const name = archiveName(workspace.slug, String(finished_at));
  return { name, type: ARCHIVE_TYPE, bytes, ...found };
}

function hasExpired(): ApiError {
  return new ApiError('record_not_found', { param: 'job_id', message: say('export_file_expired') });
}
