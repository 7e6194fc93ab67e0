// The fetch that clients under test are given: every answer, streams too, is searched for data of another workspace,
// and every request is noted.

import type { Fetch } from '../../packages/client/src/index.ts';
import { expectNoCanary } from '../access/canary.ts';

export interface Noted {
  readonly method: string;
  /** Below `/v1`, with the query string. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

export interface GuardedFetch {
  readonly fetch: Fetch;
  /** The requests, in order. */
  readonly noted: readonly Noted[];
}

export function guardedFetch(secret: string): GuardedFetch {
  const noted: Noted[] = [];
  return {
    noted,
    async fetch(url, init) {
      const { pathname, search } = new URL(url);
      noted.push({
        method: init.method ?? 'GET',
        path: `${pathname.replace(/^\/v1/, '')}${search}`,
        headers: new Headers(init.headers),
        body: init.body as string | undefined,
      });
      const response = await fetch(url, init);
      const body = response.body?.pipeThrough(guard(secret));
      const { status, headers } = response;
      expectNoCanary(secret, JSON.stringify([...headers]));
      return new Response(body ?? null, { status, headers });
    },
  };
}

/** Passes bytes on; a canary may come in two pieces, so all that came is looked through. */
function guard(secret: string): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let seen = '';
  return new TransformStream({
    transform(piece, controller) {
      seen += decoder.decode(piece, { stream: true });
      expectNoCanary(secret, seen);
      controller.enqueue(piece);
    },
  });
}
