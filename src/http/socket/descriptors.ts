// The limit of file descriptors of this process, and the connections of clients that it leaves room for (D642).

import { readFileSync } from 'node:fs';

/** Connections when descriptors are plenty. */
const CONNECTIONS = 12_000;
/** Descriptors for connections to databases and other servers, files, logs and what Node.js opens. */
const OWN = 512;

/** The limit; undefined where the system does not report it in Linux's way. */
export function loadDescriptorLimit(): number | undefined {
  try {
    return parseDescriptorLimit(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return undefined;
  }
}

/** The soft limit in the text of `/proc/self/limits`; undefined: none. */
export function parseDescriptorLimit(text: string): number | undefined {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(text) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** Connections of clients within the limit; a small limit is divided in halves. */
export function connectionsWithin(limit: number | undefined): number {
  if (limit === undefined) return CONNECTIONS;
  return Math.min(CONNECTIONS, limit - Math.min(OWN, Math.ceil(limit / 2)));
}

/** The note of the start when the limit does not allow all connections; undefined when it does. */
export function describeDescriptors(limit: number | undefined): string | undefined {
  const connections = connectionsWithin(limit);
  if (connections === CONNECTIONS) return undefined;
  return (
    `This process may open ${limit} files and sockets (ulimit -n), so it accepts ${connections} connections of clients ` +
    `and refuses others with 503. Raise the limit to ${CONNECTIONS + OWN}.`
  );
}
