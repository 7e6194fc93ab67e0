// Writes built rows through the write path, many in one batch; of a batch that is refused, all rows that can be written
// (flow/records/partial-writes.ts).

import { ApiError } from '../errors.ts';
import { importComments } from '../flow/records/comment-flow.ts';
import { reasonsOf, writePartially } from '../flow/records/partial-writes.ts';
import { problemsOf } from '../flow/records/write-failure.ts';
import { writeRecords } from '../flow/records/write-flow.ts';
import type { NotesOf, WriteContext } from '../flow/records/write-group.ts';
import type { ObjectModel } from '../model/definition/model.ts';
import type { Kept, WriteOperation } from '../plan/write/write-operation.ts';
import { isDatabaseError } from '../postgres/db.ts';
import { retryWhileUnavailable } from './retry-unavailable.ts';
import type { ImportOperation } from './rows/build-rows.ts';
import type { CommentOperation } from './rows/comment-rows.ts';
import type { RowProblem, SourceRow } from './rows/read-rows.ts';
import { loadPresent } from './rows/record-lookup.ts';

export interface RowWrite {
  readonly row: SourceRow;
  readonly key: string | undefined;
  readonly operation: ImportOperation;
}

export interface RowResult {
  readonly id: string;
  readonly created: boolean;
  /** False when everything was as asked for already. */
  readonly changed: boolean;
  /** The part of an existing record that was kept. */
  readonly kept?: Kept | undefined;
}

/** The outcome of a row. */
export type Outcome<Write extends RowWrite = RowWrite> =
  | { readonly write: Write; readonly result: RowResult }
  | { readonly write: Write; readonly problems: readonly RowProblem[] };

/** Writes rows in one transaction: an answer to each, or a failure of them all. */
export type WriteBatch<Write extends RowWrite = RowWrite> = (
  writes: readonly Write[],
) => Promise<readonly (RowResult | ApiError)[]>;

/** How rows are written: as whom, and what is noted of them in their transaction. */
export interface RowWriting<Write extends RowWrite> extends WriteContext {
  /** The part of existing records that is kept. */
  readonly kept: Kept;
  readonly note?: (writes: readonly Write[]) => NotesOf;
}

/** Changes of records: a batch is refused as a whole. */
export function recordBatches<Write extends RowWrite>(
  { note, kept, ...shared }: RowWriting<Write>,
  object: ObjectModel,
): WriteBatch<Write> {
  return async (writes) => {
    const context = { ...shared, ...(note === undefined ? {} : { notesOf: note(writes) }) };
    const batch = writes.length > 1;
    const given = writes.map(({ operation }) => operation as WriteOperation);
    const write = (operations: readonly WriteOperation[]) =>
      writeRecords(context, object, { operations, source: 'import', batch, answered: [], kept });
    const created = await asCreates(context, object, given);
    const { results } = await write(created).catch((error: unknown) => {
      if (!isTakenId(error)) throw error;
      return write(given);
    });
    // A new link counts as created.
    return results.map((one) => (one.action === 'link' ? { ...one, created: one.changed } : one));
  };
}

/** Upserts by id as creates, where there is no such record yet: two round trips instead of four. */
async function asCreates(
  context: WriteContext,
  object: ObjectModel,
  operations: readonly WriteOperation[],
): Promise<readonly WriteOperation[]> {
  const idOf = (operation: WriteOperation) =>
    operation.action === 'upsert' ? operation.match.id : undefined;
  const ids = operations.flatMap((operation) => (idOf(operation) as string | undefined) ?? []);
  if (ids.length === 0) return operations;
  const present = await loadPresent(context, object, ids);
  return operations.map((operation) => {
    const id = idOf(operation) as string | undefined;
    if (operation.action !== 'upsert' || id === undefined || present.has(id)) return operation;
    return { action: 'create', fields: { ...operation.fields, id } };
  });
}

/** True when another writer has created one of the records meanwhile: unique values of fields are an `ApiError`. */
function isTakenId(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '23505';
}

/** Comments on records of `object`: those that are refused do not hold back the others. */
export function commentBatches<Write extends RowWrite>(
  writing: RowWriting<Write>,
  object: ObjectModel,
): WriteBatch<Write> {
  const { note, kept: _, ...shared } = writing;
  return async (writes) => {
    const context = { ...shared, ...(note === undefined ? {} : { notesOf: note(writes) }) };
    const comments = writes.map(({ operation }) => {
      const { comment_id, record_id, author_user_id, ...comment } = operation as CommentOperation;
      const author = author_user_id ?? context.caller.user.id;
      return { ...comment, id: record_id, comment_id, author_user_id: author };
    });
    const outcomes = await importComments(context, object, comments);
    return outcomes.map((outcome, index) => {
      if ('refused' in outcome) return outcome.refused;
      return { id: comments[index]?.comment_id as string, changed: false, ...outcome };
    });
  };
}

/** A refused row as it is tried again; undefined when it stays refused. */
export type Fitted<Write> = (write: Write, problems: readonly RowProblem[]) => Write | undefined;

/** Write these rows, and refused ones again as they fit; the outcomes are in no particular order. */
export async function writeRows<Write extends RowWrite>(
  writeBatch: WriteBatch<Write>,
  writes: readonly Write[],
  fitted: Fitted<Write>,
): Promise<readonly Outcome<Write>[]> {
  const ended: Outcome<Write>[] = [];
  const again: Write[] = [];
  for (const outcome of await writeOnce(writeBatch, writes)) {
    const write = 'problems' in outcome ? fitted(outcome.write, outcome.problems) : undefined;
    if (write === undefined) ended.push(outcome);
    else again.push(write);
  }
  if (again.length > 0) ended.push(...(await writeRows(writeBatch, again, fitted)));
  return ended;
}

async function writeOnce<Write extends RowWrite>(
  writeBatch: WriteBatch<Write>,
  writes: readonly Write[],
): Promise<readonly Outcome<Write>[]> {
  const outcomes: Outcome<Write>[] = [];
  await writePartially(writes, {
    what: 'row',
    async write(part) {
      const results = await writeAll(writeBatch, part);
      outcomes.push(
        ...part.map((write, index) => outcomeOf(write, results[index] as RowResult | ApiError)),
      );
    },
    refuse: (write, problems) => outcomes.push({ write, problems }),
  });
  return outcomes;
}

function outcomeOf<Write extends RowWrite>(
  write: Write,
  result: RowResult | ApiError,
): Outcome<Write> {
  if (!(result instanceof ApiError)) return { write, result };
  return { write, problems: reasonsOf(problemsOf(result, 'row') ?? []) };
}

function writeAll<Write extends RowWrite>(
  writeBatch: WriteBatch<Write>,
  writes: readonly Write[],
): ReturnType<WriteBatch<Write>> {
  // When the answer is lost, a create may have happened: once more could make it twice.
  const isRepeatable = writes.every(({ operation }) => operation.action !== 'create');
  const attempt = () => writeBatch(writes);
  return isRepeatable ? retryWhileUnavailable(attempt) : attempt();
}
