// Writes built rows through the write path, many in one batch. A batch that is refused is taken
// apart, so that only the rows at fault are rejected and all others are written.

import { ApiError, type Problem } from '../errors.ts';
import { importComments } from '../flow/records/comment-flow.ts';
import { problemsOf } from '../flow/records/write-failure.ts';
import { writeRecords } from '../flow/records/write-flow.ts';
import type { NotesOf, WriteContext } from '../flow/records/write-group.ts';
import type { ObjectModel } from '../model/model.ts';
import type { Kept, WriteOperation } from '../plan/write-operation.ts';
import type { ImportOperation } from './build-rows.ts';
import type { CommentOperation } from './comment-rows.ts';
import type { RowProblem, SourceRow } from './read-rows.ts';
import { loadPresent } from './record-lookup.ts';
import { retryWhileUnavailable } from './retry-unavailable.ts';

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
  /** What was left of a record that was there. */
  readonly kept?: Kept | undefined;
}

/** What became of a row. */
export type Outcome<Write extends RowWrite = RowWrite> =
  | { readonly write: Write; readonly result: RowResult }
  | { readonly write: Write; readonly problems: readonly RowProblem[] };

/**
 * Writes rows in one transaction: an answer to each, or a failure of them all. `isFirst`: none of
 * them was tried before.
 */
export type WriteBatch<Write extends RowWrite = RowWrite> = (
  writes: readonly Write[],
  isFirst: boolean,
) => Promise<readonly (RowResult | ApiError)[]>;

/** How rows are written: as whom, and what is noted of them in their transaction. */
export interface RowWriting<Write extends RowWrite> extends WriteContext {
  /** What is left of records that are there. */
  readonly kept: Kept;
  readonly note?: (writes: readonly Write[]) => NotesOf;
}

/** Changes of records: a batch is refused as a whole. */
export function recordBatches<Write extends RowWrite>(
  { note, kept, ...shared }: RowWriting<Write>,
  object: ObjectModel,
): WriteBatch<Write> {
  return async (writes, isFirst) => {
    const context = { ...shared, ...(note === undefined ? {} : { notesOf: note(writes) }) };
    const batch = writes.length > 1;
    const given = writes.map(({ operation }) => operation as WriteOperation);
    const written = isFirst ? await asCreates(context, object, given) : given;
    const request = { operations: written, source: 'import', batch, answered: [], kept } as const;
    const { results } = await writeRecords(context, object, request);
    // What is new of a link is the link.
    return results.map((one) => (one.action === 'link' ? { ...one, created: one.changed } : one));
  };
}

/**
 * Upserts by id as creates, where there is no such record yet: two round trips instead of four. Should
 * somebody else make it meanwhile, the batch fails and is tried again as it is.
 */
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

/** Write these rows; the outcomes are in no particular order. */
export async function writeRows<Write extends RowWrite>(
  writeBatch: WriteBatch<Write>,
  writes: readonly Write[],
  isFirst = true,
): Promise<readonly Outcome<Write>[]> {
  if (writes.length === 0) return [];
  try {
    const results = await writeAll(writeBatch, writes, isFirst);
    return writes.map((write, index) => {
      const result = results[index] as RowResult | ApiError;
      if (!(result instanceof ApiError)) return { write, result };
      return { write, problems: (problemsOf(result, 'row') ?? []).map(rowProblem) };
    });
  } catch (error) {
    const problems = problemsOf(error, 'row');
    if (problems === undefined) throw error;
    if (isOfRowsAlone(error, problems)) {
      const isWhole = writes.length === 1 || (error as ApiError).details?.more_errors === undefined;
      return isWhole
        ? rejectNamed(writeBatch, { writes, problems, isFirst })
        : writeHalves(writeBatch, writes, isFirst);
    }
    const [only] = writes;
    const isLast = !isFirst || only?.operation.action !== 'upsert';
    if (only !== undefined && writes.length === 1 && isLast) {
      return [{ write: only, problems: problems.map(rowProblem) }];
    }
    return writeApart(writeBatch, writes, problems);
  }
}

function writeAll<Write extends RowWrite>(
  writeBatch: WriteBatch<Write>,
  writes: readonly Write[],
  isFirst: boolean,
) {
  let isUntried = isFirst;
  const attempt = () => {
    const answer = writeBatch(writes, isUntried);
    isUntried = false;
    return answer;
  };
  // When the answer is lost, a create may have happened: once more could make it twice.
  const isRepeatable = writes.every(({ operation }) => operation.action !== 'create');
  return isRepeatable ? retryWhileUnavailable(attempt) : attempt();
}

/**
 * The service itself refused the batch before it wrote anything, and each problem is about its own row. Without the other
 * rows it would be the same.
 */
function isOfRowsAlone(error: unknown, problems: readonly Problem[]): boolean {
  if (!(error instanceof ApiError) || error.cause !== undefined) return false;
  return problems.every((one) => one.code === 'invalid_write' && one.operation_index !== undefined);
}

interface Refused<Write> {
  readonly writes: readonly Write[];
  readonly problems: readonly Problem[];
  readonly isFirst: boolean;
}

/** Rows that nothing can be made of; the others together. */
async function rejectNamed<Write extends RowWrite>(
  writeBatch: WriteBatch<Write>,
  { writes, problems, isFirst }: Refused<Write>,
): Promise<readonly Outcome<Write>[]> {
  const rejected = new Map<Write, RowProblem[]>();
  for (const problem of problems) {
    const write = writes[Number(problem.operation_index)] as Write;
    rejected.set(write, [...(rejected.get(write) ?? []), rowProblem(problem)]);
  }
  const rest = writes.filter((write) => !rejected.has(write));
  return [
    ...[...rejected].map(([write, own]) => ({ write, problems: own })),
    ...(await writeRows(writeBatch, rest, isFirst)),
  ];
}

/** An answer leaves out the last of so many problems: of fewer rows it has them all. */
async function writeHalves<Write extends RowWrite>(
  writeBatch: WriteBatch<Write>,
  writes: readonly Write[],
  isFirst: boolean,
): Promise<readonly Outcome<Write>[]> {
  const middle = Math.ceil(writes.length / 2);
  return [
    ...(await writeRows(writeBatch, writes.slice(0, middle), isFirst)),
    ...(await writeRows(writeBatch, writes.slice(middle), isFirst)),
  ];
}

/** Those named by a problem one by one, for another row may be the cause; the rest together. */
async function writeApart<Write extends RowWrite>(
  writeBatch: WriteBatch<Write>,
  writes: readonly Write[],
  problems: readonly Problem[],
): Promise<readonly Outcome<Write>[]> {
  const named = new Set(problems.map((problem) => problem.operation_index));
  const suspects = named.has(undefined) ? writes : writes.filter((_, index) => named.has(index));
  const rest = writes.filter((write) => !suspects.includes(write));
  const outcomes = [...(await writeRows(writeBatch, rest, false))];
  for (const write of suspects) outcomes.push(...(await writeRows(writeBatch, [write], false)));
  return outcomes;
}

function rowProblem({ param = '', message }: Problem): RowProblem {
  const field = param.replace(/^operations\[\d+\]\.?/, '').replace(/^(?:fields|match)\./, '');
  return { field, reason: message };
}
