// Writes the valid items of a batch when others are refused (D450): it splits a refused batch until every other item is
// written. Bulk changes and imports use it; it knows neither of them.

import { ApiError, type Problem } from '../../errors.ts';
import { REPEATED_RECORD } from '../../plan/write/write-plan.ts';
import { problemsOf, VALUE_HELD, VALUE_REPEATED } from './write-failure.ts';

export interface PartialWriter<Item> {
  /** The word for an item in a refusal of the database. */
  readonly what: 'change' | 'row';
  /** Write all of these items, or none and fail. The problems of a refusal have `operation_index`. */
  write(items: readonly Item[]): Promise<void>;
  /** Called once for each item that is not written. */
  refuse(item: Item, reasons: readonly Reason[]): void;
}

export interface Reason {
  /** Key of the field; '' for the item as a whole. */
  readonly field: string;
  readonly reason: string;
}

/**
 * Write each item once, or refuse it: for problems that validation finds in it, or alone, after all other items were
 * tried. Validation names up to 100 problems at once, the database one item or none. Of n items, k that the database
 * refuses cost at most 3k + 1 calls of `write` with names and k · (2 log₂ n + 3) + 1 without; unique values are named
 * together, and cost no call each (D882). Errors: those that are
 * no refusals; what earlier calls have written stays.
 */
export async function writePartially<Item>(
  items: readonly Item[],
  writer: PartialWriter<Item>,
): Promise<void> {
  const run: Splitting<Item> = { ...writer, state: { doubtful: [], writes: 0 }, isPart: false };
  await writeOrSplit(run, items);
  const { state } = run;
  // Of many that the database has refused, those are known together whose values records have now.
  const again = state.doubtful.filter(
    ({ isOfValue, alone }) => isOfValue && alone?.writes !== state.writes,
  );
  if (again.length > 1) {
    state.doubtful = state.doubtful.filter((one) => !again.includes(one));
    await writeOrSplit(
      { ...run, isPart: true },
      again.map(({ item }) => item),
    );
  }
  for (const { item, alone } of state.doubtful) {
    const refusal = alone?.writes === state.writes ? alone.refusal : await attempt(run, [item]);
    if (refusal !== undefined) writer.refuse(item, reasonsOf(refusal.problems));
  }
}

/** The problems of each field, wherever the operation is in its request. */
export function reasonsOf(problems: readonly Problem[]): readonly Reason[] {
  return problems.map(({ param = '', message }) => {
    const field = param.replace(/^operations\[\d+\]\.?/, '').replace(/^(?:fields|match)\./, '');
    return { field, reason: message.text };
  });
}

interface Splitting<Item> extends PartialWriter<Item> {
  readonly state: {
    /** Calls of `write` that succeeded. */
    writes: number;
    doubtful: Doubtful<Item>[];
  };
  /** True when items outside of the batch are not written or refused yet. */
  readonly isPart: boolean;
}

/** An item that was refused, perhaps because of other items: it is tried alone at the end. */
interface Doubtful<Item> {
  readonly item: Item;
  /** True: it was refused for a unique value that another one has. */
  readonly isOfValue: boolean;
  /** The refusal that it had or would have had alone, after so many calls that succeeded. */
  readonly alone:
    | { readonly refusal: Pick<Refusal, 'problems'>; readonly writes: number }
    | undefined;
}

async function writeOrSplit<Item>(run: Splitting<Item>, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  const refusal = await attempt(run, items);
  if (refusal === undefined) return;
  const problemsByItem = namedItems(refusal, items.length);
  const { state, isPart } = run;
  const alone = items.length === 1 ? { refusal, writes: state.writes } : undefined;
  const rest: Item[] = [];
  for (const [index, item] of items.entries()) {
    const problems = problemsByItem.get(index);
    if (problems === undefined) rest.push(item);
    else if (problems.every((one) => isCertain(one, refusal, isPart))) {
      run.refuse(item, reasonsOf(problems));
    } else {
      const isHeld = problems.every(({ message }) => message === VALUE_HELD);
      const held = isHeld ? { refusal: { problems }, writes: state.writes } : undefined;
      const isOfValue = isHeld || problems.every(({ message }) => message === VALUE_REPEATED);
      state.doubtful.push({ item, isOfValue, alone: alone ?? held });
    }
  }
  // The database names only the first item of several: after the second refusal there may be many more.
  const isSplit = problemsByItem.size === 0 || (refusal.isOfDatabase && isPart);
  if (!isSplit) return writeOrSplit({ ...run, isPart: isPart || state.doubtful.length > 0 }, rest);
  const middle = Math.ceil(rest.length / 2);
  await writeOrSplit({ ...run, isPart: true }, rest.slice(0, middle));
  await writeOrSplit({ ...run, isPart: true }, rest.slice(middle));
}

interface Refusal {
  readonly problems: readonly Problem[];
  /** True when a statement failed, and not the validation before it. */
  readonly isOfDatabase: boolean;
  /** True when there are more problems than these. */
  readonly isCut: boolean;
}

/** Undefined: the items are written. Errors: those that are no refusals. */
async function attempt<Item>(
  { write, what, state }: Splitting<Item>,
  items: readonly Item[],
): Promise<Refusal | undefined> {
  try {
    await write(items);
    state.writes += 1;
    return undefined;
  } catch (error) {
    const problems = problemsOf(error, what);
    if (problems === undefined) throw error;
    const isOfDatabase = !(error instanceof ApiError) || error.cause !== undefined;
    const isCut = error instanceof ApiError && error.details?.more_errors !== undefined;
    return { problems, isOfDatabase, isCut };
  }
}

/** The problems of each named item, by its index; those of a single item are its own. */
function namedItems(
  { problems, isCut }: Refusal,
  count: number,
): ReadonlyMap<number, readonly Problem[]> {
  if (count === 1) return new Map([[0, problems]]);
  const problemsByItem = new Map<number, Problem[]>();
  let last = -1;
  for (const problem of problems) {
    const index = Number(problem.operation_index ?? -1);
    if (!(index >= 0 && index < count)) continue;
    problemsByItem.set(index, [...(problemsByItem.get(index) ?? []), problem]);
    last = index;
  }
  // The last one may have more problems. Its next refusal has all of them.
  if (isCut && problemsByItem.size > 1) problemsByItem.delete(last);
  return problemsByItem;
}

/** False when the problem may be due to other items: equal values, or records that refer to each other. */
function isCertain(problem: Problem, { isOfDatabase }: Refusal, isPart: boolean): boolean {
  if (isOfDatabase || problem.message === REPEATED_RECORD) return false;
  // A record that others require may be deleted with these or after them.
  return problem.code !== 'conflict' || !isPart;
}
