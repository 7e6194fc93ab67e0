// Identifies the sender of a request without the database: the person, when the credential of the request was valid in
// an earlier one; otherwise the address. No other part of the request decides its sender
// (docs/design/load-shedding.md, D386).

import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { personName } from '../../model/rights/access.ts';
import { networkOf } from '../../model/rights/network.ts';
import type { Authenticated } from '../route/route.ts';

export interface Sender {
  readonly request: { readonly headers: IncomingHttpHeaders };
  readonly clientAddress: () => string;
}

export interface Clients {
  /** The name of the person who sends a request; undefined when the credential is not known yet. */
  find(sender: Pick<Sender, 'request'>): string | undefined;
  /** Remember the person of the credential of a request; returns their name. */
  learn(sender: Pick<Sender, 'request'>, authenticated: Authenticated): string;
}

/** The most credentials that are remembered. */
const MOST_KNOWN = 20_000;

export function openClients(): Clients {
  const namesByCredential = new LRUCache<string, string>({ max: MOST_KNOWN });
  return {
    find({ request }) {
      for (const credential of credentialsIn(request.headers)) {
        const name = namesByCredential.get(credential);
        if (name !== undefined) return name;
      }
      return undefined;
    },
    learn({ request }, authenticated) {
      const name = personName(authenticated);
      // The session in use is unknown here when there are several.
      const [credential, another] = credentialsIn(request.headers);
      if (credential !== undefined && another === undefined)
        namesByCredential.set(credential, name);
      return name;
    },
  };
}

/** The name of a client by its address alone. */
export function addressName({ clientAddress }: Pick<Sender, 'clientAddress'>): string {
  return `address ${networkOf(clientAddress())}`;
}

const BEARER = /^bearer /i;
/** The length of the longest credential. */
const LONGEST = 100;
const SESSION = /(?:^|[;\s])(?:__Host-)?wrs-[1-9]\d{0,9}=([\w-]{43})(?![\w-])/g;

/** The key of a request, or the tokens of its sessions. */
function credentialsIn({ authorization, cookie }: IncomingHttpHeaders): readonly string[] {
  if (authorization !== undefined) {
    const secret = BEARER.test(authorization) ? authorization.slice('bearer '.length) : '';
    return secret === '' || secret.length > LONGEST ? [] : [secret];
  }
  if (cookie?.includes('wrs-') !== true) return [];
  return [...cookie.matchAll(SESSION)].map(([, token]) => token as string);
}
