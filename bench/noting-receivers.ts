// Receivers of webhooks for benchmarks: they note when requests arrive, and for how long each event was on its way.

import type { ServerResponse } from 'node:http';
import { type LocalServer, openServer } from '../faults/webhook-site.ts';

export interface NotingReceiver extends LocalServer {
  /** Milliseconds from the write of each event to its arrival. */
  readonly delays: number[];
  readonly pings: () => number;
  /** Answer no further request but pings. */
  hang(): void;
}

export async function openReceiver(): Promise<NotingReceiver> {
  const delays: number[] = [];
  let pings = 0;
  let hangs = false;
  const server = await openServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { type, timestamp } = JSON.parse(Buffer.concat(chunks).toString());
      if (type === 'ping') pings += 1;
      else delays.push(Date.now() - Date.parse(timestamp));
      if (type === 'ping' || !hangs) answer(response);
    });
  });
  return {
    ...server,
    ...{ delays, pings: () => pings },
    hang() {
      hangs = true;
    },
  };
}

function answer(response: ServerResponse): void {
  response.writeHead(204).end();
}
