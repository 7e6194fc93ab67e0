// Files as answers: their headers, and their bytes as a stream that is as fast as the client reads.

import { ApiError } from '../../errors.ts';
import { isKnownToClient } from '../../http/answer/answer.ts';
import { type Part, readRange } from '../../http/answer/byte-range.ts';
import type { SseConnection, StreamReply } from '../../http/route/route.ts';

/** A file that is sent in one piece and only saved. */
export interface Download {
  readonly name: string;
  readonly type: string;
  /** Undefined: unknown. */
  readonly bytes: number | undefined;
  pieces(): AsyncIterable<string | Uint8Array>;
  /** Called in place of `pieces` when nothing is to be sent. */
  discard?(): void;
}

/** One that is cut off is shorter than it said. */
export function fileReply({ name, type, bytes, pieces, discard }: Download): StreamReply {
  return {
    headers: {
      'Cache-Control': `no-store, ${AS_THEY_ARE}`,
      'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      'Content-Disposition': attachment(name),
      ...(bytes === undefined ? {} : { 'Content-Length': String(bytes) }),
    },
    stream: (connection) => send(connection, pieces()),
    ...(discard === undefined ? {} : { discard }),
  };
}

/** A file of a record, whose bytes never change. */
export interface RecordFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** The headers of a request that decide which bytes are sent. */
export interface Conditions {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Bytes of a part, opened before the answer begins. */
export interface OpenPart {
  pieces(): AsyncIterable<Uint8Array>;
  discard(): void;
}

/**
 * The whole file, a part of it, or 304. Browsers save it and never run it: it is an attachment, its type is not guessed,
 * and it has the rights of a sandbox. Errors: `range_not_satisfiable`, those of `open`.
 */
export async function recordFileReply(
  file: RecordFile,
  { range, ifRange, ifNoneMatch }: Conditions,
  open: (part: Part) => Promise<OpenPart>,
): Promise<StreamReply> {
  const etag = `"${file.id}"`;
  const headers = { ...GUARDED, ETag: etag };
  if (isKnownToClient('GET', ifNoneMatch, etag)) {
    return { status: 304, headers, stream: (connection) => connection.end() };
  }
  const isSame = ifRange === undefined || ifRange === etag;
  const part = readRange(isSame ? range : undefined, file.size);
  if (part === 'none') throw outOfRange(file.size);
  const { start, end } = part ?? { start: 0, end: file.size - 1 };
  const { pieces, discard } = await open({ start, end });
  return {
    ...(part === undefined ? {} : { status: 206 }),
    headers: {
      ...headers,
      'Content-Type': file.type,
      'Content-Disposition': attachment(file.name),
      'Content-Length': String(end + 1 - start),
      'Accept-Ranges': 'bytes',
      ...(part === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${file.size}` }),
    },
    stream: (connection) => send(connection, pieces()),
    discard,
  };
}

/** Proxies do not compress files: Caddy and lighttpd would compress a part and keep its `Content-Range` (D693). */
const AS_THEY_ARE = 'no-transform';

/** A client may keep it, and has to ask whether it may still use it; some store nothing that has `no-cache` (D947). */
const GUARDED = {
  'Cache-Control': `private, max-age=0, must-revalidate, ${AS_THEY_ARE}`,
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

function outOfRange(size: number): ApiError {
  return new ApiError('range_not_satisfiable', {
    headers: { 'Content-Range': `bytes */${size}` },
  });
}

function send(connection: SseConnection, pieces: AsyncIterable<string | Uint8Array>): void {
  write(connection, pieces).then(
    () => connection.end(),
    () => connection.fail(),
  );
}

async function write(
  connection: SseConnection,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  for await (const piece of pieces) {
    if (!connection.isOpen()) return;
    connection.write(piece);
    if (!connection.hasRoom()) await connection.drained();
  }
}

/** The name in ASCII, and as it is where that differs (RFC 6266, RFC 8187). */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  const header = `attachment; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${extended(name)}`;
}

function extended(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
