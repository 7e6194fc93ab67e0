// The addresses of a name. DNS is queried without the thread pool of Node, which also reads files and hashes passwords,
// so that a slow name server delays only its own webhooks. Names that DNS does not know are looked up as the system
// does (/etc/hosts, search domains), few at a time.

import { lookup, Resolver } from 'node:dns/promises';
import { limitConcurrency } from '../control/process/limit-concurrency.ts';

/** One address of a name. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Errors: those of node:dns, with its codes. */
export type ResolveHost = (name: string) => Promise<readonly HostAddress[]>;

/** Milliseconds of a first query; the next ones wait longer. */
const QUERY_TIMEOUT = 2000;
const QUERIES = 3;
/** The pool has four threads. */
const SYSTEM_LOOKUPS = 2;
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** `servers`, such as `127.0.0.1:5353`, instead of those of the system. */
export function openHostResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT, tries: QUERIES });
  if (servers !== undefined) resolver.setServers(servers);
  const systemLimit = limitConcurrency(SYSTEM_LOOKUPS);
  return async (name) => {
    try {
      return await queryBoth(resolver, name);
    } catch (error) {
      if (UNKNOWN.has(codeOf(error))) return systemLimit(() => lookUp(name));
      throw error;
    }
  };
}

/** A name may have addresses of one family only. */
async function queryBoth(resolver: Resolver, name: string): Promise<readonly HostAddress[]> {
  const results = await Promise.allSettled([
    resolver.resolve4(name).then((all) => all.map((address) => asHost(address, 4))),
    resolver.resolve6(name).then((all) => all.map((address) => asHost(address, 6))),
  ]);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (found.length > 0) return found;
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  throw failures.find((error) => !UNKNOWN.has(codeOf(error))) ?? failures[0];
}

async function lookUp(name: string): Promise<readonly HostAddress[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address, family }) => asHost(address, family));
}

function asHost(address: string, family: number): HostAddress {
  return { address, family: family === 6 ? 6 : 4 };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
