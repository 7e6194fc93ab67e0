// The requests of the soak: reads of every kind and writes under keys, on deals that are made first. The
// seed decides their order.

import { randomOf } from '../bench/records-definition.ts';
import type { Answer } from './recorder.ts';
import { RECORDS_PATH, type Site } from './site.ts';
import type { Outcome, Sent } from './wire.ts';

export interface Traffic {
  /** Send request `number`; what kind it was and how it was answered. */
  send(number: number): Promise<{
    readonly kind: 'read' | 'write';
    readonly status: number | undefined;
  }>;
}

const BATCHES = 30;
const BATCH = 100;

/** Sends a request. */
type Send = (secret: string, sent: Sent) => Promise<Outcome>;

/** Make the deals, then hand out requests: seven reads to three writes. */
export async function openTraffic(site: Site, seed: number, send: Send): Promise<Traffic> {
  const ids: string[] = [];
  for (let number = 0; number < BATCHES; number += 1) ids.push(...(await makeDeals(site, number)));
  const random = randomOf(0, seed);
  return {
    async send(number) {
      const sent = requestOf(random, ids, `s${seed}-${number}`);
      const { secret = '' } = site.keys[number % site.keys.length] ?? {};
      const { status } = await send(secret, sent);
      const kind = sent.key === undefined ? 'read' : 'write';
      return { kind, status };
    },
  };
}

async function makeDeals(site: Site, number: number): Promise<readonly string[]> {
  const operations = Array.from({ length: BATCH }, (_, place) => ({
    action: 'create',
    fields: { name: `Deal ${number} ${place}`, token: `soak ${number}-${place}`, grp: `g${place}` },
  }));
  const body = JSON.stringify({ operations });
  const sent = { method: 'POST', path: `${RECORDS_PATH}/batch`, body } as const;
  const answer = await site.wire.send(site.url, site.keys[0]?.secret ?? '', sent);
  if (answer.status !== 200) throw new Error(`the deals of the soak: ${answer.status}`);
  const { data } = JSON.parse((answer as Answer).body) as {
    data: { readonly results: readonly { readonly id: string }[] };
  };
  return data.results.map(({ id }) => id);
}

function requestOf(random: () => number, ids: readonly string[], key: string): Sent {
  const kind = random();
  const id = ids[Math.floor(random() * ids.length)] as string;
  const group = Math.floor(random() * BATCH);
  const path = RECORDS_PATH;
  const write = (method: 'POST' | 'PATCH', at: string, body: object): Sent => {
    return { method, path: at, body: JSON.stringify(body), key };
  };
  const ask = (at: string, body: object): Sent => {
    return { method: 'POST', path: at, body: JSON.stringify(body) };
  };
  if (kind < 0.3) return { method: 'GET', path: `${path}/${id}` };
  if (kind < 0.48) return { method: 'GET', path: `${path}?filter[grp]=g${group}&limit=25` };
  if (kind < 0.58) return ask(`${path}/search`, { filters: { grp: `g${group}` }, limit: 25 });
  if (kind < 0.62) return { method: 'GET', path: `/v1/search?q=Deal ${group}`.replace(' ', '%20') };
  if (kind < 0.66) return { method: 'GET', path: `${path}/${id}/comments` };
  if (kind < 0.7) {
    const metrics = [{ name: 'n', op: 'count' }];
    return ask(`${path}/aggregate`, { group_by: ['status'], metrics });
  }
  if (kind < 0.83) return write('POST', path, { fields: { name: key, token: key } });
  if (kind < 0.96) return write('PATCH', `${path}/${id}`, { fields: { note: key } });
  return write('POST', `${path}/${id}/comments`, { body: key });
}
