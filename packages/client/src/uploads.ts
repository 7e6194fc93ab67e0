// Files of records: uploaded for a field, and downloaded from one.

import type { Connection, Fetch } from './connection.ts';
import { download } from './download.ts';
import { type CallOptions, openSender } from './request.ts';
import type { UploadedFile } from './schema.ts';

export interface UploadOptions extends CallOptions {
  /** The file name that people see; by default the name of a `File`. */
  readonly name?: string | undefined;
  /** The media type; that of the `Blob` when left out. */
  readonly type?: string | undefined;
  /** The field that the file is for: its type and size are then checked before anything is sent to the store. */
  readonly objectType?: string | undefined;
  readonly field?: string | undefined;
  /** Called in a browser with the number of sent bytes and of all bytes. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined;
}

/** A file of a field of a record. */
export interface FilePlace {
  readonly objectType: string;
  readonly recordId: string;
  readonly field: string;
  readonly fileId: string;
}

export interface DownloadOptions extends Pick<CallOptions, 'signal'> {
  /** A part of the file, such as `bytes=0-1023`. */
  readonly range?: string | undefined;
}

export interface FileTransfers {
  /** Upload a file for a field; set the field to its `id` within a day. */
  upload(content: Blob | string, options?: UploadOptions): Promise<UploadedFile>;
  /** The file; a `Response`, to be read as a stream or at once. */
  download(place: FilePlace, options?: DownloadOptions): Promise<Response>;
}

/** Milliseconds that an upload may take beyond another call. */
const UPLOAD_TIME = 30 * 60_000;

export function fileTransfers(connection: Connection): FileTransfers {
  return {
    async upload(content, options = {}) {
      const { name, type, objectType: object_type, field, onProgress, ...call } = options;
      const blob = content instanceof Blob ? content : new Blob([content], { type: 'text/plain' });
      const mediaType = type ?? (blob.type === '' ? 'application/octet-stream' : blob.type);
      const query = { purpose: 'field', name: name ?? nameOf(blob), object_type, field } as const;
      const sender = openSender(
        onProgress === undefined ? connection : { ...connection, fetch: watched(onProgress) },
      );
      // Bytes without a type of their own: the header alone names it.
      const body = blob.slice(0, blob.size, '');
      const ask = { query, body, mediaType, held: UPLOAD_TIME };
      return (await sender('sendFile', ask, call)).data as UploadedFile;
    },
    download: ({ objectType, recordId, field, fileId }, { range, signal } = {}) => {
      const params = { object_type: objectType, record_id: recordId, field, file_id: fileId };
      const headers = range === undefined ? {} : { Range: range };
      return download(connection, 'getRecordFile', { params, headers }, { signal });
    },
  };
}

function nameOf(content: Blob): string | undefined {
  return 'name' in content && typeof content.name === 'string' ? content.name : undefined;
}

/** `fetch` says nothing of a body that is being sent; XMLHttpRequest does. */
function watched(onProgress: NonNullable<UploadOptions['onProgress']>): Fetch {
  return (url, { method = 'GET', headers, body, signal, credentials }) =>
    new Promise((resolve, reject) => {
      const request = newRequest();
      request.open(method, url);
      request.withCredentials = credentials === 'include';
      for (const [name, value] of Object.entries(headers as Readonly<Record<string, string>>)) {
        request.setRequestHeader(name, value);
      }
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
      request.addEventListener('load', () => resolve(answerOf(request)));
      request.addEventListener('error', () => reject(new TypeError('the upload broke off')));
      request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send(body);
    });
}

interface Progress {
  readonly loaded: number;
  readonly total: number;
}

/** The part of XMLHttpRequest that is used: programs on a server know no such type. */
interface WatchedRequest {
  readonly status: number;
  readonly responseText: string;
  withCredentials: boolean;
  readonly upload: {
    addEventListener(name: 'progress', listener: (event: Progress) => void): void;
  };
  addEventListener(name: 'load' | 'error' | 'abort', listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
}

function newRequest(): WatchedRequest {
  const { XMLHttpRequest: Made } = globalThis as unknown as {
    readonly XMLHttpRequest: new () => WatchedRequest;
  };
  return new Made();
}

function answerOf(request: WatchedRequest): Response {
  const { status, responseText } = request;
  const lines = request.getAllResponseHeaders().trim().split('\r\n');
  const pairs = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
  return new Response(responseText, { status, headers: pairs });
}
