// The jobs that people start: names of their kinds, and their inputs.

import type { SortInput } from '../../plan/read/record-query.ts';
import type { FileFormat } from '../stored/files.ts';

export const IMPORT_JOBS = 'import';
export const EXPORT_JOBS = 'export';
export const BULK_JOBS = 'bulk';
export const REPLAY_JOBS = 'webhook_replay';
export const ERASURE_JOBS = 'erasure';
export const DUPLICATE_JOBS = 'duplicates';
export const WORKSPACE_EXPORT_JOBS = 'workspace_export';

/** Jobs that keep values of records until they end. */
export const VALUE_JOBS = [IMPORT_JOBS, EXPORT_JOBS, WORKSPACE_EXPORT_JOBS, BULK_JOBS] as const;
export const PEOPLE_JOBS = [...VALUE_JOBS, REPLAY_JOBS, ERASURE_JOBS, DUPLICATE_JOBS] as const;

/** The rights with which a job works, and the request that started it. */
export interface AskedBy {
  readonly scopes: readonly string[];
  readonly api_key_id: string | null;
  readonly request_id: string;
  /** False: started with a key that does not pass gates. */
  readonly gates?: boolean;
}

/** A file of an import, and what its rows are: one of the last three. */
export interface ImportedFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly object_type?: string;
  readonly comments_on?: string;
  readonly links_of?: string;
}

/** An import of one file has the properties of that file; an import of several has their number. */
export interface ImportInput extends AskedBy, Partial<ImportedFile> {
  readonly file_count?: number;
  /** The files in the order in which they are imported. */
  readonly files: readonly (ImportedFile & { readonly mapping: unknown })[];
  readonly raw: boolean;
  readonly dry_run: boolean;
  readonly only_new: boolean;
  readonly no_status: boolean;
}

/** The key and the session of the author, for the audit. */
interface AuditedAuthor {
  readonly api_key_prefix: string | null;
  readonly session_id: string | null;
}

/** One change of many records, which are stored as pages with the job. */
export interface BulkInput extends AskedBy, AuditedAuthor {
  readonly object_type: string;
  readonly action: 'update' | 'status' | 'delete';
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly status_id?: string;
  readonly expected_count: number;
}

/** Records of an object that are compared with each other. */
export interface DuplicatesInput extends AskedBy {
  readonly object_type: string;
}

/** Records that are erased; of one record the job shows which. */
export interface ErasureInput extends AskedBy, AuditedAuthor {
  readonly records: readonly NamedRecord[];
  readonly record_count: number;
  readonly object_type?: string;
  readonly record_id?: string;
  readonly dry_run: boolean;
}

/** A record by the table of its object, which a rename leaves as it is. */
export interface NamedRecord {
  readonly table: string;
  readonly id: string;
}

export interface ExportInput extends AskedBy {
  readonly object_type: string;
  /** The relationship whose links are exported instead of the records. */
  readonly relationship?: string;
  readonly format: Extract<FileFormat, 'csv' | 'jsonl' | 'xlsx' | 'vcf'>;
  readonly raw: boolean;
  readonly bom?: boolean;
  readonly user_ids?: boolean;
  readonly names?: boolean;
  readonly query?: string;
  readonly filters: Readonly<Record<string, unknown>>;
  /** A condition as questions have it, and the time zone of its days. */
  readonly where?: unknown;
  readonly timezone?: string;
  readonly fields?: readonly string[];
  readonly sort: readonly SortInput[];
  /** The position of the moment of the request, for readers of changes. */
  readonly changes_cursor: string;
}

/** Deliveries of a webhook that are sent again. */
export interface ReplayInput extends AskedBy {
  readonly webhook_id: string;
  /** Bounds of the time of creation: at or after `since`, and before `until`. */
  readonly since: string;
  readonly until: string;
  readonly states: readonly string[];
}
