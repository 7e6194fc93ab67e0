// Exports: the question of a list, or the whole workspace, as a job of the service, and its file.

import type { Endpoints, JobSummary } from '@workspace-records/client';
import { makeKey } from './idempotency-key.ts';
import { saveFile } from './save-file.ts';
import type { Session } from './session.ts';

export type ExportBody = Endpoints['startExport']['body'];

/** Names the file after its object or the workspace, and the day. Errors: those of the request. */
export async function downloadExport(
  { client }: Pick<Session, 'client'>,
  { id, kind, about, created_at }: Pick<JobSummary, 'id' | 'kind' | 'about' | 'created_at'>,
  subject: string,
): Promise<void> {
  const response = await client.exports.file(id);
  const ending = kind === 'workspace_export' ? 'gz' : about.format;
  saveFile(`${subject}-${created_at.slice(0, 10)}.${ending}`, await response.blob());
}

/** The job that exports the whole workspace. */
export function exportWorkspace({ client }: Pick<Session, 'client'>): Promise<JobSummary> {
  return client.exports.workspace({ idempotencyKey: makeKey() });
}
