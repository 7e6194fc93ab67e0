// The entries of the audit as a file: CSV with a column for each property, or JSON as the interface answers it. Pure.

import type { AuditEntry } from '@workspace-records/client';

export const FORMATS = {
  csv: { type: 'text/csv', print: csvOf },
  json: { type: 'application/json', print: jsonOf },
} as const;

export type Format = keyof typeof FORMATS;

const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => unknown>> = {
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
  const rows = entries.map((entry) => Object.values(COLUMNS).map((read) => cellOf(read(entry))));
  return [Object.keys(COLUMNS), ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** RFC 4180; a cell that a spreadsheet would calculate begins with an apostrophe. */
function cellOf(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function jsonOf(entries: readonly AuditEntry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`;
}
