// Runs a limited number of write tasks in parallel, in a job; the first failure is thrown by the next `start` or
// `settle`.

import { limitConcurrency } from './limit-concurrency.ts';

export interface ParallelWriters {
  /** Start a task as soon as fewer than `count` run; resolves when it has started. */
  start(task: () => Promise<void>): Promise<void>;
  /** Wait until every task has ended, and throw the first failure. */
  settle(): Promise<void>;
  /** Wait until every task has ended, one way or the other. */
  idle(): Promise<void>;
}

export function openParallelWriters(count: number): ParallelWriters {
  const inTurn = limitConcurrency(count);
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0];
  };
  const idle = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  function run(task: () => Promise<void>, onStart: () => void): void {
    const writer: Promise<void> = inTurn(async () => {
      onStart();
      if (failures.length === 0) await task();
    })
      .catch((error: unknown) => {
        failures.push(error);
      })
      .finally(() => {
        running.delete(writer);
      });
    running.add(writer);
  }
  return {
    async start(task) {
      await new Promise<void>((resolve) => run(task, resolve));
      throwFailure();
    },
    async settle() {
      await idle();
      throwFailure();
    },
    idle,
  };
}
