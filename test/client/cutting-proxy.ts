// A proxy in front of the service that fails on command: it loses requests, loses answers that the service has given,
// cuts them in the middle, or answers something else. It passes all other messages.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectNoCanary } from '../access/canary.ts';

/**
 * `lose_request`: the service never gets it. `lose_answer`: the service has done it. `half`: half of the body
 * arrives. `hang`: no byte ever arrives. An object: this answer, and the service never gets the request.
 */
export type Fault =
  | 'lose_request'
  | 'lose_answer'
  | 'half'
  | 'hang'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

export interface CuttingProxy {
  readonly baseUrl: string;
  /** Faults of the next requests, in order. */
  spoil(...faults: readonly Fault[]): void;
  /** End every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** An error of the service, as the service would answer it. */
export function refusal(status: number, code: string, retryAfter?: string): Fault {
  return {
    status,
    body: JSON.stringify({ error: { type: 'api_error', code, message: code, request_id: 'r' } }),
    ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } }),
  };
}

export async function openCuttingProxy(port: number): Promise<CuttingProxy> {
  const faults: Fault[] = [];
  const server = http.createServer((request, response) => {
    const fault = faults.shift();
    request.on('error', () => undefined);
    if (fault === 'lose_request') request.socket.destroy();
    else if (fault === 'hang') request.resume();
    else if (typeof fault === 'object') {
      request.resume();
      response.writeHead(fault.status, fault.headers).end(fault.body);
    } else pass(port, { request, response, fault });
  });
  // The service's `Keep-Alive` passes, which promises more than the 5 s of Node.js: an idle connection stays.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    spoil: (...more) => void faults.push(...more),
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Passed {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly fault: 'lose_answer' | 'half' | undefined;
}

function pass(port: number, { request, response, fault }: Passed): void {
  const { method, url, headers } = request;
  const target = { host: '127.0.0.1', port, method, path: url, headers, agent: false };
  const secret = headers.authorization?.replace('Bearer ', '');
  const onward = http.request(target, (answer) => {
    const { statusCode = 0, headers: answered } = answer;
    if (fault === undefined) {
      response.writeHead(statusCode, answered);
      response.flushHeaders();
      answer.pipe(response);
      return;
    }
    answer.setEncoding('utf8');
    let text = '';
    answer.on('data', (piece: string) => {
      text += piece;
    });
    answer.on('end', () => {
      expectNoCanary(secret, text);
      if (fault === 'lose_answer') return request.socket.destroy();
      response.writeHead(statusCode, answered);
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      return undefined;
    });
  });
  const end = () => onward.destroy();
  onward.on('error', () => request.socket.destroy());
  response.on('close', end);
  request.pipe(onward);
}
