// From a write to its answer: once for each `Idempotency-Key`, the same way for every route that writes
// records (specification §4.7).

import type { Answer } from '../../flow/records/idempotency.ts';
import {
  answerAgain,
  type Written,
  writeOnce,
  writeRecords,
} from '../../flow/records/write-flow.ts';
import type { WriteContext } from '../../flow/records/write-group.ts';
import type { Reply, RouteRequest } from '../../http/route/route.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { versionToken } from '../../plan/write/precondition.ts';
import type { WriteOperation, WrittenObjects } from '../../plan/write/write-operation.ts';
import type { ApiContext } from '../context.ts';
import { presentRecord } from '../present.ts';

/** The errors of every write of records. */
export const writeErrors = [
  'validation_failed',
  'permission_denied',
  'write_not_supported',
  'object_not_available',
  'invalid_write',
] as const;

/** The errors of a write that names a record. */
export const recordWriteErrors = [...writeErrors, 'record_not_found', 'stale_record'] as const;

/** The parts of its request that a write needs. */
export type WritingRequest = Pick<
  RouteRequest<{ readonly object_type: string }, unknown, unknown>,
  'caller' | 'model' | 'params' | 'requestId' | 'claim'
>;

/** The operations of a request and the answer to them. */
export interface WriteReply {
  readonly operations: readonly WriteOperation[];
  /** True when `operations` is the client's own list. */
  readonly batch?: boolean;
  /** True when they may name the records of earlier ones. */
  readonly refers?: boolean;
  /** Fields of the records that `respond` reads; of a batch none, else every readable one when left out. */
  readonly answered?: readonly string[];
  respond(written: Written): Answer;
}

/** Write all operations on records of one object or none, and answer. */
export async function replyToWrite(
  request: WritingRequest,
  context: ApiContext,
  reply: WriteReply,
): Promise<Reply> {
  const { caller, model, params } = request;
  const object = requireObject(model, caller, params.object_type);
  return replyToWrites(request, context, object, reply);
}

/** Replies to writes of the objects of the operations. */
export async function replyToWrites(
  { caller, model, requestId, claim }: Omit<WritingRequest, 'params'>,
  { db }: ApiContext,
  written: WrittenObjects,
  { operations, batch = false, refers = false, answered, respond }: WriteReply,
): Promise<Reply> {
  const context: WriteContext = { db, model, caller, requestId };
  // A batch answers only versions.
  const shown = batch ? [] : answered;
  const request = { operations, source: 'api', batch, refers, answered: shown } as const;
  return replyOf(
    claim === undefined
      ? respond(await writeRecords(context, written, request))
      : await writeOnce(context, written, request, { claim, respond }),
  );
}

/** The stored answer of a request with a key that can no longer be planned. Errors: this one, when there is none. */
export async function replyAgain(
  { caller, model, requestId, claim }: Omit<WritingRequest, 'params'>,
  { db }: ApiContext,
  object: ObjectModel,
  error: unknown,
): Promise<Reply> {
  if (claim === undefined) throw error;
  return replyOf(await answerAgain({ db, model, caller, requestId }, object, claim, error));
}

/** An answer as HTTP sends it. */
export function replyOf({ status, body, version, etag, replayed }: Answer): Reply {
  const headers = {
    ...(etag === undefined ? {} : { ETag: etag }),
    ...(replayed === true ? { 'Idempotent-Replayed': 'true' } : {}),
  };
  return { status, body, headers, version };
}

/** One operation, answered with the record as written. */
export function replyWithRecord(
  request: WritingRequest,
  context: ApiContext,
  operation: WriteOperation,
  status: 200 | 201 = 200,
): Promise<Reply> {
  return replyToWrite(request, context, {
    operations: [operation],
    respond({ plan, results }) {
      const row = results[0]?.row;
      if (row === undefined) throw new Error('the write returned no record');
      const answeredFields = [plan.display, ...(plan.fields ?? [])];
      return {
        status,
        body: { data: presentRecord(plan, row, request.caller) },
        version: versionToken(row),
        fields: [...new Set(answeredFields.flatMap((field) => field?.key ?? []))],
      };
    },
  });
}
