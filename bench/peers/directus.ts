// The adapter of Directus, after its REST documentation (items, query parameters): a server that
// somebody else runs, with an empty collection `deals`. See README.md.

import type { Peer, PeerTasks, StoredDeal } from './peer.ts';

const ITEMS = '/items/deals';
const FIELDS = 'id,name,stage,amount,close_date,priority';

export function directusPeer({ DIRECTUS_URL, DIRECTUS_TOKEN }: NodeJS.ProcessEnv): Peer {
  const isThere = DIRECTUS_URL !== undefined && DIRECTUS_TOKEN !== undefined;
  return {
    name: 'directus',
    missing: isThere ? undefined : 'DIRECTUS_URL and DIRECTUS_TOKEN are not set',
    open: async () => ({
      url: String(DIRECTUS_URL),
      headers: { authorization: `Bearer ${DIRECTUS_TOKEN}` },
      tasks: TASKS,
      close: async () => {},
    }),
  };
}

/** Numbers of the type `decimal`, and what an aggregate makes of numbers, may be strings. */
interface Item extends Omit<StoredDeal, 'id' | 'amount'> {
  readonly id: string | number;
  readonly amount: string | number;
}

interface Group {
  readonly stage: string;
  readonly count: { readonly id: string | number };
  readonly sum: { readonly amount: string | number };
}

const TASKS: PeerTasks = {
  get: {
    request: (id) => ({ method: 'GET', path: `${ITEMS}/${id}?fields=${FIELDS}` }),
    status: 200,
    read: (body) => storedOf(dataOf<Item>(body)),
  },
  list: {
    request: ({ stage, amount }) => ({
      method: 'GET',
      path:
        `${ITEMS}?filter[stage][_eq]=${stage}&filter[amount][_gte]=${amount}` +
        `&sort=-close_date&limit=25&fields=${FIELDS}`,
    }),
    status: 200,
    read: (body) => dataOf<readonly Item[]>(body).map(storedOf),
  },
  aggregate: {
    request: () => ({
      method: 'GET',
      path: `${ITEMS}?aggregate[count]=id&aggregate[sum]=amount&groupBy[]=stage`,
    }),
    status: 200,
    read: (body) =>
      dataOf<readonly Group[]>(body).map(({ stage, count, sum }) => {
        return { stage, count: Number(count.id), sum: Number(sum.amount) };
      }),
  },
  create: {
    request: (deal) => ({ method: 'POST', path: `${ITEMS}?fields=${FIELDS}`, body: deal }),
    status: 200,
    read: (body) => storedOf(dataOf<Item>(body)),
  },
  batch: {
    request: (deals) => ({ method: 'POST', path: `${ITEMS}?fields=id`, body: deals }),
    status: 200,
    read: (body) => dataOf<readonly Pick<Item, 'id'>[]>(body).map(({ id }) => String(id)),
  },
};

function dataOf<Data>(body: unknown): Data {
  return (body as { data: Data }).data;
}

function storedOf(item: Item): StoredDeal {
  return { ...item, id: String(item.id), amount: Number(item.amount) };
}
