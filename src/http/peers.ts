// Limits of connections: in all, and of one address when few are left.

import type { Server, Socket } from 'node:net';

const CONNECTIONS = 12_000;
/** The last ones are reserved for addresses that hold less than half of the others. */
const KEPT = 1000;

/**
 * Admit the connections of a server; those beyond are closed at once. A trusted proxy brings the
 * connections of many clients, and is not limited.
 */
export function limitPeers(
  server: Server,
  isTrusted: (address: string) => boolean,
  { most, kept }: { readonly most: number; readonly kept: number } = {
    most: CONNECTIONS,
    kept: KEPT,
  },
): (socket: Socket) => void {
  const held = new Map<string, number>();
  let open = 0;
  server.maxConnections = most;
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    const own = (held.get(address) ?? 0) + 1;
    open += 1;
    held.set(address, own);
    socket.once('close', () => {
      open -= 1;
      const rest = (held.get(address) ?? 1) - 1;
      if (rest === 0) held.delete(address);
      else held.set(address, rest);
    });
    if (open > most - kept && own * 2 > most - kept && !isTrusted(address)) socket.destroy();
  };
}
