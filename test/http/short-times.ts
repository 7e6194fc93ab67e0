// A server that waits for its clients a tenth as long: the times that the service gives node:http are
// looked at, and made shorter for a server that is started meanwhile.

import http from 'node:http';
import { expect, vi } from 'vitest';

/** Milliseconds; docs/operations.md shows them. */
const GIVEN = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 1000 };
export const FASTER = 10;

/** Start a server with these values. */
export async function withShortTimes<Server>(start: () => Promise<Server>): Promise<Server> {
  const createServer = http.createServer.bind(http);
  const short = Object.entries(GIVEN).map(([name, time]) => [name, time / FASTER]);
  const spy = vi.spyOn(http, 'createServer').mockImplementation(((
    options: http.ServerOptions,
    listener: http.RequestListener,
  ) => {
    expect(options).toMatchObject(GIVEN);
    return createServer({ ...options, ...Object.fromEntries(short) }, listener);
  }) as typeof http.createServer);
  try {
    const server = await start();
    expect(spy).toHaveBeenCalledOnce();
    return server;
  } finally {
    spy.mockRestore();
  }
}
