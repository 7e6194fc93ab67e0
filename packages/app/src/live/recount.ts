// Figures that count all records of an object, such as those of reports: asked again at once after a change, and after that
// not before the answer has come and a pause has passed, however many events come meanwhile.

/** Changes of the records of an object since its figures were asked. */
export interface CountedChanges {
  /** Keys that may have changed. */
  readonly fields: ReadonlySet<string>;
  /** Records have come or gone. */
  readonly isOther: boolean;
}

export interface Recount {
  note(type: string, changes: CountedChanges): void;
  stop(): void;
}

/** Milliseconds. */
const PAUSE = 1000;

export function openRecount(
  ask: (type: string, changes: CountedChanges) => Promise<unknown>,
  pause = PAUSE,
): Recount {
  /** The changes since the last request, by object type, while figures are requested or were a moment ago. */
  const later = new Map<string, CountedChanges | undefined>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let isStopped = false;
  async function run(type: string, changes: CountedChanges): Promise<void> {
    later.set(type, undefined);
    // A failure is that of the queries, which show it.
    await ask(type, changes).catch(() => undefined);
    if (!isStopped)
      timers.set(
        type,
        setTimeout(() => next(type), pause),
      );
  }
  function next(type: string): void {
    const changes = later.get(type);
    timers.delete(type);
    later.delete(type);
    if (changes !== undefined) void run(type, changes);
  }
  return {
    note(type, changes) {
      if (later.has(type)) later.set(type, merged(later.get(type), changes));
      else void run(type, changes);
    },
    stop() {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

function merged(one: CountedChanges | undefined, other: CountedChanges): CountedChanges {
  if (one === undefined) return other;
  const fields = new Set([...one.fields, ...other.fields]);
  return { fields, isOther: one.isOther || other.isOther };
}
