// The requests of a connection: handled one after the other in their order, also when bytes follow that are
// not a request or when the client closes its sending side. Their content is unknown here.

import type http from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../errors.ts';

/** A request among those of its connection (HTTP/1.1 pipelining). */
export interface PipelinedRequest {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  /** Write an interim response, which shows whether the client is still connected. */
  probe(): void;
}

/** Handlers of the requests of all connections. */
export interface Handling<One extends PipelinedRequest> {
  /** Starts a request once the requests before it are answered. */
  begin(one: One): void;
  /** Answer a request that did not come to its end. */
  refuse(one: One, code: ErrorCode): void;
  /** Answer bytes that are not a request, and close. */
  answerBytes(socket: Duplex, code: ErrorCode): void;
}

export interface Connections<One extends PipelinedRequest> {
  open(socket: Duplex): void;
  add(one: One): void;
  /** Begin no further request; `code`: the error that is answered then, undefined for bytes after the last request. */
  breakOff(socket: Duplex, code: ErrorCode | undefined): void;
}

interface Connection<One> {
  /** Not answered yet, in order; the first has begun. */
  readonly pending: One[];
  latest: One | undefined;
  /** Answered after all requests before it. */
  last: { readonly code: ErrorCode | undefined } | undefined;
}

/** Milliseconds a client gets to read the end of the last answer. */
const LINGER = 500;
/** Requests of a connection that may wait for the one before them. */
const MOST_PENDING = 256;
/**
 * Milliseconds: the second write to a disconnected client fails; a connected client gets few of
 * them.
 */
const PROBES = [100, 100];
const LATER_PROBES = 1000;

export function openConnections<One extends PipelinedRequest>(
  handling: Handling<One>,
): Connections<One> {
  const connections = new WeakMap<Duplex, Connection<One>>();

  /** Ends a request whose answer has been sent, or whose connection is closed. */
  function end(connection: Connection<One>, one: One): void {
    const { pending } = connection;
    const { socket } = one.request;
    if (pending.shift() !== one || socket.destroyed || socket.writableEnded) {
      // After "Connection: close" no request is begun (RFC 9112 §9.6).
      pending.length = 0;
      return;
    }
    const [next] = pending;
    if (next === undefined) finish(socket, connection);
    else if (!next.response.headersSent) handling.begin(next);
  }

  function finish(socket: Duplex, { last }: Connection<One>): void {
    if (last === undefined) return;
    if (last.code !== undefined) handling.answerBytes(socket, last.code);
    else closeSoon(socket);
  }

  return {
    open(socket) {
      const connection: Connection<One> = { pending: [], latest: undefined, last: undefined };
      connections.set(socket, connection);
      socket.once('end', () => probe(socket, connection.pending, 0));
    },
    add(one) {
      const connection = connections.get(one.request.socket);
      if (connection === undefined) return;
      connection.latest = one;
      connection.pending.push(one);
      one.response.once('close', () => end(connection, one));
      // One at a time: a request may depend on the write before it (RFC 9112 §9.3.2).
      if (connection.pending.length === 1) handling.begin(one);
      else if (connection.pending.length > MOST_PENDING)
        breakOff(one.request.socket, 'service_unavailable');
    },
    breakOff,
  };

  function breakOff(socket: Duplex, code: ErrorCode | undefined): void {
    const connection = connections.get(socket);
    if (connection === undefined || socket.destroyed) socket.destroy();
    else if (socket.writableEnded) closeSoon(socket);
    else if (connection.last === undefined) {
      socket.pause();
      const { latest, pending } = connection;
      const isCut = latest !== undefined && !latest.request.complete;
      connection.last = { code: isCut ? undefined : code };
      if (isCut && !latest.response.headersSent)
        handling.refuse(latest, code ?? 'validation_failed');
      if (pending.length === 0) finish(socket, connection);
    }
  }
}

/**
 * A client that has gone and one that only sends no more look the same until something is
 * written.
 */
function probe(socket: Duplex, pending: readonly PipelinedRequest[], count: number): void {
  if (pending.length === 0 || socket.destroyed) return;
  const again = () => {
    pending[0]?.probe();
    probe(socket, pending, count + 1);
  };
  setTimeout(again, PROBES[count] ?? LATER_PROBES).unref();
}

function closeSoon(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER).unref();
}
