// The hosts that a key may be used on (D15): `{slug}.{base domain}` belongs to one workspace, the bare domain,
// `localhost` and IP addresses to all. Its only input is a slug.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Proxies } from './proxies.ts';

/** True when a key of the workspace with this slug may be used on the request's host. */
export type HostCheck = (request: IncomingMessage, slug: string) => boolean;

export function compileHostCheck(
  baseDomain: string | undefined,
  { sentHost }: Pick<Proxies, 'sentHost'>,
): HostCheck {
  if (baseDomain === undefined) return () => true;
  const suffix = `.${baseDomain}`;
  return (request, slug) => {
    const host = hostName(sentHost(request));
    if (host === baseDomain || host === 'localhost' || isIP(host) !== 0) return true;
    return host.endsWith(suffix) && host.slice(0, -suffix.length) === slug;
  };
}

/** The slug that the host of a request belongs to; undefined on hosts of all workspaces. */
export function compileTenantOf(
  baseDomain: string | undefined,
  { sentHost }: Pick<Proxies, 'sentHost'>,
): (request: IncomingMessage) => string | undefined {
  const suffix = `.${baseDomain}`;
  return (request) => {
    const host = baseDomain === undefined ? '' : hostName(sentHost(request));
    return host.endsWith(suffix) ? host.slice(0, -suffix.length) : undefined;
  };
}

/** The name of the host without port, brackets and final dot, in lower case. */
function hostName(host: string): string {
  const bare = host.startsWith('[') ? host.slice(1).replace(/\].*$/, '') : host.split(':', 1)[0];
  return (bare ?? '').toLowerCase().replace(/\.$/, '');
}
