// Receivers of webhooks for benchmarks: they note when requests arrive, and for how long each event was on its way.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NotingReceiver {
  readonly url: string;
  /** Milliseconds from the write of each event to its arrival. */
  readonly delays: number[];
  readonly pings: () => number;
  /** Answer no further request but pings. */
  hang(): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<NotingReceiver> {
  const delays: number[] = [];
  let pings = 0;
  let hangs = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { type, timestamp } = JSON.parse(Buffer.concat(chunks).toString());
      if (type === 'ping') pings += 1;
      else delays.push(Date.now() - Date.parse(timestamp));
      if (type === 'ping' || !hangs) answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    ...{ delays, pings: () => pings },
    hang() {
      hangs = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse): void {
  response.writeHead(204).end();
}
