// The network between a browser and the service: it can be cut, and counts the streams that are open through it.

import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BreakableNetwork {
  /** The same address by way of this network. */
  through(address: string): string;
  /** Streams of live events that are open. */
  streams(): number;
  /** The number of opened connections. */
  opened(): number;
  /** Every connection breaks, and none is made. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function openBreakableNetwork(port: number): Promise<BreakableNetwork> {
  let isCut = false;
  let opened = 0;
  const streams = new Set<http.IncomingMessage>();
  const server = http.createServer((request, response) => {
    if (isCut) {
      request.socket.destroy();
      return;
    }
    if (request.url === '/v1/events/stream') {
      opened += 1;
      streams.add(request);
      response.on('close', () => streams.delete(request));
    }
    pass(port, request, response);
  });
  // The service's `Keep-Alive` passes, which promises more than the 5 s of Node.js: an idle connection stays.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    through: (address) => address.replace(`:${port}/`, `:${own}/`),
    streams: () => streams.size,
    opened: () => opened,
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    restore() {
      isCut = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(port: number, request: http.IncomingMessage, response: http.ServerResponse): void {
  const { method, url, headers } = request;
  const sent = http.request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  response.on('close', () => sent.destroy());
  request.pipe(sent);
}
