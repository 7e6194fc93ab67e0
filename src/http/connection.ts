// The requests of a connection: one after the other, as they came, also when more bytes come that are no
// request or when the client says that it will send no more. What they ask for is not known here.

import type http from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors.ts';

/** A request in its place on the connection. */
export interface Turn {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  /** Write what is no answer yet: the network then tells whether the client is still there. */
  probe(): void;
}

/** What is done with the requests of all connections. */
export interface Handling<One extends Turn> {
  /** Those before it are answered. */
  begin(turn: One): void;
  /** Answer a request that did not come to its end. */
  refuse(turn: One, code: ErrorCode): void;
  /** Answer bytes that are no request, and close. */
  answerBytes(socket: Duplex, code: ErrorCode): void;
}

export interface Connections<One extends Turn> {
  open(socket: Duplex): void;
  add(turn: One): void;
  /** Nothing after this can be understood; undefined: nothing should have come. */
  breakOff(socket: Duplex, code: ErrorCode | undefined): void;
}

interface Connection<One> {
  /** Not answered yet, in order; the first has begun. */
  readonly turns: One[];
  latest: One | undefined;
  /** Said once all are answered. */
  last: { readonly code: ErrorCode | undefined } | undefined;
}

/** Milliseconds a client gets to read the end of the last answer. */
const LINGER = 500;
/** Milliseconds: a client that has gone is known by the second write, one that reads on hears few. */
const PROBES = [100, 100];
const LATER_PROBES = 1000;

export function openConnections<One extends Turn>(handling: Handling<One>): Connections<One> {
  const connections = new WeakMap<Duplex, Connection<One>>();

  /** Its answer has gone, or nobody can be answered any more. */
  function end(connection: Connection<One>, turn: One): void {
    const { turns } = connection;
    const { socket } = turn.request;
    if (turns.shift() !== turn || socket.destroyed || socket.writableEnded) {
      // After "Connection: close" nothing is begun (RFC 9112 §9.6).
      turns.length = 0;
      return;
    }
    const [next] = turns;
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
      const connection: Connection<One> = { turns: [], latest: undefined, last: undefined };
      connections.set(socket, connection);
      socket.once('end', () => probe(socket, connection.turns, 0));
    },
    add(turn) {
      const connection = connections.get(turn.request.socket);
      if (connection === undefined) return;
      connection.latest = turn;
      connection.turns.push(turn);
      turn.response.once('close', () => end(connection, turn));
      // One at a time: a write may be what the next request is about (RFC 9112 §9.3.2).
      if (connection.turns.length === 1) handling.begin(turn);
    },
    breakOff(socket, code) {
      const connection = connections.get(socket);
      if (connection === undefined || socket.destroyed) socket.destroy();
      else if (socket.writableEnded) closeSoon(socket);
      else if (connection.last === undefined) {
        socket.pause();
        const { latest, turns } = connection;
        const isCut = latest !== undefined && !latest.request.complete;
        connection.last = { code: isCut ? undefined : code };
        if (isCut && !latest.response.headersSent)
          handling.refuse(latest, code ?? 'validation_failed');
        if (turns.length === 0) finish(socket, connection);
      }
    },
  };
}

/** A client that has gone and one that only sends no more look the same until something is written. */
function probe(socket: Duplex, turns: readonly Turn[], count: number): void {
  if (turns.length === 0 || socket.destroyed) return;
  const again = () => {
    turns[0]?.probe();
    probe(socket, turns, count + 1);
  };
  setTimeout(again, PROBES[count] ?? LATER_PROBES).unref();
}

function closeSoon(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER).unref();
}
