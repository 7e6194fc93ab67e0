// Listening: on the configured address; on all addresses of `localhost`, which are one for IPv4 and
// one for IPv6 on most systems.

import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Connections that wait to be accepted; when there is no room, a client tries again after a
 * second.
 */
const BACKLOG = 4096;

/** Servers that listen, and their port. Rejects with the system's error (`EADDRINUSE`). */
export async function listenOn(
  { host, port }: Address,
  createServer: () => Server,
): Promise<{ readonly servers: readonly Server[]; readonly port: number }> {
  const [first = host, ...otherAddresses] = host === 'localhost' ? await addressesOf(host) : [host];
  const server = createServer();
  await listen(server, { host: first, port });
  const bound = (server.address() as AddressInfo).port;
  const servers = [server];
  for (const other of otherAddresses) {
    const another = createServer();
    // A name in a file of hosts need not be an address of this machine.
    const isBound = await listen(another, { host: other, port: bound }).then(
      () => true,
      () => false,
    );
    if (isBound) servers.push(another);
  }
  return { servers, port: bound };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
