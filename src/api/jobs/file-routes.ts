// Uploads over HTTP: files for fields of records, stored as they arrive, and files for imports, kept for a day (D248).
// Parsing and presenting.

import Type from 'typebox';
import {
  appendFile,
  appendPiece,
  FILE_FORMATS,
  type FileFormat,
  loadFileBytes,
  loadPieces,
  PIECE_BYTES,
  type StoredFile,
} from '../../control/stored/files.ts';
import { ApiError } from '../../errors.ts';
import { type UploadedFile, uploadFile } from '../../flow/files/upload-file.ts';
import { answerOnce } from '../../flow/records/keyed-requests.ts';
import type { ArrivingFile, Reply, RouteRequest, SentFile } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { hasOneScope, lacksScope, requireAdministrator } from '../../model/rights/access.ts';
import { planUpload, requireFileName } from '../../plan/write/file-rules.ts';
import type { Database, Queryable } from '../../postgres/db.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { ObjectType } from '../record-shapes.ts';
import { closed, responseOf } from '../shapes.ts';
import { replyOf } from '../write/write-reply.ts';
import type { Download } from './downloads.ts';

export const MEDIA_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  vcf: 'text/vcard',
  ldif: 'text/x-ldif',
};
const FORMATS: ReadonlyMap<string, FileFormat> = new Map([
  ...Object.entries(MEDIA_TYPES).map(([format, type]) => [type, format as FileFormat] as const),
  ['application/jsonl', 'jsonl'],
  ['text/x-vcard', 'vcf'],
]);

/** A file that was uploaded for a field: nothing has it yet. */
const UploadedFileShape = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    type: Type.String({ description: 'The media type with which the file was sent.' }),
    size: Type.Integer({ description: 'The size in bytes.' }),
    sha256: Type.String({ description: 'The SHA-256 of the bytes, in hexadecimal digits.' }),
  },
  { $id: 'UploadedFile' },
);

const StoredFileShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    format: Type.Enum([...FILE_FORMATS]),
    bytes: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'An import of the file extends this to one day after the import ends.',
    }),
  },
  { $id: 'StoredFile' },
);

export const sendFile = defineRoute({
  method: 'POST',
  path: '/files',
  operationId: 'sendFile',
  tag: 'Imports',
  summary: 'Upload a file for a field or an import',
  description: [
    'The body is the file. `purpose=field`: any media type, for a field of type `file`; set the field to the `id` within',
    '24 hours. `object_type` and `field` have the type and the size checked before anything is stored. `purpose=import`:',
    'a file of an import, whose media type names its format; only the administrator who sent it can import it.',
  ].join(' '),
  scope: ['records:write', 'comments:write'],
  params: Type.Object({}, closed),
  query: Type.Object(
    {
      purpose: Type.Enum(['import', 'field'], { default: 'import' }),
      name: Type.String({
        minLength: 1,
        maxLength: LIMITS.fileNameLength,
        pattern: '^[^\\p{Cc}\\p{Cs}]+$',
        default: 'file',
        description: 'The name of the file; directories before it are left out.',
      }),
      object_type: Type.Optional(ObjectType),
      field: Type.Optional(
        Type.String({ minLength: 1, maxLength: 50, description: 'The key of the field.' }),
      ),
    },
    closed,
  ),
  takesFile: {
    types: [...FORMATS.keys()],
    limit: LIMITS.sentFileBytes,
    arrives: ({ purpose }) => purpose === 'field',
  },
  idempotent: true,
  status: 201,
  result: responseOf(Type.Union([StoredFileShape, UploadedFileShape])),
  errors: ['validation_failed', 'permission_denied', 'object_not_available', 'conflict'],
  async handle(request, context) {
    const isForField = request.query.purpose === 'field';
    return isForField ? uploadForField(request, context) : sendForImport(request, context);
  },
});

type Sending = Pick<
  RouteRequest<
    unknown,
    { readonly name: string; readonly object_type?: string; readonly field?: string },
    unknown
  >,
  'caller' | 'model' | 'query' | 'body' | 'claim'
>;

async function uploadForField(
  { caller, model, query, body, claim }: Sending,
  { db, files, config }: ApiContext,
): Promise<Reply> {
  if (!hasOneScope(caller, ['records:write'])) throw lacksScope(['records:write']);
  const rules = planUpload(model, caller, query);
  const name = requireFileName(query.name);
  const context = { db, model, caller, store: files, quota: config.filesQuotaBytes };
  const upload = { name, rules, file: body as ArrivingFile, claim };
  const present = (file: UploadedFile) => ({ status: 201, body: { data: file }, fields: [] });
  return replyOf(await uploadFile(context, upload, present));
}

async function sendForImport(
  { caller, model, query, body, claim }: Sending,
  { db }: ApiContext,
): Promise<Reply> {
  requireAdministrator(caller);
  const { type, bytes } = body as SentFile;
  if (bytes.length === 0) {
    throw new ApiError('validation_failed', { message: say('file_empty') });
  }
  const file = {
    workspace_id: model.workspace.id,
    user_id: caller.user.id,
    name: query.name,
    format: FORMATS.get(type) as FileFormat,
    bytes: bytes.length,
  };
  const answer = await answerOnce({ db, model, caller, claim }, async (tx) => {
    await requireRoom(tx, file.workspace_id, bytes.length);
    const added = await appendFile(tx, file);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      await appendPiece(tx, added.id, at / PIECE_BYTES, piece);
    }
    return { status: 201, body: { data: presentFile(added) }, fields: [] };
  });
  return replyOf(answer);
}

async function requireRoom(db: Queryable, workspaceId: number, bytes: number): Promise<void> {
  const kept = await loadFileBytes(db, workspaceId);
  if (kept + bytes <= LIMITS.filesOfWorkspaceBytes) return;
  const message = say('too_many_files');
  throw new ApiError('conflict', {
    message,
    details: { limit_bytes: LIMITS.filesOfWorkspaceBytes },
  });
}

function presentFile(stored: StoredFile) {
  const { user_id: _, ...file } = stored;
  return file;
}

/** The pieces of a stored file. */
export function storedDownload(db: Database, file: StoredFile): Download {
  return {
    name: file.name,
    type: MEDIA_TYPES[file.format],
    bytes: file.bytes,
    pieces: () => loadPieces(db, file.id),
  };
}
