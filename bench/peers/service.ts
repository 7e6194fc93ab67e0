// The adapter of this service: one process, or several behind one port.

import type { Deal } from './deals.ts';
import type { OpenPeer, Peer, PeerTasks, StoredDeal } from './peer.ts';
import { type OpenStand, openOwnStand, type Stand, settle } from './stand.ts';

const RECORDS = '/v1/objects/deals/records';
const FIELDS = 'name,stage,amount,close_date,priority';
const METRICS = [
  { name: 'deals', op: 'count' },
  { name: 'total', op: 'sum', field: 'amount' },
];

export function servicePeer(workers = 1, openStand: OpenStand = openOwnStand): Peer {
  return {
    name: workers === 1 ? 'service' : `service, ${workers} workers`,
    open: async () => serviceOf(await openStand({ WORKERS: String(workers) })),
  };
}

/** The service of an installation, without any deals. */
export function serviceOf(stand: Stand): OpenPeer {
  return {
    url: stand.url,
    headers: stand.visitor.headers,
    tasks: TASKS,
    settle: () => settle(stand),
    close: stand.close,
  };
}

interface Wire {
  readonly id: string;
  readonly fields: Deal;
}

interface Group {
  readonly stage: string;
  readonly deals: number;
  readonly total: number;
}

const TASKS: PeerTasks = {
  get: {
    request: (id) => ({ method: 'GET', path: `${RECORDS}/${id}?fields=${FIELDS}` }),
    status: 200,
    read: (body) => storedOf((body as { data: Wire }).data),
  },
  list: {
    request: ({ stage, amount }) => ({
      method: 'GET',
      path:
        `${RECORDS}?filter[stage]=${stage}&filter[amount][gte]=${amount}` +
        `&sort=-close_date&fields=${FIELDS}`,
    }),
    status: 200,
    read: (body) => (body as { data: readonly Wire[] }).data.map(storedOf),
  },
  aggregate: {
    request: () => ({
      method: 'POST',
      path: `${RECORDS}/aggregate`,
      body: { group_by: ['stage'], metrics: METRICS },
    }),
    status: 200,
    read: (body) =>
      (body as { data: readonly Group[] }).data.map(({ stage, deals, total }) => {
        return { stage, count: deals, sum: total };
      }),
  },
  create: {
    request: (deal) => ({ method: 'POST', path: RECORDS, body: { fields: deal } }),
    status: 201,
    read: (body) => storedOf((body as { data: Wire }).data),
  },
  batch: {
    request: (deals) => ({
      method: 'POST',
      path: `${RECORDS}/batch`,
      body: { operations: deals.map((fields) => ({ action: 'create', fields })) },
    }),
    status: 200,
    read: (body) =>
      (body as { data: { results: readonly { id: string }[] } }).data.results.map(({ id }) => id),
  },
};

function storedOf({ id, fields }: Wire): StoredDeal {
  return { ...fields, id };
}
