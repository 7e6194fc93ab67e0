// Many small questions, one statement: what is asked while a statement is in flight, or in one turn of
// the event loop, is answered together by the next. It knows nothing of what is asked.

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Most questions in one statement; the rest wait for the next. */
const MOST = 1000;
/** Milliseconds after which those behind a statement that fails have waited long enough. */
const PATIENCE = 1000;

/**
 * A function that asks for one item and is answered by `run`, which gets many and answers in their
 * order. One `run` is in flight at a time; when it fails, all its items fail with its error, and so do
 * those that wait behind it when it took long: the next one would take as long again.
 */
export function gather<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = false;

  function start(): void {
    running = true;
    // After the poll phase: everything that arrived in this turn is then waiting.
    setImmediate(() => void runOnce());
  }

  async function runOnce(): Promise<void> {
    const taken = waiting.splice(0, MOST);
    const begun = performance.now();
    try {
      const results = await run(taken.map(({ item }) => item));
      taken.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      const late = performance.now() - begun > PATIENCE ? waiting.splice(0) : [];
      for (const { reject } of [...taken, ...late]) reject(error);
    }
    running = false;
    if (waiting.length > 0) start();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) start();
    });
}
