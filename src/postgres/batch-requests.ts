// Many small queries, one statement: items that arrive while a statement is in flight, or in one turn of the event
// loop, are answered together by the next. It does not depend on the kind of query.

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchingOptions<Item> {
  /** Statements in flight at once (1). */
  readonly atOnce?: number;
  /** Most questions in one statement (1,000); the rest wait for the next. */
  readonly most?: number | undefined;
  /** No request waits for a statement that takes longer than so many milliseconds. */
  readonly overdue?: number | undefined;
  /** The names of an item. Of items that share a name one is in flight at a time, until it is overdue. */
  readonly names?: ((item: Item) => readonly string[]) | undefined;
  /** Milliseconds that one that is alone waits for another (0). */
  readonly partnerWithin?: number;
  /** Called when no statement is in flight and no item waits. */
  readonly onIdle?: (() => void) | undefined;
}

/** Milliseconds after which those behind a statement that fails have waited long enough. */
const TOO_LONG_MS = 1000;

/**
 * A function for one item that `run` answers: `run` gets many and returns results in their order. When it fails, all
 * its items fail with its error; when it took long, the waiting items fail as well, because the next statement would
 * take as long again.
 */
export function batchRequests<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: BatchingOptions<Item> = {},
): (item: Item) => Promise<Result> {
  // Key by key: a queue is made for most reads, and copies of objects took half of that.
  const state: State<Item, Result> = {
    run,
    atOnce: options.atOnce ?? 1,
    most: options.most ?? 1000,
    overdue: options.overdue,
    names: options.names,
    partnerWithin: options.partnerWithin ?? 0,
    onIdle: options.onIdle,
    waiting: [],
    busy: new Set(),
    inFlight: 0,
    starting: false,
  };
  return (item) =>
    new Promise((resolve, reject) => {
      state.waiting.push({ item, resolve, reject });
      start(state);
    });
}

interface State<Item, Result> {
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly atOnce: number;
  readonly most: number;
  readonly overdue: number | undefined;
  readonly names: BatchingOptions<Item>['names'];
  readonly partnerWithin: number;
  readonly onIdle: (() => void) | undefined;
  waiting: Waiting<Item, Result>[];
  /** Names of items that are in flight. */
  readonly busy: Set<string>;
  inFlight: number;
  starting: boolean;
}

function start<Item, Result>(state: State<Item, Result>): void {
  const { atOnce, partnerWithin, waiting } = state;
  if (state.starting || state.inFlight >= atOnce || waiting.length === 0) return;
  state.starting = true;
  const isAlone = waiting.length === 1 && partnerWithin > 0;
  // After the poll phase: everything that arrived in this turn is then waiting.
  const begin = isAlone ? (run: () => void) => setTimeout(run, partnerWithin) : setImmediate;
  begin(() => {
    state.starting = false;
    const taken = take(state);
    // The remaining items wait for the same names: the next start is when one of them arrives.
    if (taken.length === 0) return;
    void runOnce(state, taken);
    start(state);
  });
}

function take<Item, Result>(state: State<Item, Result>): readonly Waiting<Item, Result>[] {
  const { names, most, busy } = state;
  if (names === undefined) return state.waiting.splice(0, most);
  const taken: Waiting<Item, Result>[] = [];
  state.waiting = state.waiting.filter((one) => {
    const own = names(one.item);
    if (taken.length === most || own.some((name) => busy.has(name))) return true;
    for (const name of own) busy.add(name);
    taken.push(one);
    return false;
  });
  return taken;
}

/** Counts a batch as in flight until the returned function is called or its answer is overdue. */
function depart<Item, Result>(
  state: State<Item, Result>,
  taken: readonly Waiting<Item, Result>[],
): () => void {
  const { overdue, onIdle } = state;
  state.inFlight += 1;
  let isOut = true;
  const arrive = () => {
    clearTimeout(timer);
    if (!isOut) return;
    isOut = false;
    state.inFlight -= 1;
    freeNames(state, taken);
    if (state.inFlight === 0 && state.waiting.length === 0) onIdle?.();
    start(state);
  };
  const timer = overdue === undefined ? undefined : setTimeout(arrive, overdue);
  return arrive;
}

function freeNames<Item, Result>(
  { names, busy }: State<Item, Result>,
  taken: readonly Waiting<Item, Result>[],
): void {
  if (names === undefined) return;
  for (const { item } of taken) for (const name of names(item)) busy.delete(name);
}

async function runOnce<Item, Result>(
  state: State<Item, Result>,
  taken: readonly Waiting<Item, Result>[],
): Promise<void> {
  const begun = performance.now();
  const arrive = depart(state, taken);
  try {
    const results = await state.run(taken.map(({ item }) => item));
    taken.forEach(({ resolve }, index) => {
      resolve(results[index] as Result);
    });
  } catch (error) {
    const late = performance.now() - begun > TOO_LONG_MS ? state.waiting.splice(0) : [];
    for (const { reject } of [...taken, ...late]) reject(error);
  }
  arrive();
}
