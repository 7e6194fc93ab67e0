// The adapter of NocoDB, after its data interface of version 2: a server that somebody else runs, with an empty table
// `deals`. See README.md.

import { STAGES } from '../records-definition.ts';
import type { Deal } from './deals.ts';
import type { OpenPeer, Peer, PeerTasks, StoredDeal } from './peer.ts';

const FIELDS = 'fields=Id,name,stage,amount,close_date,priority';

export function nocodbPeer({ NOCODB_URL, NOCODB_TOKEN, NOCODB_TABLE }: NodeJS.ProcessEnv): Peer {
  const isThere = NOCODB_URL && NOCODB_TOKEN && NOCODB_TABLE;
  return {
    name: 'nocodb',
    missing: isThere ? undefined : 'NOCODB_URL, NOCODB_TOKEN and NOCODB_TABLE are not set',
    open: () => open(String(NOCODB_URL), String(NOCODB_TOKEN), String(NOCODB_TABLE)),
  };
}

async function open(url: string, token: string, table: string): Promise<OpenPeer> {
  const headers = { 'xc-token': token };
  const answer = await fetch(`${url}/api/v2/meta/tables/${table}`, { headers });
  if (!answer.ok) throw new Error(`its table answers ${answer.status}`);
  const { columns } = (await answer.json()) as { columns: readonly Column[] };
  return {
    url,
    headers,
    tasks: tasksOf(`/api/v2/tables/${table}`, columns),
    close: async () => {},
  };
}

interface Column {
  readonly id: string;
  readonly title: string;
}

interface Row extends Omit<Deal, 'amount'> {
  readonly Id: number;
  readonly amount: string | number;
}

function tasksOf(table: string, columns: readonly Column[]): PeerTasks {
  const records = `${table}/records`;
  return {
    get: {
      request: (id) => ({ method: 'GET', path: `${records}/${id}?${FIELDS}` }),
      status: 200,
      read: (body) => storedOf(body as Row),
    },
    list: {
      request: ({ stage, amount }) => ({
        method: 'GET',
        path: `${records}?where=(stage,eq,${stage})~and(amount,gte,${amount})&sort=-close_date&limit=25&${FIELDS}`,
      }),
      status: 200,
      read: (body) => (body as { list: readonly Row[] }).list.map(storedOf),
    },
    aggregate: aggregateOf(table, columns),
    create: {
      request: (deal) => ({ method: 'POST', path: records, body: deal }),
      status: 200,
      read: (body) => ({ id: String((body as Row).Id) }),
    },
    batch: {
      request: (deals) => ({ method: 'POST', path: records, body: deals }),
      status: 200,
      read: (body) => (body as readonly Row[]).map(({ Id }) => String(Id)),
    },
  };
}

/**
 * There are no groups: one request has a filter for each stage. Aggregates name columns by their ids; over an empty
 * table the answer has no body.
 */
function aggregateOf(table: string, columns: readonly Column[]): PeerTasks['aggregate'] {
  const idOf = (title: string) => columns.find((column) => column.title === title)?.id;
  const aggregation = JSON.stringify([
    { field: idOf('amount'), type: 'sum' },
    { field: idOf('Id'), type: 'count_filled' },
  ]);
  return {
    request: () => ({
      method: 'POST',
      path: `${table}/bulk/aggregate?aggregation=${encodeURIComponent(aggregation)}`,
      body: STAGES.map((stage) => ({ alias: stage, where: `(stage,eq,${stage})` })),
    }),
    status: 201,
    read: (body) =>
      Object.entries((body ?? {}) as Record<string, Pick<Row, 'Id' | 'amount'>>)
        .map(([stage, { amount, Id }]) => ({ stage, count: Number(Id), sum: Number(amount) }))
        .filter(({ count }) => count > 0),
  };
}

function storedOf({ Id, amount, ...rest }: Row): StoredDeal {
  return { ...rest, id: String(Id), amount: Number(amount) };
}
