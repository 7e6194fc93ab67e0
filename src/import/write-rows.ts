// Writes built rows through the write path, many in one batch. A batch that is refused is taken
// apart, so that only the rows at fault are rejected and all others are written.

import { ApiError, type Problem } from '../errors.ts';
import { type WriteContext, type WriteResult, writeRecords } from '../flow/write-flow.ts';
import type { ObjectModel } from '../model/model.ts';
import type { WriteOperation } from '../plan/write-plan.ts';
import { isDatabaseError } from '../store/db.ts';
import type { RowProblem } from './build-rows.ts';
import { patiently } from './patience.ts';
import type { SourceRow } from './read-rows.ts';

export interface RowWrite {
  readonly row: SourceRow;
  readonly key: string | undefined;
  readonly operation: WriteOperation;
}

/** What became of a row. */
export type Outcome<Write extends RowWrite = RowWrite> =
  | { readonly write: Write; readonly result: WriteResult }
  | { readonly write: Write; readonly problems: readonly RowProblem[] };

/** Write these rows; the outcomes are in no particular order. */
export async function writeRows<Write extends RowWrite>(
  context: WriteContext,
  object: ObjectModel,
  writes: readonly Write[],
): Promise<readonly Outcome<Write>[]> {
  if (writes.length === 0) return [];
  try {
    const operations = writes.map(({ operation }) => operation);
    const batch = operations.length > 1;
    const request = { operations, source: 'import', batch, answered: [] } as const;
    const write = () => writeRecords(context, object, request);
    // When the answer is lost, a create may have happened: once more could make it twice.
    const isRepeatable = operations.every(({ action }) => action !== 'create');
    const { results } = await (isRepeatable ? patiently(write) : write());
    return writes.map((write, index) => ({ write, result: results[index] as WriteResult }));
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    const [only] = writes;
    if (only !== undefined && writes.length === 1) {
      return [{ write: only, problems: problems.map(rowProblem) }];
    }
    return writeApart(context, object, writes, problems);
  }
}

/** Those named by a problem one by one, for another row may be the cause; the rest together. */
async function writeApart<Write extends RowWrite>(
  context: WriteContext,
  object: ObjectModel,
  writes: readonly Write[],
  problems: readonly Problem[],
): Promise<readonly Outcome<Write>[]> {
  const named = new Set(problems.map((problem) => problem.operation_index));
  const suspects = named.has(undefined) ? writes : writes.filter((_, index) => named.has(index));
  const rest = writes.filter((write) => !suspects.includes(write));
  const outcomes = [...(await writeRows(context, object, rest))];
  for (const write of suspects) outcomes.push(...(await writeRows(context, object, [write])));
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
