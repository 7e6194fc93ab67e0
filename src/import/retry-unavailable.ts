// Retries while the database is busy or restarting, so that a long import survives it.

import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, isDefinitionChanged } from '../errors.ts';

const TRIES = 10;
const PAUSE_MS = 1000;

/** Retry while the database does not answer. `work` must be idempotent. With another definition it begins again elsewhere. */
export async function retryWhileUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === 'service_unavailable';
      if (!isBusy || isDefinitionChanged(error) || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
