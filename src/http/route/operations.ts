// The metrics of the process for operators, on a port of its own that clients need not reach.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../answer/metrics.ts';

/** Where the metrics come from: this process, or all workers together. */
export type MetricsSource = Pick<Metrics, 'text' | 'contentType'>;

export interface OperationsServer {
  readonly port: number;
  close(): Promise<void>;
}

const CONNECTIONS = 100;
/** Milliseconds in which something has to move on a connection. */
const IDLE = 60_000;
const TIMEOUTS = Object.freeze({ headersTimeout: 10_000, requestTimeout: 15_000 });

/** Serve `GET /metrics`. Rejects with the system's error (`EADDRINUSE`). */
export function serveMetrics(
  source: MetricsSource,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<OperationsServer> {
  const server = http.createServer(TIMEOUTS, (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    source.text().then(
      (text) => response.writeHead(200, { 'Content-Type': source.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  // Limits connections, and closes those whose clients read nothing or send incomplete requests.
  server.maxConnections = CONNECTIONS;
  server.setTimeout(IDLE);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close() {
          server.closeAllConnections();
          return new Promise((done) => server.close(() => done()));
        },
      });
    });
  });
}
