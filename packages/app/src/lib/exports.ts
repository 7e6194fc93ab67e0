// Exports: the question of a list as a job of the service, and its file.

import type { Endpoints, JobSummary } from '@workspace-records/client';
import { saveFile } from './save-file.ts';
import type { Session } from './session.ts';

export type ExportBody = Endpoints['startExport']['body'];

/** Names the file after its object and the day. Errors: those of the request. */
export async function downloadExport(
  { client }: Pick<Session, 'client'>,
  { id, about, created_at }: Pick<JobSummary, 'id' | 'about' | 'created_at'>,
  objectType: string,
): Promise<void> {
  const response = await client.exports.file(id);
  const ending = about.format === 'jsonl' ? 'jsonl' : 'csv';
  saveFile(`${objectType}-${created_at.slice(0, 10)}.${ending}`, await response.blob());
}
