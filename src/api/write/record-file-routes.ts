// Files of records over HTTP: the download. The upload shares its path with files for imports (file-routes.ts).

import Type from 'typebox';
import { ApiError } from '../../errors.ts';
import type { StoredAt } from '../../files/stored-bytes.ts';
import { readRecord } from '../../flow/records/read/read-flow.ts';
import { say } from '../../messages/message.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import type { FileValue } from '../../model/fields/file-field.ts';
import { type Caller, canReadField } from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { fileIn } from '../../plan/write/file-values.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { attachment, recordFileReply } from '../jobs/downloads.ts';
import { ObjectType, RecordId } from '../record-shapes.ts';
import { closed } from '../shapes.ts';

export const getRecordFile = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records/{record_id}/files/{field}/{file_id}',
  operationId: 'getRecordFile',
  tag: 'Files',
  summary: 'Download a file of a record',
  description: [
    'The bytes as they were uploaded, for callers who may read the field of the record now. A `Range` of one part',
    'answers 206; `If-Range` and `If-None-Match` take the `ETag`. With `redirect=true` and files in a bucket the',
    'answer is 302 to an address that is valid for a minute.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object(
    {
      object_type: ObjectType,
      record_id: RecordId,
      field: Type.String({ minLength: 1, maxLength: 50 }),
      file_id: Type.String({ minLength: 1, maxLength: 200 }),
    },
    closed,
  ),
  query: Type.Object({ redirect: Type.Enum(['true', 'false'], { default: 'false' }) }, closed),
  status: 200,
  result: Type.String(),
  givesFile: ['application/octet-stream'],
  ranges: true,
  redirects: true,
  etag: true,
  errors: [
    'validation_failed',
    'object_not_available',
    'record_not_found',
    'range_not_satisfiable',
  ],
  malformedPathIsNotFound: true,
  async handle({ caller, model, params, query, range, ifRange, ifNoneMatch }, { db, files }) {
    const object = requireObject(model, caller, params.object_type);
    const find = () => requireFile({ db, model, caller }, object, params);
    const file = await find();
    const at = { workspace: model.workspace.id, id: file.id };
    if (query.redirect === 'true') {
      const headers = { type: file.type, disposition: attachment(file.name) };
      const address = await files.addressOf(at, headers);
      if (address !== undefined) return redirectTo(address);
    }
    return recordFileReply(file, { range, ifRange, ifNoneMatch }, async (part) => {
      return (await files.open(at, part)) ?? lostBytes(at, find);
    });
  },
});

interface Place {
  readonly record_id: string;
  readonly field: string;
  readonly file_id: string;
}

/** The file as the record has it now. Errors: `record_not_found`, whatever of it is not there for the caller. */
async function requireFile(
  { db, model, caller }: Pick<ApiContext, 'db'> & Parameters<typeof readRecord>[0],
  object: ObjectModel,
  { record_id, field: key, file_id }: Place,
): Promise<FileValue> {
  const field = readableField(caller as Caller, object, key);
  if (field === undefined) throw noFile();
  const { row } = await readRecord({ db, model, caller }, object, { id: record_id, fields: [key] });
  const file = fileIn(row[field.column], parseRecordId(file_id) ?? '');
  if (file === undefined) throw noFile();
  return file;
}

/** An erasure may have removed the file meanwhile. Any other loss is a failure of the service, which is logged (D598). */
async function lostBytes(
  { workspace, id }: StoredAt,
  find: () => Promise<unknown>,
): Promise<never> {
  await find();
  throw new Error(
    `the bytes of file ${id} of workspace ${workspace} are not in the store of files`,
  );
}

function readableField(caller: Caller, object: ObjectModel, key: string) {
  return object.file_fields.find((one) => one.key === key && canReadField(caller, object, one));
}

function noFile(): ApiError {
  return new ApiError('record_not_found', { param: 'file_id', message: say('file_not_found') });
}

/** The address opens the file without a key, so it may not be kept. */
function redirectTo(address: string) {
  return { status: 302, body: {}, headers: { Location: address, 'Cache-Control': 'no-store' } };
}
