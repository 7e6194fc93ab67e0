// Answers that stay open: text is written as it comes and as fast as the client reads, until one side
// ends it. It knows nothing of what is written.

import type { ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { principalName } from '../model/access.ts';
import { type Exchange, openAnswer } from './reply.ts';
import type { Authenticated, Outlet, StreamReply } from './route.ts';

/** How many answers may be open, and how long one may wait for its client to read. */
export interface OutletLimits {
  readonly most: number;
  /** Of one key and of one workspace. */
  readonly mostOfKey: number;
  readonly mostOfWorkspace: number;
  /** Bytes that are kept for a client before it has to read. */
  readonly waitingBytes: number;
  /** Milliseconds. */
  readonly drainWithin: number;
}

export interface Outlets {
  /**
   * Answer with a stream. Errors: `too_many_streams` when the key or the workspace has too many,
   * `service_unavailable` when there are too many in all.
   */
  open(exchange: Exchange, status: number, reply: StreamReply): void;
  /** How many are open. */
  count(): number;
  /** End all and open no more. */
  close(): void;
}

const LIMITS_OF_OUTLETS: OutletLimits = Object.freeze({
  most: LIMITS.eventStreams,
  mostOfKey: LIMITS.eventStreamsOfKey,
  mostOfWorkspace: LIMITS.eventStreamsOfWorkspace,
  waitingBytes: 65_536,
  drainWithin: 60_000,
});
/** Seconds after which a client that found no place may ask again. */
const RETRY_AFTER = '5';

export function openOutlets(options: Partial<OutletLimits> = {}): Outlets {
  const limits = { ...LIMITS_OF_OUTLETS, ...options };
  const open = new Set<Outlet>();
  /** How many of each key and workspace. */
  const counts = new Map<string, number>();
  let closed = false;

  function requirePlace({ key, workspace }: Holders): void {
    if ((counts.get(key) ?? 0) >= limits.mostOfKey) throw tooMany('key', limits.mostOfKey);
    if ((counts.get(workspace) ?? 0) >= limits.mostOfWorkspace) {
      throw tooMany('workspace', limits.mostOfWorkspace);
    }
    if (closed || open.size >= limits.most) throw noPlace();
  }

  function enter(outlet: Outlet, { key, workspace }: Holders): void {
    open.add(outlet);
    for (const name of [key, workspace]) counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  function leave(outlet: Outlet, { key, workspace }: Holders): void {
    open.delete(outlet);
    for (const name of [key, workspace]) {
      const rest = (counts.get(name) ?? 1) - 1;
      if (rest > 0) counts.set(name, rest);
      else counts.delete(name);
    }
  }

  return {
    open(exchange, status, { headers, stream }) {
      const { request, response } = exchange;
      const holders = holdersOf(exchange);
      requirePlace(holders);
      if (response.headersSent || response.destroyed) return;
      // Nothing follows a stream on its connection; one that is ended is gone then.
      exchange.close = true;
      openAnswer(exchange, { status, headers });
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      const outlet = outletOf(response, limits);
      exchange.outlet = outlet;
      enter(outlet, holders);
      response.once('close', () => leave(outlet, holders));
      stream(outlet);
    },
    count: () => open.size,
    close() {
      closed = true;
      for (const outlet of open) outlet.end();
    },
  };
}

interface Holders {
  readonly key: string;
  readonly workspace: string;
}

function holdersOf({ authenticated }: Exchange): Holders {
  const { caller, model } = authenticated as Authenticated;
  return {
    key: principalName(caller),
    workspace: `workspace ${model.workspace.id}`,
  };
}

function tooMany(whose: 'key' | 'workspace', limit: number): ApiError {
  return new ApiError('too_many_streams', {
    message: `This ${whose} has ${limit} open streams. Close some, then try again.`,
    details: { limit, of: whose },
    headers: { 'Retry-After': RETRY_AFTER },
  });
}

function noPlace(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'There are too many open streams. Try again later.',
    headers: { 'Retry-After': RETRY_AFTER },
  });
}

function outletOf(response: ServerResponse, { waitingBytes, drainWithin }: OutletLimits): Outlet {
  return {
    isOpen: () => !response.writableEnded && !response.destroyed,
    hasRoom: () => response.writableLength <= waitingBytes,
    write(text) {
      if (!response.writableEnded && !response.destroyed) response.write(text);
    },
    drained: () => drain(response, drainWithin),
    end() {
      // Who does not read would never see the end.
      if (response.writableLength > waitingBytes) response.destroy();
      else if (!response.writableEnded) response.end();
    },
    onClose(handler) {
      if (response.destroyed) handler();
      else response.once('close', handler);
    },
  };
}

/** When the client has read all that waits for it, or is gone, or has not read in time and must go. */
function drain(response: ServerResponse, within: number): Promise<void> {
  if (response.destroyed || response.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), within).unref();
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
