// A TCP proxy between the service's pool and PostgreSQL that understands enough of the frontend/backend protocol to
// count statements, and that loses, fails or holds one of them at the request of a test.

import { connect, createServer, type Server, type Socket } from 'node:net';
import type { ConnectionOptions } from '../../src/postgres/db.ts';

/** A statement: its number, counted from 1, or the first with such a text. */
type At = number | RegExp;

/** The fault of one statement. */
export type Fault =
  /** The connection is lost before the statement is forwarded. */
  | { readonly kind: 'lost_before'; readonly at: At }
  /** PostgreSQL runs the statement, and the connection is lost before its answer comes back. */
  | { readonly kind: 'lost_after'; readonly at: At }
  /** PostgreSQL gets half of the statement, and the connection is lost. */
  | { readonly kind: 'torn'; readonly at: At }
  /** The statement is forwarded, and the client's connection is reset at once. */
  | { readonly kind: 'reset'; readonly at: At }
  /** PostgreSQL is given a statement that fails with this SQLSTATE instead. */
  | { readonly kind: 'fails'; readonly at: At; readonly sqlstate: string }
  /** The statement and all behind it wait for `release`. */
  | { readonly kind: 'held'; readonly at: At };

export interface DatabaseProxy {
  readonly port: number;
  /** Count statements from 1 again, and do this to one of them, once. */
  arm(fault?: Fault): void;
  /** True when the fault has happened. */
  hasStruck(): boolean;
  /** Texts of the statements since `arm`. */
  seen(): readonly string[];
  /** Let the held statement go. */
  release(): void;
  /** Backends whose connection the proxy has cut. */
  cutBackends(): readonly number[];
  close(): Promise<void>;
}

/** Messages of one statement, as the client sent them. */
interface Unit {
  readonly text: string;
  readonly bytes: Buffer;
  /** False when others follow it before PostgreSQL has to answer. */
  readonly isLast: boolean;
  /** True when it is one message, of the simple protocol. */
  readonly isSimple: boolean;
}

interface Watch {
  fault: Fault | undefined;
  struck: boolean;
  texts: string[];
  held: (() => void)[];
  readonly cut: number[];
}

