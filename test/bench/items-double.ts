// A server in memory that answers the few requests of the Directus adapter in the form its documentation shows. It
// checks that the requests are built and the answers read after that documentation; it does not check Directus
// itself.

import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Deal } from '../../bench/peers/deals.ts';

export interface ItemsDouble {
  readonly url: string;
  /** Requests without the token, or that it does not know. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

export const TOKEN = 'static-token';

type Item = Deal & { readonly id: string };

/** One that forgets answers every write and stores those of single items not. */
export async function openItemsDouble(forgets = false): Promise<ItemsDouble> {
  const items = new Map<string, Item>();
  const refused: string[] = [];
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const body = await bodyOf(request);
    const [, first, collection, id] = url.pathname.split('/');
    const isKnown =
      request.headers.authorization === `Bearer ${TOKEN}` &&
      first === 'items' &&
      collection === 'deals';
    let data: unknown;
    if (isKnown && request.method === 'POST') data = create(JSON.parse(body));
    else if (isKnown && id !== undefined) data = items.has(id) ? shown(items.get(id)) : undefined;
    else if (isKnown) data = listOf([...items.values()], url.searchParams);
    if (data === undefined) refused.push(`${request.method} ${request.url}`);
    response.writeHead(data === undefined ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data }));
  });

  function create(body: Deal | readonly Deal[]): unknown {
    if (Array.isArray(body)) return body.map((deal: Deal) => shown(store(deal)));
    const deal = body as Deal;
    return shown(forgets ? { ...deal, id: randomUUID() } : store(deal));
  }

  function store(deal: Deal): Item {
    const item = { ...deal, id: randomUUID() };
    items.set(item.id, item);
    return item;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Decimals are strings. */
function shown(item: Item | undefined): unknown {
  return item && { ...item, amount: item.amount.toFixed(2) };
}

function listOf(items: readonly Item[], query: URLSearchParams): unknown {
  if (query.get('aggregate[count]') === 'id') return groupsOf(items, query);
  const stage = query.get('filter[stage][_eq]');
  const amount = Number(query.get('filter[amount][_gte]') ?? Number.NaN);
  const limit = Number(query.get('limit') ?? 100);
  if (query.get('sort') !== '-close_date') return undefined;
  return items
    .filter((item) => item.stage === stage && item.amount >= amount)
    .sort((a, b) => b.close_date.localeCompare(a.close_date))
    .slice(0, limit)
    .map(shown);
}

function groupsOf(items: readonly Item[], query: URLSearchParams): unknown {
  if (query.get('groupBy[]') !== 'stage' || query.get('aggregate[sum]') !== 'amount') return;
  return [...new Set(items.map(({ stage }) => stage))].map((stage) => {
    const group = items.filter((item) => item.stage === stage);
    const sum = group.reduce((total, { amount }) => total + Math.round(100 * amount), 0) / 100;
    return { stage, count: { id: String(group.length) }, sum: { amount: sum.toFixed(2) } };
  });
}
