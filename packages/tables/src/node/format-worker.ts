// The thread of format-thread.ts: sends the rows of a file, some at a time, and waits while the reader has enough.

import { parentPort, workerData } from 'node:worker_threads';
import { openFormat } from '../formats/open-format.ts';
import { wholeOf } from '../joined-bytes.ts';
import { faultOf } from '../table-fault.ts';
import type { ThreadData, ThreadMessage } from './format-thread.ts';

/** Batches that are sent and not yet used. */
const MOST_WAITING = 4;

const { format, bytes, choices, used } = workerData as ThreadData;
const send = (message: ThreadMessage) => parentPort?.postMessage(message);

try {
  let sent = 0;
  for await (const batch of openFormat(format, wholeOf(bytes), choices)) {
    send({ batch });
    sent += 1;
    // Messages would pile up otherwise.
    for (let seen = used[0] ?? 0; sent - seen > MOST_WAITING; seen = used[0] ?? 0) {
      Atomics.wait(used, 0, seen);
    }
  }
  send({ isDone: true });
} catch (error) {
  const fault = faultOf(error);
  if (fault === undefined) throw error;
  send({ fault });
}
