// Waits for a database that is busy or being restarted, so that a long import outlives it.

import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors.ts';

const TRIES = 10;
const PAUSE_MS = 1000;

/** Try again while the database does not answer. What `work` does must bear repetition. */
export async function retryWhileUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === 'service_unavailable';
      if (!isBusy || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
