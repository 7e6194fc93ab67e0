// A process with thousands of idle connections: idle after one answer, or stopped in the middle of their headers.
// Reports their state.

import net from 'node:net';

export interface IdleTask {
  readonly port: number;
  readonly connections: number;
  /** `idle`: one request each, then silence; `half`: the headers never end. */
  readonly kind: 'idle' | 'half';
  readonly secret: string;
}

export interface IdleReport {
  readonly open: number;
  /** Connections that were closed, and how many of them with 408 before. */
  readonly closed: number;
  readonly timedOut: number;
  /** Milliseconds from the connection to the last 408. */
  readonly latest: number;
}

const AT_ONCE = 100;
const state = { open: 0, closed: 0, timedOut: 0, latest: 0 };

function connectOne({ port, kind, secret }: IdleTask): Promise<void> {
  const head = `GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\n`;
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    const begun = performance.now();
    socket.on('error', () => undefined);
    socket.on('connect', () => {
      state.open += 1;
      socket.write(kind === 'idle' ? `${head}\r\n` : head);
      if (kind === 'half') resolve();
    });
    socket.on('data', (chunk: Buffer) => {
      if (chunk.includes('HTTP/1.1 408')) {
        state.timedOut += 1;
        state.latest = Math.max(state.latest, performance.now() - begun);
      }
      resolve();
    });
    socket.on('close', () => {
      if (!socket.connecting) state.closed += 1;
      resolve();
    });
  });
}

async function connectAll(task: IdleTask): Promise<void> {
  let left = task.connections;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await connectOne(task);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

process.on('message', async (message: IdleTask | 'report') => {
  if (message !== 'report') await connectAll(message);
  const { open, closed, timedOut, latest } = state;
  process.send?.({ open: open - closed, closed, timedOut, latest } satisfies IdleReport);
});
process.on('disconnect', () => process.exit(0));
