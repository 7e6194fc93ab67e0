// Sent bytes in the buffers of the operating system that the peer has not acknowledged. Linux reports them in
// /proc; other systems do not.

import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Bytes. */
export type KernelQueues = ReadonlyMap<Socket, number>;

/** Undefined where the system does not report it. A socket that is not listed has none. */
export async function loadKernelQueues(
  sockets: readonly Socket[],
): Promise<KernelQueues | undefined> {
  const tables = await Promise.all([
    readFile('/proc/self/net/tcp', 'latin1').catch(() => undefined),
    readFile('/proc/self/net/tcp6', 'latin1').catch(() => undefined),
  ]);
  if (tables.every((table) => table === undefined)) return undefined;
  const wanted = new Map<string, Socket>();
  for (const socket of sockets) {
    wanted.set(`${hex(socket.localPort)} ${hex(socket.remotePort)}`, socket);
  }
  const queues = new Map<Socket, number>();
  for (const table of tables) addQueues(queues, wanted, table ?? '');
  return queues;
}

/** `sl local_address rem_address st tx_queue:rx_queue …`, in hexadecimal digits. */
const ROW = /^ *\d+: \w+:(\w{4}) \w+:(\w{4}) \w\w (\w{8}):/gm;

/** Ports are enough: rows of two addresses that have the same ports count together. */
function addQueues(
  queues: Map<Socket, number>,
  wanted: ReadonlyMap<string, Socket>,
  table: string,
): void {
  for (const [, local, remote, bytes = ''] of table.matchAll(ROW)) {
    const socket = wanted.get(`${local} ${remote}`);
    if (socket === undefined) continue;
    queues.set(socket, (queues.get(socket) ?? 0) + Number.parseInt(bytes, 16));
  }
}

function hex(port = 0): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
