// Writes built rows through the write path, many in one batch. A batch that is refused is taken
// apart, so that only the rows at fault are rejected and all others are written.

import { ApiError, type Problem } from '../errors.ts';
import { importComments } from '../flow/comment-flow.ts';
import { type WriteContext, writeRecords } from '../flow/write-flow.ts';
import type { ObjectModel } from '../model/model.ts';
import type { WriteOperation } from '../plan/write-plan.ts';
import { isDatabaseError } from '../store/db.ts';
import type { ImportOperation } from './build-rows.ts';
import type { CommentOperation } from './comment-rows.ts';
import { patiently } from './patience.ts';
import type { RowProblem, SourceRow } from './read-rows.ts';

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
}

/** What became of a row. */
export type Outcome<Write extends RowWrite = RowWrite> =
  | { readonly write: Write; readonly result: RowResult }
  | { readonly write: Write; readonly problems: readonly RowProblem[] };

/** Writes operations in one transaction: an answer to each, or a failure of them all. */
export type WriteBatch = (
  operations: readonly ImportOperation[],
) => Promise<readonly (RowResult | ApiError)[]>;

/** Changes of records: a batch is refused as a whole. */
export function recordBatches(context: WriteContext, object: ObjectModel): WriteBatch {
  return async (operations) => {
    const batch = operations.length > 1;
    const written = operations as readonly WriteOperation[];
    const request = { operations: written, source: 'import', batch, answered: [] } as const;
    return (await writeRecords(context, object, request)).results;
  };
}

/** Comments on records of `object`: those that are refused do not hold back the others. */
export function commentBatches(context: WriteContext, object: ObjectModel): WriteBatch {
  return async (operations) => {
    const comments = (operations as readonly CommentOperation[]).map(
      ({ comment_id, record_id, author_user_id, ...comment }) => ({
        ...comment,
        id: record_id,
        comment_id,
        author_user_id: author_user_id ?? context.caller.user.id,
      }),
    );
    const outcomes = await importComments(context, object, comments);
    return outcomes.map((outcome, index) => {
      if ('refused' in outcome) return outcome.refused;
      return { id: comments[index]?.comment_id as string, changed: false, ...outcome };
    });
  };
}

/** Write these rows; the outcomes are in no particular order. */
export async function writeRows<Write extends RowWrite>(
  writeBatch: WriteBatch,
  writes: readonly Write[],
): Promise<readonly Outcome<Write>[]> {
  if (writes.length === 0) return [];
  try {
    const operations = writes.map(({ operation }) => operation);
    // When the answer is lost, a create may have happened: once more could make it twice.
    const isRepeatable = operations.every(({ action }) => action !== 'create');
    const attempt = () => writeBatch(operations);
    const results = await (isRepeatable ? patiently(attempt) : attempt());
    return writes.map((write, index) => {
      const result = results[index] as RowResult | ApiError;
      if (!(result instanceof ApiError)) return { write, result };
      return { write, problems: (problemsOf(result) ?? []).map(rowProblem) };
    });
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    const [only] = writes;
    if (only !== undefined && writes.length === 1) {
      return [{ write: only, problems: problems.map(rowProblem) }];
    }
    return writeApart(writeBatch, writes, problems);
  }
}

/** Those named by a problem one by one, for another row may be the cause; the rest together. */
async function writeApart<Write extends RowWrite>(
  writeBatch: WriteBatch,
  writes: readonly Write[],
  problems: readonly Problem[],
): Promise<readonly Outcome<Write>[]> {
  const named = new Set(problems.map((problem) => problem.operation_index));
  const suspects = named.has(undefined) ? writes : writes.filter((_, index) => named.has(index));
  const rest = writes.filter((write) => !suspects.includes(write));
  const outcomes = [...(await writeRows(writeBatch, rest))];
  for (const write of suspects) outcomes.push(...(await writeRows(writeBatch, [write])));
  return outcomes;
}

/** Values the database itself refuses: wrong data, broken constraints, rows that are too long. */
const REFUSED_BY_DATABASE = /^(?:22|23|54)/;

/** What is wrong with the rows; undefined when the failure has nothing to do with them. */
function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (isDatabaseError(error) && REFUSED_BY_DATABASE.test(error.code ?? '')) {
    return [{ code: 'invalid_write', message: `The database refused the row (${error.code}).` }];
  }
  if (!(error instanceof ApiError) || error.status >= 500) return undefined;
  const { code, message, param } = error;
  const listed = error.details?.errors as readonly Problem[] | undefined;
  return listed ?? [param === undefined ? { code, message } : { code, message, param }];
}

function rowProblem({ param = '', message }: Problem): RowProblem {
  const field = param.replace(/^operations\[\d+\]\.?/, '').replace(/^(?:fields|match)\./, '');
  return { field, reason: message };
}
