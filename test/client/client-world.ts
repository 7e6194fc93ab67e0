// Clients of the package over a running world.

import {
  type AnyObjects,
  type Client,
  type ClientOptions,
  createClient,
} from '../../packages/client/src/index.ts';
import type { KeyOptions, World } from '../world.ts';
import { guardedFetch, type Noted } from './guarded-fetch.ts';

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
