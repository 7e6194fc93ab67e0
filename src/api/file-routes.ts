// Files over HTTP (D248): sent as they are, kept for imports for a day. Parsing and presenting, and the pieces of a
// file as a stream.

import Type from 'typebox';
import {
  appendFile,
  appendPiece,
  type FileFormat,
  loadFileBytes,
  loadPieces,
  PIECE_BYTES,
  type StoredFile,
} from '../control/files.ts';
import { ApiError } from '../errors.ts';
import { answerOnce } from '../flow/records/keyed-requests.ts';
import type { SentFile, StreamReply } from '../http/route.ts';
import { LIMITS } from '../limits.ts';
import { requireAdministrator } from '../model/access.ts';
import type { Database, Queryable } from '../postgres/db.ts';
import { defineRoute } from './context.ts';
import { closed, responseOf } from './shapes.ts';
import { replyOf } from './write-reply.ts';

export const MEDIA_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  jsonl: 'application/x-ndjson',
};
const FORMATS: ReadonlyMap<string, FileFormat> = new Map([
  ...Object.entries(MEDIA_TYPES).map(([format, type]) => [type, format as FileFormat] as const),
  ['application/jsonl', 'jsonl'],
]);

const StoredFileShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    format: Type.Enum(['csv', 'tsv', 'jsonl']),
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
  summary: 'Upload a file for an import',
  description: [
    'The body is the file, in UTF-8; its media type names the format. Only the administrator who sent the',
    'file can import it.',
  ].join(' '),
  scope: ['records:write', 'comments:write'],
  params: Type.Object({}, closed),
  query: Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: LIMITS.fileNameLength,
        pattern: '^[^\\p{Cc}\\p{Cs}]+$',
        default: 'file',
        description: 'The name of the file in messages.',
      }),
    },
    closed,
  ),
  takesFile: { types: [...FORMATS.keys()], limit: LIMITS.sentFileBytes },
  idempotent: true,
  status: 201,
  result: responseOf(StoredFileShape),
  errors: ['validation_failed', 'permission_denied', 'conflict'],
  async handle({ caller, model, query, body, claim }, { db }) {
    requireAdministrator(caller);
    const { type, bytes } = body as unknown as SentFile;
    if (bytes.length === 0) {
      const message = 'The file is empty.';
      throw new ApiError('validation_failed', { message });
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
  },
});

async function requireRoom(db: Queryable, workspaceId: number, bytes: number): Promise<void> {
  const kept = await loadFileBytes(db, workspaceId);
  if (kept + bytes <= LIMITS.filesOfWorkspaceBytes) return;
  const message = 'The workspace has too many files. Each is deleted one day after its last use.';
  throw new ApiError('conflict', {
    message,
    details: { limit_bytes: LIMITS.filesOfWorkspaceBytes },
  });
}

function presentFile(stored: StoredFile) {
  const { user_id: _, ...file } = stored;
  return file;
}

interface Download {
  readonly name: string;
  readonly type: string;
  /** Undefined: unknown. */
  readonly bytes: number | undefined;
  pieces(): AsyncIterable<string | Uint8Array>;
}

/** A file as a stream, as fast as the client reads. One that is cut off is shorter than it said. */
export function fileReply({ name, type, bytes, pieces }: Download): StreamReply {
  return {
    headers: {
      'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`,
      ...(bytes === undefined ? {} : { 'Content-Length': String(bytes) }),
    },
    stream(connection) {
      const write = async () => {
        for await (const piece of pieces()) {
          if (!connection.isOpen()) return;
          connection.write(piece);
          if (!connection.hasRoom()) await connection.drained();
        }
      };
      write().then(
        () => connection.end(),
        () => connection.fail(),
      );
    },
  };
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
