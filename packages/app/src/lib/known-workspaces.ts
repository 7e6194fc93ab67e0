// The workspaces that somebody has signed in to in this browser: kept by their addresses, and those that still have a
// session are offered.

import { useQueries } from '@tanstack/react-query';
import { identityQuery } from './session.ts';
import { readSetting, writeSetting } from './storage.ts';

export interface KnownWorkspace {
  readonly slug: string;
  readonly name: string;
}

const NAME = 'workspaces';
/** Each is one request when they are offered. */
const MOST = 8;

/** The last used first. */
export function knownWorkspaces(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(readSetting(NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export function noteWorkspace(slug: string): void {
  const others = knownWorkspaces().filter((one) => one !== slug);
  writeSetting(NAME, JSON.stringify([slug, ...others].slice(0, MOST)));
}

export function forgetWorkspace(slug: string): void {
  writeSetting(NAME, JSON.stringify(knownWorkspaces().filter((one) => one !== slug)));
}

/** The other workspaces of this browser; the ones without a session or on another host are left out. */
export function useOtherWorkspaces(present: string): readonly KnownWorkspace[] {
  const slugs = knownWorkspaces().filter((slug) => slug !== present);
  return useQueries({
    queries: slugs.map((slug) => ({ ...identityQuery(slug), retry: false })),
    combine: namesOf,
  });
}

type Identity = { readonly data: { readonly workspace: KnownWorkspace } | null | undefined };

function namesOf(results: readonly Identity[]): readonly KnownWorkspace[] {
  return results.flatMap(({ data }) =>
    data ? [{ slug: data.workspace.slug, name: data.workspace.name }] : [],
  );
}
