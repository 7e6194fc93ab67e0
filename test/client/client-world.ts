// Clients of the package over a running world.

import {
  type AnyObjects,
  type Client,
  type ClientOptions,
  createClient,
} from '../../packages/client/src/index.ts';
import type { KeyOptions, World } from '../world.ts';
import { guardedFetch, type Noted } from './guarded-fetch.ts';

/** The client in a page of the service, of a person who has signed in; it keeps the cookie as browsers do. */
export async function clientInPage(
  world: World,
  person: string,
): Promise<ClientOfWorld<AnyObjects>> {
  const { secret, cookie } = await world.inSession(person);
  const { fetch, noted } = guardedFetch(secret);
  return {
    noted,
    client: createClient({
      baseUrl: `http://127.0.0.1:${world.port}/v1`,
      workspace: 'acme',
      fetch: (url, init) =>
        fetch(url, {
          ...init,
          headers: { ...init.headers, cookie, 'sec-fetch-site': 'same-origin' },
        }),
    }),
  };
}

export interface ClientOfWorld<Objects> {
  readonly client: Client<Objects>;
  readonly noted: readonly Noted[];
}

export async function clientOf<Objects = AnyObjects>(
  world: World,
  person: string,
  options: KeyOptions & Partial<ClientOptions> = {},
): Promise<ClientOfWorld<Objects>> {
  const { secret } = await world.key(person, options);
  const { fetch, noted } = guardedFetch(secret);
  const baseUrl = `http://127.0.0.1:${world.port}/v1`;
  return {
    client: createClient<Objects>({ apiKey: secret, fetch, baseUrl, ...options }),
    noted,
  };
}
