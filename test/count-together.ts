// Counting of requests as beside another process (D851): rate windows that a test changes are read by the next request.

import { setTimeout as sleep } from 'node:timers/promises';
import { COUNTED_MS } from '../src/control/people/rate-lease.ts';
import type { OwnDatabase } from './own-database.ts';

/** For a minute no process counts in its memory. */
export async function shareCounting({ rows }: Pick<OwnDatabase, 'rows'>): Promise<void> {
  await rows(`insert into workspace_records.rate_counting (mixed_at) values (clock_timestamp())
    on conflict (only_row) do update set mixed_at = excluded.mixed_at`);
  await sleep(COUNTED_MS);
}
