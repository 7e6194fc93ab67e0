// Limits of connections: in all, and of one address when few are left.

import type { Server, Socket } from 'node:net';

/** The last ones are reserved for addresses that hold less than half of the others. */
const KEPT = 1000;
const KEPT_PART = 12;
/** Connections beyond all that get an answer; others are closed at once. */
const ANSWERED = 256;
const ANSWERED_PART = 4;

export interface PeerLimits {
  /** True for proxies, which bring the connections of many clients. */
  readonly isTrusted: (address: string) => boolean;
  readonly most: number;
  readonly kept?: number;
  /** Answers and closes a connection. */
  readonly refuse: (socket: Socket) => void;
}

/** Admit the connections of a server. A trusted proxy may have them all. */
export function limitPeers(
  server: Server,
  { isTrusted, most, kept = Math.min(KEPT, Math.ceil(most / KEPT_PART)), refuse }: PeerLimits,
): (socket: Socket) => void {
  const held = new Map<string, number>();
  let open = 0;
  server.maxConnections = most + Math.min(ANSWERED, Math.ceil(most / ANSWERED_PART));
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    const connections = (held.get(address) ?? 0) + 1;
    open += 1;
    held.set(address, connections);
    socket.once('close', () => {
      open -= 1;
      const rest = (held.get(address) ?? 1) - 1;
      if (rest === 0) held.delete(address);
      else held.set(address, rest);
    });
    const isScarce = open > most - kept;
    const isRefused = isScarce && connections * 2 > most - kept && !isTrusted(address);
    if (open > most || isRefused) refuse(socket);
  };
}
