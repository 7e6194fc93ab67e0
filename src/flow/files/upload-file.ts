// An upload: room in the quota is reserved, the bytes are stored as they arrive, and the file is there when its row is
// complete (docs/design/files.md). Nothing of an upload that breaks off can be seen.

import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import {
  appendArriving,
  completeRecordFile,
  loadRecordFileBytes,
  type NewRecordFile,
} from '../../control/stored/record-files.ts';
import { ApiError, unavailable } from '../../errors.ts';
import type { Digested, FileStore } from '../../files/stored-bytes.ts';
import { say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { FileValue } from '../../model/fields/file-field.ts';
import type { Caller } from '../../model/rights/access.ts';
import type { ValueRules } from '../../model/values/field-type.ts';
import { isMediaTypeOf, mostBytes } from '../../plan/write/file-rules.ts';
import type { Database, Queryable, Transaction } from '../../postgres/db.ts';
import { toStatement } from '../../sql/sql.ts';
import { lockNamesSql } from '../../sql/write/lookup-sql.ts';
import type { Answer, Claim } from '../records/idempotency.ts';
import { answerOnce } from '../records/keyed-requests.ts';
import { forgetFile } from './remove-files.ts';

export interface UploadContext {
  readonly db: Database;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly store: FileStore;
  /** Bytes of all files of a workspace. */
  readonly quota: number;
}

/** A file as it arrives; what the transport knows of it. */
export interface Arriving {
  readonly type: string;
  readonly announced: number | undefined;
  receive<Result>(
    limit: number,
    store: (pieces: AsyncIterable<Buffer>) => Promise<Result>,
  ): Promise<Result | undefined>;
}

export interface Upload {
  readonly name: string;
  readonly rules: ValueRules;
  readonly file: Arriving;
  readonly claim: Claim | undefined;
}

/** A file that was uploaded. */
export interface UploadedFile extends FileValue {
  /** The hash in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * The answer to an upload. Errors: `unsupported_media_type`, `payload_too_large`, `conflict` beyond the quota,
 * `request_timeout` when the client has left, those of the key.
 */
export async function uploadFile(
  context: UploadContext,
  upload: Upload,
  present: (file: UploadedFile) => Answer,
): Promise<Answer> {
  const { caller } = context;
  const { name, rules, file } = upload;
  const { type, announced } = file;
  if (!isMediaTypeOf(rules, type)) {
    throw new ApiError('unsupported_media_type', { message: say('file_type_refused', { type }) });
  }
  const row = { id: uuidv7(), name, type, size: announced ?? 0, uploaded_by: caller.user.id };
  const stored = await file.receive(mostBytes(rules), (pieces) => store(context, row, pieces));
  if (stored === undefined) throw new ApiError('request_timeout');
  try {
    const shown = { id: row.id, name, type, size: stored.size };
    const answer = await complete(context, upload, { stored, shown, present });
    if (answer.replayed === true) await forget(context, row.id);
    return answer;
  } catch (error) {
    await forget(context, row.id);
    throw error;
  }
}

async function store(
  context: UploadContext,
  row: NewRecordFile,
  pieces: AsyncIterable<Buffer>,
): Promise<Digested> {
  const { model, store: files } = context;
  await reserve(context, row);
  try {
    return await files.put({ workspace: model.workspace.id, id: row.id }, pieces);
  } catch (error) {
    await forget(context, row.id);
    throw isFull(error) ? unavailable(error) : error;
  }
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Uploads of a workspace are counted one after the other. Errors: `conflict`. */
async function reserve(context: UploadContext, row: NewRecordFile): Promise<void> {
  const { schema } = context.model;
  const work = async (tx: Transaction) => {
    await requireRoom(tx, context, row.size);
    await appendArriving(tx, schema, row);
  };
  await context.db.near(schema).transaction(work, { writes: schema });
}

/** The seed of the lock (flow/records/lookups.ts has others). */
const QUOTA = 5;

async function requireRoom(
  tx: Queryable,
  { model: { schema }, quota }: UploadContext,
  bytes: number,
): Promise<void> {
  await tx.query(toStatement(lockNamesSql(schema, ['files'], QUOTA)));
  if ((await loadRecordFileBytes(tx, schema)) + bytes <= quota) return;
  const message = say('files_of_workspace_full', { most: quota });
  throw new ApiError('conflict', { message, details: { limit_bytes: quota } });
}

interface Completed {
  readonly stored: Digested;
  readonly shown: FileValue;
  present(file: UploadedFile): Answer;
}

function complete(
  context: UploadContext,
  { file, claim }: Upload,
  { stored, shown, present }: Completed,
): Promise<Answer> {
  const { db, model, caller } = context;
  const asking = { db, model, caller, claim: claim && claimOf(claim, stored) };
  return answerOnce(asking, async (tx) => {
    if (file.announced === undefined) await requireRoom(tx, context, stored.size);
    if (!(await completeRecordFile(tx, model.schema, { id: shown.id, ...stored }))) {
      throw new ApiError('conflict', { message: say('upload_too_slow') });
    }
    return present({ ...shown, sha256: stored.sha256.toString('hex') });
  });
}

/** The bytes belong to the request, and were not known when the key was read. */
function claimOf({ key, fingerprint }: Claim, { sha256 }: Digested): Claim {
  return { key, fingerprint: createHash('sha256').update(fingerprint).update(sha256).digest() };
}

function forget({ db, model, store: files }: UploadContext, id: string): Promise<void> {
  const { workspace, schema } = model;
  return forgetFile({ db: db.near(schema), store: files }, { id: workspace.id, schema }, id);
}
