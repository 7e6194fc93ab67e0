// A receiver of webhooks on a real socket, which counts its connections.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { WebhookRequest } from '../../src/webhooks/send.ts';
import { makeWebhookSecret } from '../../src/webhooks/signature.ts';

export interface Receiver {
  readonly port: number;
  /** Connections since the start. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Listen with any server, on an address of this machine. */
export async function listen(server: NetServer, host = '127.0.0.1'): Promise<Receiver> {
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** An HTTP server; its connections stay open. */
export function receive(answer: RequestListener, host?: string): Promise<Receiver> {
  const server: Server = createServer({ keepAliveTimeout: 60_000 }, answer);
  return listen(server, host);
}

export const SECRET = makeWebhookSecret();

export function webhookTo(url: string, more: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    ...{ receiver: 'one', url, id: 'evt_1', attempt: 1, body: '{"type":"ping"}' },
    ...{ secrets: [SECRET], headers: {} },
    ...more,
  };
}
