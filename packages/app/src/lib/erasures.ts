// Erasures: counted by a dry run, then done as a job of the service; and everything about a record as a file.

import type { JobDetails, JobSummary, RecordData } from '@workspace-records/client';
import { makeKey } from './idempotency-key.ts';
import { saveFile } from './save-file.ts';
import type { Session } from './session.ts';

/** A record that exists, or a deleted one. */
export type ErasedRecord = Pick<RecordData, 'object_type' | 'id' | 'display'>;

/** Seconds for which an answer waits for the end of the job. */
const WAIT = 5;

/** The counts of an erasure; no record changes. */
export async function countTraces(
  session: Pick<Session, 'client'>,
  record: ErasedRecord,
): Promise<JobDetails> {
  const { id } = await start(session, record, true);
  for (;;) {
    const job = await session.client.jobs.get(id, { wait: WAIT });
    if (job.finished_at !== null) return job;
  }
}

/** The job that erases it. */
export function startErasure(
  session: Pick<Session, 'client'>,
  record: ErasedRecord,
): Promise<JobSummary> {
  return start(session, record, false);
}

function start(
  { client }: Pick<Session, 'client'>,
  { object_type, id }: ErasedRecord,
  dry_run: boolean,
): Promise<JobSummary> {
  const body = { records: [{ object_type, id }], dry_run };
  return client.erasures.start(body, { idempotencyKey: makeKey() });
}

/** Answers whether the file has everything. */
export async function downloadBundle(
  { client }: Pick<Session, 'client'>,
  { object_type, id, display }: ErasedRecord,
): Promise<boolean> {
  const bundle = await client.records(object_type).bundle(id);
  const text = JSON.stringify(bundle, null, 2);
  const name = (display ?? id).replaceAll(/[^\p{L}\p{N}._-]+/gu, ' ').trim();
  saveFile(`${name === '' ? id : name}.json`, new Blob([text], { type: 'application/json' }));
  return bundle.complete;
}
