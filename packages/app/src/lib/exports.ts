// Exports: the question of a list, or the whole workspace, as a job of the service, and its file.

import type {
  Endpoints,
  JobDetails,
  JobSummary,
  ObjectDefinition,
} from '@workspace-records/client';
import { factsOf } from './field-facts.ts';
import { makeKey } from './idempotency-key.ts';
import { saveFile } from './save-file.ts';
import type { Session } from './session.ts';

export type ExportBody = Endpoints['startExport']['body'];

/** Seconds that a person waits for a small file. */
const SHORT = 5;

/** The job after a short wait; its file has been given to the person when it is done. */
export async function exportNow(
  { client }: Pick<Session, 'client'>,
  body: ExportBody,
): Promise<JobDetails> {
  const { jobs, exports } = client;
  const { id } = await exports.start(body);
  const until = Date.now() + SHORT * 1000;
  let job = await jobs.get(id, { wait: SHORT });
  // The first change of a job is that it runs.
  while (job.finished_at === null && Date.now() < until) job = await jobs.get(id, { wait: SHORT });
  if (job.state === 'done') await downloadExport({ client }, job, body.object_type);
  return job;
}

/** True when its records can be contact cards. */
export function isOfContacts({ fields }: Pick<ObjectDefinition, 'fields'>): boolean {
  return fields.some((field) => factsOf(field).contact);
}

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
