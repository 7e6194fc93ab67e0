// Connections of Server-Sent Events: text is written as it comes and as fast as the client reads, until one
// side ends it, whatever the text is. Requests that wait for their answer are counted with them.

import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { personName, principalName } from '../../model/rights/access.ts';
import type { Authenticated, SseConnection } from '../route/route.ts';
import { openCounts } from './counts.ts';

/** Limits of the number of open connections, and of the time that one may wait for its client to read. */
export interface SseLimits {
  readonly most: number;
  /** Limits for one principal, for all of one person, and for one workspace. */
  readonly mostOfKey: number;
  readonly mostOfPerson: number;
  readonly mostOfWorkspace: number;
  /** Bytes that are buffered for a client before it has to read. */
  readonly bufferedBytes: number;
  /** Milliseconds. */
  readonly drainTimeoutMs: number;
}

export interface SseConnections {
  /**
   * Reserve a connection; the returned function gives it back and may be called more than once. Errors:
   * `too_many_streams` when the principal, the person or the workspace has too many, `service_unavailable` when there
   * are too many in all.
   */
  reserve(authenticated: Authenticated): () => void;
  /** Make a connection of a response whose headers are sent; `start` writes to it. */
  open(response: ServerResponse, start: (connection: SseConnection) => void): SseConnection;
  /** Aborted when no connection may stay open. */
  readonly closing: AbortSignal;
  /** The number of reserved connections. */
  count(): number;
  /** Close all connections and accept no more. */
  close(): void;
}

const DEFAULT_LIMITS: SseLimits = Object.freeze({
  most: LIMITS.eventStreams,
  mostOfKey: LIMITS.eventStreamsOfKey,
  mostOfPerson: LIMITS.eventStreamsOfPerson,
  mostOfWorkspace: LIMITS.eventStreamsOfWorkspace,
  bufferedBytes: 65_536,
  drainTimeoutMs: 60_000,
});
/** Seconds after which a refused client may try again. */
const RETRY_AFTER = '5';

export function openSseConnections(options: Partial<SseLimits>): SseConnections {
  const limits = { ...DEFAULT_LIMITS, ...options };
  const open = new Set<SseConnection>();
  /** Counts by principal, person and workspace. */
  const counts = openCounts();
  const closing = new AbortController();
  setMaxListeners(limits.most, closing.signal);
  let reserved = 0;

  function requireFree(holders: readonly Holder[]): void {
    for (const { kind, name, most } of holders) {
      if (counts.of(name) >= most) throw tooMany(kind, most);
    }
    if (closing.signal.aborted || reserved >= limits.most) throw noneFree();
  }

  return {
    reserve(authenticated) {
      const holders = holdersOf(authenticated, limits);
      requireFree(holders);
      reserved += 1;
      for (const { name } of holders) counts.add(name, 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        reserved -= 1;
        for (const { name } of holders) counts.add(name, -1);
      };
    },
    open(response, start) {
      const connection = connectionOf(response, limits);
      open.add(connection);
      connection.onClose(() => open.delete(connection));
      start(connection);
      // Reserved before the process began to stop.
      if (closing.signal.aborted) connection.end();
      return connection;
    },
    closing: closing.signal,
    count: () => reserved,
    close() {
      closing.abort();
      for (const connection of open) connection.end();
    },
  };
}

interface Holder {
  readonly kind: 'key' | 'session' | 'person' | 'workspace';
  readonly name: string;
  readonly most: number;
}

/** The owners that a stream counts for, the narrowest first. */
function holdersOf(authenticated: Authenticated, limits: SseLimits): readonly Holder[] {
  const { caller, model } = authenticated;
  const { mostOfKey, mostOfPerson, mostOfWorkspace } = limits;
  const kind = caller.principal.kind === 'key' ? 'key' : 'session';
  return [
    { kind, name: principalName(caller), most: mostOfKey },
    // The share of one key is never too much for its person.
    { kind: 'person', name: personName(authenticated), most: Math.max(mostOfPerson, mostOfKey) },
    { kind: 'workspace', name: `workspace ${model.workspace.id}`, most: mostOfWorkspace },
  ];
}

function tooMany(whose: Holder['kind'], limit: number): ApiError {
  return new ApiError('too_many_streams', {
    message: say('streams_of_one', { whose, most: limit }),
    details: { limit, of: whose },
    headers: { 'Retry-After': RETRY_AFTER },
  });
}

function noneFree(): ApiError {
  return new ApiError('service_unavailable', {
    message: say('streams_of_service'),
    headers: { 'Retry-After': RETRY_AFTER },
  });
}

function connectionOf(
  response: ServerResponse,
  { bufferedBytes, drainTimeoutMs }: SseLimits,
): SseConnection {
  return {
    isOpen: () => !response.writableEnded && !response.destroyed,
    hasRoom: () => response.writableLength <= bufferedBytes,
    write(text) {
      if (!response.writableEnded && !response.destroyed) response.write(text);
    },
    drained: () => drain(response, drainTimeoutMs),
    end() {
      // A client that does not read would never see the end.
      if (response.writableLength > bufferedBytes) response.destroy();
      else if (!response.writableEnded) response.end();
    },
    fail() {
      response.destroy();
    },
    onClose(handler) {
      if (response.destroyed) handler();
      else response.once('close', handler);
    },
  };
}

/**
 * Resolves when the buffer is empty or the client has disconnected; a client that does not read
 * in time is closed.
 */
function drain(response: ServerResponse, timeoutMs: number): Promise<void> {
  if (response.destroyed || response.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), timeoutMs).unref();
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
