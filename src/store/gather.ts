// Many small questions, one statement: what is asked while a statement is in flight, or in one turn of
// the event loop, is answered together by the next. It knows nothing of what is asked.

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchingOptions<Item> {
  /** Statements in flight at once (1). */
  readonly atOnce?: number;
  /** Most questions in one statement (1,000); the rest wait for the next. */
  readonly most?: number;
  /** A statement that takes longer than so many milliseconds holds up nobody. */
  readonly overdue?: number;
  /** Of items with a name in common one is in flight at a time, until it is overdue. */
  readonly names?: (item: Item) => readonly string[];
  /** Milliseconds that one that is alone waits for another (0). */
  readonly partnerWithin?: number;
  /** Called when nothing is in flight and nobody waits. */
  readonly onIdle?: () => void;
}

/** Milliseconds after which those behind a statement that fails have waited long enough. */
const PATIENCE = 1000;

/**
 * A function that asks for one item and is answered by `run`, which gets many and answers in their
 * order. When it fails, all its items fail with its error, and so do those that wait behind it when it
 * took long: the next one would take as long again.
 */
export function batchRequests<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  {
    atOnce = 1,
    most = 1000,
    overdue,
    names,
    partnerWithin = 0,
    onIdle,
  }: BatchingOptions<Item> = {},
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const busy = new Set<string>();
  let inFlight = 0;
  let starting = false;

  function start(): void {
    if (starting || inFlight >= atOnce || waiting.length === 0) return;
    starting = true;
    const isAlone = waiting.length === 1 && partnerWithin > 0;
    // After the poll phase: everything that arrived in this turn is then waiting.
    const begin = isAlone ? (run: () => void) => setTimeout(run, partnerWithin) : setImmediate;
    begin(() => {
      starting = false;
      const taken = take();
      // Those that are left wait for the same names: the next start is when one of them arrives.
      if (taken.length === 0) return;
      void runOnce(taken);
      start();
    });
  }

  function take(): readonly Waiting<Item, Result>[] {
    if (names === undefined) return waiting.splice(0, most);
    const taken: Waiting<Item, Result>[] = [];
    waiting = waiting.filter((one) => {
      const own = names(one.item);
      if (taken.length === most || own.some((name) => busy.has(name))) return true;
      for (const name of own) busy.add(name);
      taken.push(one);
      return false;
    });
    return taken;
  }

  /** More in flight, until the answer is there or overdue. */
  function depart(taken: readonly Waiting<Item, Result>[]): () => void {
    inFlight += 1;
    let isOut = true;
    const arrive = () => {
      clearTimeout(timer);
      if (!isOut) return;
      isOut = false;
      inFlight -= 1;
      for (const name of taken.flatMap(({ item }) => names?.(item) ?? [])) busy.delete(name);
      if (inFlight === 0 && waiting.length === 0) onIdle?.();
      start();
    };
    const timer = overdue === undefined ? undefined : setTimeout(arrive, overdue);
    return arrive;
  }

  async function runOnce(taken: readonly Waiting<Item, Result>[]): Promise<void> {
    const begun = performance.now();
    const arrive = depart(taken);
    try {
      const results = await run(taken.map(({ item }) => item));
      taken.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      const late = performance.now() - begun > PATIENCE ? waiting.splice(0) : [];
      for (const { reject } of [...taken, ...late]) reject(error);
    }
    arrive();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      start();
    });
}
