// Runs a bounded number of write tasks in parallel; the first failure is thrown by the next `start` or
// `settle`.

export interface ParallelWriters {
  /** Start a task as soon as fewer than `count` run; resolves when it has started. */
  start(task: () => Promise<void>): Promise<void>;
  /** Wait until every task has ended, and throw the first failure. */
  settle(): Promise<void>;
  /** Wait until every task has ended, one way or the other. */
  idle(): Promise<void>;
}

export function openParallelWriters(count: number): ParallelWriters {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0];
  };
  const idle = async () => {
    while (running.size > 0) await Promise.race(running);
  };
  return {
    async start(task) {
      while (running.size >= count) await Promise.race(running);
      throwFailure();
      const writer: Promise<void> = task()
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => {
          running.delete(writer);
        });
      running.add(writer);
    },
    async settle() {
      await idle();
      throwFailure();
    },
    idle,
  };
}