/** Start it before the PostgreSQL of `target`. */
export async function openDatabaseProxy(target: ConnectionOptions): Promise<DatabaseProxy> {
  const watch: Watch = { fault: undefined, struck: false, texts: [], held: [], cut: [] };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const backend = connectTo(target);
    for (const socket of [client, backend]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        // Data that was written to it still arrives.
        backend.destroySoon();
      });
    }
    joinSockets(client, backend, watch);
  });
  const port = await listen(server);
  return {
    port,
    arm(fault) {
      Object.assign(watch, { fault, struck: false, texts: [], held: [] });
    },
    hasStruck: () => watch.struck,
    seen: () => watch.texts,
    release() {
      for (const letGo of watch.held.splice(0)) letGo();
    },
    cutBackends: () => watch.cut,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function connectTo({ host = '127.0.0.1', port = 5432 }: ConnectionOptions): Socket {
  if (host.startsWith('/')) return connect(`${host}/.s.PGSQL.${port}`);
  return connect({ host, port });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address.port;
}

function joinSockets(client: Socket, backend: Socket, watch: Watch): void {
  let pid = 0;
  let sent = 0;
  let answered = -1; // PostgreSQL says that it is ready once before the first statement.
  /** Number, on this connection, of the statement whose answer is lost. */
  let lost = Number.POSITIVE_INFINITY;
  let holding: Buffer[] | undefined;

  function cut(): void {
    watch.cut.push(pid);
    client.destroy();
    backend.destroy();
  }

  function forward(bytes: Buffer): void {
    if (holding !== undefined) holding.push(bytes);
    else if (sent < lost) backend.write(bytes);
  }

  /** True when the statement needs no further step. */
  function breakOff({ kind }: Fault, { bytes, isLast }: Unit): boolean {
    const isCut = kind === 'lost_before' || kind === 'torn' || kind === 'reset';
    if (!isCut && !(kind === 'lost_after' && !isLast)) return false;
    if (kind === 'lost_after') backend.end(bytes);
    if (kind === 'torn') backend.end(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    if (kind === 'reset') {
      // All others that wait for an answer on it do not get one either.
      lost = 0;
      backend.end(bytes);
      client.resetAndDestroy();
    } else {
      client.destroy();
    }
    watch.cut.push(pid);
    if (kind === 'lost_before') backend.destroy();
    return true;
  }

  function strike(fault: Fault, unit: Unit): void {
    watch.struck = true;
    if (breakOff(fault, unit)) return;
    if (fault.kind === 'held') {
      const waiting: Buffer[] = [];
      holding = waiting;
      watch.held.push(() => {
        holding = undefined;
        backend.write(Buffer.concat(waiting));
      });
    }
    forward(fault.kind === 'fails' ? failing(fault.sqlstate, unit) : unit.bytes);
    if (unit.isLast) sent += 1;
    if (fault.kind === 'lost_after') lost = sent;
  }

  function passUnit(unit: Unit): void {
    if (client.destroyed || sent >= lost) return;
    watch.texts.push(unit.text);
    const { fault } = watch;
    if (fault !== undefined && !watch.struck && isAt(fault.at, watch.texts)) {
      strike(fault, unit);
      return;
    }
    forward(unit.bytes);
    if (unit.isLast) sent += 1;
  }

  client.on('data', clientReader(passUnit, forward));
  backend.on(
    'data',
    messageReader((type, bytes) => {
      if (type === 'K') pid = bytes.readInt32BE(5);
      if (answered + 1 < lost) client.write(bytes);
      if (type !== 'Z') return;
      answered += 1;
      if (answered === lost) cut();
    }),
  );
}

function isAt(at: At, texts: readonly string[]): boolean {
  return typeof at === 'number' ? at === texts.length : at.test(texts.at(-1) ?? '');
}

/** Parses the messages of a client: a start-up message without type, then statements and other messages. */
function clientReader(onUnit: (unit: Unit) => void, onOther: (bytes: Buffer) => void) {
  let started = false;
  let parts: Buffer[] = [];
  let text = '';
  let isExecuted = false;
  const textsByName = new Map<string, string>();
  function pass(isLast: boolean, isSimple: boolean): void {
    const unit = { text, bytes: Buffer.concat(parts), isLast, isSimple };
    parts = [];
    text = '';
    isExecuted = false;
    onUnit(unit);
  }
  const read = messageReader((type, bytes) => {
    if (type === 'p' || type === 'X') {
      onOther(bytes);
      return;
    }
    if (isExecuted && type !== 'S') pass(false, false);
    parts.push(bytes);
    const [first = '', second = ''] = bytes.subarray(5).toString('utf8').split('\0');
    if (type === 'Q') text = first;
    if (type === 'P') textsByName.set(first, second);
    if (type === 'B') text = textsByName.get(second) ?? '';
    isExecuted = type === 'E';
    if (type === 'Q' || type === 'S') pass(true, type === 'Q');
  });
  return (chunk: Buffer): void => {
    // Sent in one piece: a client waits for the answer to it.
    if (started) read(chunk);
    else onOther(chunk);
    started = true;
  };
}

/** Cuts a stream into messages: a type, a length that counts itself, the rest. */
function messageReader(onMessage: (type: string, bytes: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(String.fromCharCode(message[0] as number), message);
    }
  };
}

/** A statement that PostgreSQL parses, and one that it answers with this error instead of running it. */
function failing(sqlstate: string, { bytes, isSimple, isLast }: Unit): Buffer {
  const text = `do $$ begin raise exception 'fault' using errcode = '${sqlstate}'; end $$\0`;
  if (isSimple) return message('Q', text);
  const parts =
    bytes.toString('latin1', 0, 1) === 'P' ? [bytes.subarray(0, 1 + bytes.readInt32BE(1))] : [];
  parts.push(message('P', `\0${text}\0\0`), message('B', '\0'.repeat(8)));
  parts.push(message('E', '\0'.repeat(5)), ...(isLast ? [message('S', '')] : []));
  return Buffer.concat(parts);
}

function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([head, Buffer.from(body)]);
}
