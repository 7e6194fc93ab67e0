// The transport of calls over HTTP: the body as it arrives, the requested host, and whether the client is
// still connected.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Arrivals, readBody, skipBody } from './arriving-body.ts';
import type { Transport } from './call.ts';
import { isRepeated } from './framing.ts';
import type { Exchange } from './http-exchange.ts';
import type { Site } from './site.ts';
import type { HostCheck } from './tenant-host.ts';
import { requireRead } from './write-answer.ts';

export interface SocketSurroundings {
  readonly arrivals: Arrivals;
  readonly isHostOf: HostCheck;
  readonly siteOf: (request: IncomingMessage) => Site;
}

/** `exchangeOf`: the exchange that the transport becomes a part of. */
export function openSocketTransport(
  { exchangeOf, isBodyOnDemand }: Pick<Transport, 'isBodyOnDemand'> & { exchangeOf(): Exchange },
  { arrivals, isHostOf, siteOf }: SocketSurroundings,
): Transport {
  return {
    isRepeated: (header) => isRepeated(exchangeOf().request.rawHeaders, header),
    isHostOf: (slug) => isHostOf(exchangeOf().request, slug),
    site: () => siteOf(exchangeOf().request),
    isBodyOnDemand,
    requireRead: () => requireRead(exchangeOf()),
    readBody: (rules) => readBody(exchangeOf(), arrivals, rules),
    skipBody: (limit) => skipBody(exchangeOf(), arrivals, limit),
    signal: () => abortSignalOf(exchangeOf().response),
  };
}

/** Made on demand; writes are not cancelled. */
function abortSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return controller.signal;
}
