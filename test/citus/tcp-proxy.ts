// A server that can be lost: connections to it go through here, and are cut and refused for as long as a test wants.

import { once } from 'node:events';
import net from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Cut the open connections, and refuse new ones. */
  lose(): Promise<void>;
  bringBack(): Promise<void>;
  close(): Promise<void>;
}

export async function openTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = net.createServer((client) => {
    const isSocket = host.startsWith('/');
    const there = isSocket ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
    for (const one of [client, there]) keep(one);
    client.pipe(there).pipe(client);
    client.once('close', () => there.destroy());
    there.once('close', () => client.destroy());
  });
  const listen = async (wanted: number) => {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const own = (server.address() as net.AddressInfo).port;
  const lose = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port: own,
    lose,
    bringBack: () => (server.listening ? Promise.resolve() : listen(own)),
    close: lose,
  };
}
