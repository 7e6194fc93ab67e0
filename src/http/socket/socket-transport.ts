// The transport of calls over HTTP: the body as it arrives, the requested host, and whether the client is
// still connected.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CancelSignal } from '../../model/cancel-signal.ts';
import type { Transport } from '../request/call.ts';
import type { Clients } from '../request/clients.ts';
import type { Site } from '../request/site.ts';
import type { HostCheck } from '../request/tenant-host.ts';
import type { Authenticated } from '../route/route.ts';
import { type Arrivals, readBody, receiveBody, skipBody } from './arriving-body.ts';
import { isRepeated } from './framing.ts';
import { type Exchange, withoutTicket } from './http-exchange.ts';
import { OVERLOADED } from './load-shedder.ts';
import { requireRead } from './write-answer.ts';

export interface SocketSurroundings {
  readonly arrivals: Arrivals;
  readonly clients: Clients;
  readonly isHostOf: HostCheck;
  readonly siteOf: (request: IncomingMessage) => Site;
}

/** `exchangeOf`: the exchange that the transport becomes a part of. */
export function openSocketTransport(
  { exchangeOf, isBodyOnDemand }: Pick<Transport, 'isBodyOnDemand'> & { exchangeOf(): Exchange },
  { arrivals, clients, isHostOf, siteOf }: SocketSurroundings,
): Transport {
  return {
    authenticatedAs: (authenticated) => assignTo(exchangeOf(), clients, authenticated),
    isRepeated: (header) => isRepeated(exchangeOf().request.rawHeaders, header),
    isHostOf: (slug) => isHostOf(exchangeOf().request, slug),
    site: () => siteOf(exchangeOf().request),
    isBodyOnDemand,
    requireRead: () => requireRead(exchangeOf()),
    readBody: (rules) => readBody(exchangeOf(), arrivals, rules),
    receiveBody: (rules, receive) => receiveBody(exchangeOf(), arrivals, { ...rules, receive }),
    skipBody: (limit) => skipBody(exchangeOf(), arrivals, limit),
    outsideAdmission: (wait) => outsideAdmission(exchangeOf(), arrivals, wait),
    signal: () => departureSignal(exchangeOf().response),
  };
}

async function outsideAdmission(
  exchange: Exchange,
  { readmit }: Arrivals,
  wait: () => Promise<void>,
): Promise<boolean> {
  await withoutTicket(exchange, wait);
  if (exchange.response.destroyed) return false;
  if (!readmit(exchange)) throw OVERLOADED;
  return true;
}

/** The ticket of somebody who was known by their address only. */
function assignTo(exchange: Exchange, clients: Clients, authenticated: Authenticated): void {
  if (exchange.isKnown) return;
  exchange.isKnown = true;
  exchange.ticket?.move(clients.learn(exchange, authenticated));
}

/**
 * Aborts when the client leaves. Writes are not cancelled. It replaces an `AbortSignal`, which with its controller
 * and listeners took 8 µs of every read.
 */
function departureSignal(response: ServerResponse): CancelSignal {
  const listeners = new Map<() => void, () => void>();
  return {
    get aborted() {
      return response.destroyed && !response.writableFinished;
    },
    addEventListener(_, listener) {
      const leave = () => {
        if (!response.writableFinished) listener();
      };
      listeners.set(listener, leave);
      response.once('close', leave);
    },
    removeEventListener(_, listener) {
      const leave = listeners.get(listener);
      if (leave !== undefined) response.removeListener('close', leave);
      listeners.delete(listener);
    },
  };
}
