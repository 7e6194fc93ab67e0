// Connections of Server-Sent Events: text is written as it comes and as fast as the client reads, until one
// side ends it, whatever the text is.

import type { ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { principalName } from '../model/access.ts';
import type { Authenticated, SseConnection } from './route.ts';

/** How many connections may be open, and how long one may wait for its client to read. */
export interface SseLimits {
  readonly most: number;
  /** Limits for one principal and for one workspace. */
  readonly mostOfKey: number;
  readonly mostOfWorkspace: number;
  /** Bytes that are buffered for a client before it has to read. */
  readonly bufferedBytes: number;
  /** Milliseconds. */
  readonly drainTimeoutMs: number;
}

export interface SseConnections {
  /**
   * Reserve a connection; what it returns gives it back and may be called more than once. Errors:
   * `too_many_streams` when the principal or the workspace has too many, `service_unavailable` when there
   * are too many in all.
   */
  reserve(authenticated: Authenticated): () => void;
  /** Make a connection of a response whose headers are sent; `start` writes to it. */
  open(response: ServerResponse, start: (connection: SseConnection) => void): SseConnection;
  /** How many are reserved. */
  count(): number;
  /** Close all connections and accept no more. */
  close(): void;
}

const DEFAULT_LIMITS: SseLimits = Object.freeze({
  most: LIMITS.eventStreams,
  mostOfKey: LIMITS.eventStreamsOfKey,
  mostOfWorkspace: LIMITS.eventStreamsOfWorkspace,
  bufferedBytes: 65_536,
  drainTimeoutMs: 60_000,
});
/** Seconds after which a client that was refused may ask again. */
const RETRY_AFTER = '5';

export function openSseConnections(options: Partial<SseLimits> = {}): SseConnections {
  const limits = { ...DEFAULT_LIMITS, ...options };
  const open = new Set<SseConnection>();
  /** How many of each principal and workspace. */
  const counts = new Map<string, number>();
  let reserved = 0;
  let isClosed = false;

  function requireFree(kind: 'key' | 'session', principal: string, workspace: string): void {
    if ((counts.get(principal) ?? 0) >= limits.mostOfKey) throw tooMany(kind, limits.mostOfKey);
    if ((counts.get(workspace) ?? 0) >= limits.mostOfWorkspace) {
      throw tooMany('workspace', limits.mostOfWorkspace);
    }
    if (isClosed || reserved >= limits.most) throw noneFree();
  }

  function addTo(name: string, difference: 1 | -1): void {
    const count = (counts.get(name) ?? 0) + difference;
    if (count > 0) counts.set(name, count);
    else counts.delete(name);
  }

  return {
    reserve({ caller, model }) {
      const names = [principalName(caller), `workspace ${model.workspace.id}`] as const;
      requireFree(caller.principal.kind === 'session' ? 'session' : 'key', ...names);
      reserved += 1;
      for (const name of names) addTo(name, 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        reserved -= 1;
        for (const name of names) addTo(name, -1);
      };
    },
    open(response, start) {
      const connection = connectionOf(response, limits);
      open.add(connection);
      connection.onClose(() => open.delete(connection));
      start(connection);
      // Reserved before the process began to stop.
      if (isClosed) connection.end();
      return connection;
    },
    count: () => reserved,
    close() {
      isClosed = true;
      for (const connection of open) connection.end();
    },
  };
}

function tooMany(whose: 'key' | 'session' | 'workspace', limit: number): ApiError {
  return new ApiError('too_many_streams', {
    message: `This ${whose} has ${limit} open streams. Close some, then try again.`,
    details: { limit, of: whose },
    headers: { 'Retry-After': RETRY_AFTER },
  });
}

function noneFree(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'There are too many open streams. Try again later.',
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
