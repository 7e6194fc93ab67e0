// Files in and out, erasures, the jobs that work at them, and the audit.

import type { Connection } from './connection.ts';
import { download } from './download.ts';
import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type {
  AuditEntry,
  Endpoints,
  JobDetails,
  JobSummary,
  StoredFile,
  TableReading,
} from './schema.ts';
import { type FileTransfers, fileTransfers } from './uploads.ts';

export type AuditQuery = Endpoints['listAudit']['query'];
export type JobsQuery = Endpoints['listJobs']['query'];

export interface FileOptions extends CallOptions {
  /** The name of the file in messages. */
  readonly name?: string | undefined;
  /** By the ending of the name when left out, and `csv` without one that is known. */
  readonly format?: keyof typeof MEDIA_TYPES | undefined;
}

export interface JobOptions extends CallOptions {
  /** Seconds, 0 to 30, for which the answer waits for another state of the job; they are added to `timeout`. */
  readonly wait?: number | undefined;
}

export interface RejectOptions extends Pick<CallOptions, 'signal'> {
  /** The number of the file in the import, from 1; 1 when left out. */
  readonly file?: number | undefined;
}

export interface Transfers {
  readonly files: FileTransfers & {
    /** Send a file to be imported. A `Blob` is read while it is sent, so a large one needs no memory. */
    send(content: string | Blob, options?: FileOptions): Promise<StoredFile>;
  };
  readonly imports: {
    /** The columns of a sent file with guessed types, and how it is read: encoding, delimiter, header line. */
    read(request: Endpoints['readSentFile']['body'], options?: CallOptions): Promise<TableReading>;
    start(request: Endpoints['startImport']['body'], options?: CallOptions): Promise<JobSummary>;
    /** The rows that were not imported; a `Response`, to be read as text or as a stream. */
    rejects(jobId: string, options?: RejectOptions): Promise<Response>;
  };
  readonly exports: {
    start(request: Endpoints['startExport']['body'], options?: CallOptions): Promise<JobSummary>;
    /** Export the whole workspace, for administrators; `file` gets the archive. */
    workspace(options?: CallOptions): Promise<JobSummary>;
    /** The file; a `Response`, to be read as text or as a stream. */
    file(jobId: string, options?: Pick<CallOptions, 'signal'>): Promise<Response>;
  };
  readonly erasures: {
    /** Erase records for good, or count what that would remove; the counts of the job are the report. */
    start(request: Endpoints['startErasure']['body'], options?: CallOptions): Promise<JobSummary>;
  };
  readonly jobs: {
    /** One page of jobs, newest first. */
    list(query?: JobsQuery, options?: CallOptions): Promise<Page<JobSummary>>;
    all(query?: JobsQuery, options?: CallOptions): AsyncGenerator<JobSummary, void, undefined>;
    get(id: string, options?: JobOptions): Promise<JobDetails>;
    cancel(id: string, options?: CallOptions): Promise<JobDetails>;
  };
  readonly audit: {
    /** One page of entries, newest first; it may have fewer entries than requested and not be the last. */
    list(query?: AuditQuery, options?: CallOptions): Promise<Page<AuditEntry>>;
    all(query?: AuditQuery, options?: CallOptions): AsyncGenerator<AuditEntry, void, undefined>;
  };
}

const MEDIA_TYPES = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  vcf: 'text/vcard',
  ldif: 'text/x-ldif',
} as const;

function formatOf(name = ''): keyof typeof MEDIA_TYPES {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(MEDIA_TYPES, ending) ? (ending as keyof typeof MEDIA_TYPES) : 'csv';
}

export function openTransfers(connection: Connection, send: Send): Transfers {
  const listJobs = (query: JobsQuery = {}, options?: CallOptions) =>
    send('listJobs', { query }, options);
  const listAudit = (query: AuditQuery = {}, options?: CallOptions) =>
    send('listAudit', { query }, options);
  return {
    files: {
      ...fileTransfers(connection),
      async send(content, { name, format = formatOf(name), ...options } = {}) {
        const ask = { query: { name }, body: content, mediaType: MEDIA_TYPES[format] };
        return (await send('sendFile', ask, options)).data as StoredFile;
      },
    },
    imports: {
      read: async (body, options) => (await send('readSentFile', { body }, options)).data,
      start: async (body, options) => (await send('startImport', { body }, options)).data,
      rejects: (job_id, { file, ...options } = {}) =>
        download(connection, 'getRejects', { params: { job_id }, query: { file } }, options),
    },
    exports: {
      start: async (body, options) => (await send('startExport', { body }, options)).data,
      workspace: async (options) => (await send('startWorkspaceExport', {}, options)).data,
      file: (job_id, options) =>
        download(connection, 'getExportFile', { params: { job_id } }, options),
    },
    erasures: {
      start: async (body, options) => (await send('startErasure', { body }, options)).data,
    },
    jobs: {
      list: listJobs,
      all: (query = {}, options) => itemsFrom(query, (page) => listJobs(page, options)),
      async get(job_id, { wait, ...options } = {}) {
        const ask = { params: { job_id }, query: { wait }, held: (wait ?? 0) * 1000 };
        return (await send('getJob', ask, options)).data;
      },
      cancel: async (job_id, options) =>
        (await send('cancelJob', { params: { job_id } }, options)).data,
    },
    audit: {
      list: listAudit,
      all: (query = {}, options) => itemsFrom(query, (page) => listAudit(page, options)),
    },
  };
}
