// The entries of the audit as a file: CSV with a column for each property, or JSON as the interface answers it. Pure.

import type { AuditEntry } from '@workspace-records/client';
import { type CsvCell, spreadsheetCsv } from '../../lib/spreadsheet-csv.ts';

export const FORMATS = {
  csv: { type: 'text/csv', print: csvOf },
  json: { type: 'application/json', print: jsonOf },
} as const;

export type Format = keyof typeof FORMATS;

const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => CsvCell | undefined>> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  user_id: ({ user }) => user?.id,
  user_email: ({ user }) => user?.email,
  api_key_id: ({ api_key }) => api_key?.id,
  api_key_prefix: ({ api_key }) => api_key?.prefix,
  session_id: ({ session }) => session?.id,
  source: ({ source }) => source,
  action: ({ action }) => action,
  object_type: ({ object_type }) => object_type,
  record_id: ({ record_id }) => record_id,
  subject_type: ({ subject_type }) => subject_type,
  subject_id: ({ subject_id }) => subject_id,
  changed_fields: ({ changed_fields }) => changed_fields.join(' '),
  request_id: ({ request_id }) => request_id,
  batch_id: ({ batch_id }) => batch_id,
};

function csvOf(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => Object.values(COLUMNS).map((read) => read(entry) ?? null));
  return spreadsheetCsv([Object.keys(COLUMNS), ...rows]);
}

function jsonOf(entries: readonly AuditEntry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`;
}
