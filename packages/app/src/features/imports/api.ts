// An import: the file is sent once, checked by a dry run, and then imported.

import { useMutation, useSuspenseQueries } from '@tanstack/react-query';
import {
  type Client,
  isRecordsError,
  type JobDetails,
  type ObjectDefinition,
} from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { type Session, useSession } from '../../lib/session.ts';
import type { Target } from './import-draft.ts';
import { referenceOf, withFieldsOf } from './import-fields.ts';
import type { MappingDocument } from './mapping-document.ts';
import { type Rows, subjectOf } from './subjects.ts';

/** Milliseconds: a file of 32 MiB over a slow line. */
const SENDING = 600_000;

/** The objects that its references lead to are needed for the fields that name their records. */
export function useTarget(of: ObjectDefinition, rows: Rows): Target {
  const session = useSession();
  const { object, head } = subjectOf(useAllFields(of), rows, useT());
  const types = [...new Set(object.fields.flatMap((field) => referenceOf(field) ?? []))];
  const others = useSuspenseQueries({
    queries: types.map((type) => objectQuery(session, type)),
    combine: (results) => results.map(({ data }) => data),
  });
  return { object, head, others: new Map(others.map((one) => [one.object_type, one])) };
}

/** Of work items with the fields of every type. */
function useAllFields(object: ObjectDefinition): ObjectDefinition {
  const session = useSession();
  const { object_type, work_item_types: types = [] } = object;
  const ofTypes = useSuspenseQueries({
    queries: types.map(({ slug }) => objectQuery(session, object_type, slug)),
    combine: (results) => results.map(({ data }) => data),
  });
  return withFieldsOf(object, ofTypes);
}

export interface ImportRequest {
  readonly content: Blob;
  readonly fileName: string;
  /** Where it has been sent already. */
  readonly fileId: string | undefined;
  readonly mapping: MappingDocument;
  readonly onlyNew: boolean;
  readonly isDryRun: boolean;
}

export interface StartedImport {
  readonly fileId: string;
  readonly jobId: string;
}

export function useStartImport() {
  const session = useSession();
  return useMutation({ mutationFn: (request: ImportRequest) => startImport(session, request) });
}

async function startImport({ client }: Session, request: ImportRequest): Promise<StartedImport> {
  const { content, fileName, mapping, onlyNew, isDryRun } = request;
  const send = async () =>
    (await client.files.send(content, { name: fileName, timeout: SENDING })).id;
  const start = async (file_id: string) => {
    const body = { file_id, mapping, only_new: onlyNew, dry_run: isDryRun };
    return { fileId: file_id, jobId: (await client.imports.start(body)).id };
  };
  if (request.fileId === undefined) return start(await send());
  try {
    return await start(request.fileId);
  } catch (error) {
    // It is kept for a day.
    const isExpired = isRecordsError(error, 'record_not_found') && error.param === 'file_id';
    if (!isExpired) throw error;
    return start(await send());
  }
}

/** Seconds that an answer waits for the end of a job. */
const WAIT = 30;

/** The job once it is done. Errors: also the reason why it has not been. */
export async function doneJob(client: Client, id: string): Promise<JobDetails> {
  for (;;) {
    const job = await client.jobs.get(id, { wait: WAIT });
    if (job.finished_at === null) continue;
    if (job.state === 'done') return job;
    throw new Error(job.error ?? job.state);
  }
}
