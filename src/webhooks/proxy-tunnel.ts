// Connections through a proxy, by CONNECT (RFC 9110 §9.3.6), also for receivers without TLS. The proxy resolves names
// and has to check their addresses.

import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';
import type { Scheme } from './addresses.ts';
import { sendError } from './send-failure.ts';

type Connected = (error: Error | null, socket?: Duplex) => void;

/** As an agent of node:http makes connections; the limit is in milliseconds. */
export function openTunnels(proxy: URL, scheme: Scheme, timeLimit: number) {
  return (receiver: tls.ConnectionOptions, connected: Connected): undefined => {
    const tunnel = requestTunnel(proxy, receiver);
    const fail = (message: string) => {
      tunnel.destroy();
      connected(sendError('proxy', message));
    };
    const timer = setTimeout(() => fail('The proxy did not answer in time.'), timeLimit);
    timer.unref();
    tunnel.on('connect', ({ statusCode }, socket, head) => {
      clearTimeout(timer);
      if (statusCode !== 200) fail(`The proxy has refused the connection (${statusCode}).`);
      // No request has been sent to the receiver, so it has nothing to say.
      else if (head.length > 0) fail('The proxy does not speak CONNECT.');
      else connected(null, inTunnel(socket, receiver, scheme));
    });
    tunnel.on('response', ({ statusCode }) => {
      clearTimeout(timer);
      fail(`The proxy has refused the connection (${statusCode}).`);
    });
    tunnel.on('error', () => {
      clearTimeout(timer);
      fail('The proxy cannot be reached.');
    });
    tunnel.end();
  };
}

function requestTunnel(proxy: URL, { host, port }: tls.ConnectionOptions): http.ClientRequest {
  const place = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
  const account = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization = `Basic ${Buffer.from(account).toString('base64')}`;
  const { request } = proxy.protocol === 'https:' ? https : http;
  return request({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port === '' ? DEFAULT_PORTS[proxy.protocol] : Number(proxy.port),
    path: place,
    headers: { host: place, ...(account === ':' ? {} : { 'proxy-authorization': authorization }) },
    agent: false,
    rejectUnauthorized: true,
  });
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

function inTunnel(socket: Socket, receiver: tls.ConnectionOptions, scheme: Scheme): Duplex {
  return scheme === 'https:' ? tls.connect({ ...receiver, socket }) : socket;
}
