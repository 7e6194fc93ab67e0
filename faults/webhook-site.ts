// Webhooks of a site, the servers of their receivers, and the wait for the events that their receivers still lack.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from './site.ts';

export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A server at a free port of this machine. */
export async function openServer(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface PingedReceiver {
  readonly url: string;
  readonly pings: () => number;
}

/** Make a webhook with these fields, and wait until its receiver is pinged; answers its id. */
export async function makeWebhook(
  site: Site,
  { url, pings }: PingedReceiver,
  fields: object,
): Promise<string> {
  const body = JSON.stringify({ url, ...fields });
  const sent = { method: 'POST', path: '/v1/webhooks', body } as const;
  const answer = await site.wire.send(site.url, site.keys[0]?.secret ?? '', sent);
  if (answer.status !== 201) throw new Error(`a webhook was answered with ${answer.status}`);
  for (let tries = 0; pings() === 0; tries += 1) {
    if (tries === 200) throw new Error('a webhook was not pinged');
    await sleep(50);
  }
  return JSON.parse(answer.body).data.id;
}

/** The fewest missing events; the wait ends when none is missing, or none has arrived for `patience` milliseconds. */
export async function fewestMissing(countMissing: () => number, patience: number): Promise<number> {
  let [fewest, giveUp] = [countMissing(), performance.now() + patience];
  while (fewest > 0 && performance.now() < giveUp) {
    await sleep(100);
    const missing = countMissing();
    if (missing < fewest) [fewest, giveUp] = [missing, performance.now() + patience];
  }
  return fewest;
}
