// The comparison of peers: the service and the floor answer all five tasks rightly and are
// measured, a peer that answers wrongly is not, and the requests for Directus are those of its
// documentation.

import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cell, comparePeers } from '../../bench/peers/compare.ts';
import { directusPeer } from '../../bench/peers/directus.ts';
import { floorPeer } from '../../bench/peers/floor.ts';
import { type Peer, type PeerTasks, TASK_NAMES } from '../../bench/peers/peer.ts';
import { servicePeer } from '../../bench/peers/service.ts';
import { createDealsWorkspace, SLUG, type Stand } from '../../bench/peers/stand.ts';
import { printTable } from '../../bench/peers/table.ts';
import { startFloor } from '../../bench/processes.ts';
import { visit } from '../../bench/site.ts';
import { assembleService } from '../../src/cli/service/assemble.ts';
import { readConfig } from '../../src/config.ts';
import { createMigratedDatabase } from '../own-database.ts';
import { type ItemsDouble, openItemsDouble, TOKEN } from './items-double.ts';

/** The service in this process over a database of its own; the floor is another process. */
async function openStand(): Promise<Stand> {
  const database = await createMigratedDatabase();
  const { db, connection } = database;
  await createDealsWorkspace(db);
  const logger = pino({ level: 'silent' });
  const server = await assembleService({ ...database, config: readConfig({}), logger });
  const url = `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`;
  return {
    url,
    visitor: await visit(db, url, { slug: SLUG }),
    startFloor: (routes) => startFloor({ connection, poolSize: 4, routes }),
    async close() {
      await server.close();
      await database.drop();
    },
  };
}

/** However short it is, every connection sends something in it. */
function compare(peers: readonly Peer[], seconds = 0.002): Promise<readonly Cell[]> {
  const load = { seconds, rounds: 1, connections: 4 };
  return comparePeers(peers, { records: 300, load, vacuumSeconds: 0, onNews: () => {} });
}

/** The same peer with other tasks. */
function altered(peer: Peer, name: string, change: (tasks: PeerTasks) => PeerTasks): Peer {
  return {
    name,
    async open(deals) {
      const open = await peer.open(deals);
      return { ...open, tasks: change(open.tasks) };
    },
  };
}

let double: ItemsDouble;
let forgetful: ItemsDouble;

beforeAll(async () => {
  double = await openItemsDouble();
  forgetful = await openItemsDouble(true);
});
afterAll(async () => {
  await Promise.all([double.close(), forgetful.close()]);
});

const documented = ({ url }: ItemsDouble) =>
  directusPeer({ DIRECTUS_URL: url, DIRECTUS_TOKEN: TOKEN });

test('the service and the floor answer rightly and are measured', async () => {
  const cells = await compare([servicePeer(1, openStand), floorPeer(openStand)], 0.04);
  expect(cells.map(({ task, peer, wrong }) => [task, peer, wrong])).toEqual(
    TASK_NAMES.flatMap((task) => [
      [task, 'service', undefined],
      [task, 'floor', undefined],
    ]),
  );
  for (const { figures } of cells) {
    expect(figures?.rate).toBeGreaterThan(0);
    expect(figures?.p99).toBeGreaterThanOrEqual(figures?.p50 as number);
    expect(figures?.ratio).toBeGreaterThan(0);
  }
  const table = printTable(cells).split('\n');
  expect(table).toHaveLength(2 + cells.length);
  expect(table[2]).toMatch(/^\| get one +\| service +\| [\d.]+ .* 1\.00 × +\|$/);
});

test('a server that follows its documentation answers the requests for Directus', async () => {
  const cells = await compare([documented(double)]);
  expect(cells.map(({ task, wrong }) => [task, wrong])).toEqual(
    TASK_NAMES.map((task) => [task, undefined]),
  );
  expect(double.refused).toEqual([]);
});

test('without its URL and token Directus does not take part', () => {
  expect(directusPeer({}).missing).toMatch(/DIRECTUS_URL/);
  expect(documented(double).missing).toBeUndefined();
});

test('a server that holds deals already is not loaded', async () => {
  await expect(compare([documented(double)])).rejects.toThrow(/directus .*the totals are \w+/);
});

test('a peer that loses stored deals has no figure, nor a ratio to it', async () => {
  const second = await openItemsDouble();
  const peers = [documented(forgetful), { ...documented(second), name: 'second' }];
  const cells = await compare(peers).finally(second.close);
  const [create, other] = cells.filter(({ task }) => task === 'create');
  expect(create).toMatchObject({
    peer: 'directus',
    wrong: expect.stringMatching(/the totals are/),
  });
  expect(create).not.toHaveProperty('figures');
  expect(other?.wrong).toBeUndefined();
  expect(other?.figures).toMatchObject({ rate: expect.any(Number), ratio: undefined });
  expect(printTable(cells)).toMatch(/\| create one +\| directus +\| wrong answers \|/);
  expect(printTable(cells)).toMatch(/\ndirectus, create one: the totals are/);
});

test.each<[string, string, (tasks: PeerTasks) => PeerTasks]>([
  [
    'another record',
    'get',
    ({ get, ...others }) => {
      let first: string | undefined;
      const request = (id: string) => {
        first ??= id;
        return get.request(first);
      };
      return { ...others, get: { ...get, request } };
    },
  ],
  [
    'a list in another order',
    'list',
    ({ list, ...others }) => ({
      ...others,
      list: { ...list, read: (body) => list.read(body).toReversed() },
    }),
  ],
  [
    'a page cut short',
    'list',
    ({ list, ...others }) => ({
      ...others,
      list: { ...list, read: (body) => list.read(body).slice(1) },
    }),
  ],
  [
    'a record that does not fit',
    'list',
    ({ list, ...others }) => ({
      ...others,
      list: {
        ...list,
        read: (body) => list.read(body).map((deal) => ({ ...deal, stage: 'lead' })),
      },
    }),
  ],
  [
    'another status',
    'create',
    ({ create, ...others }) => ({ ...others, create: { ...create, status: 204 } }),
  ],
  [
    'fewer records than were sent',
    'batch',
    ({ batch, ...others }) => {
      let sent = 0;
      const request = (deals: Parameters<typeof batch.request>[0]) => {
        sent += 1;
        // The first three load the deals.
        return batch.request(sent > 3 ? deals.slice(1) : deals);
      };
      return { ...others, batch: { ...batch, request } };
    },
  ],
])('%s is a wrong answer', async (_, task, change) => {
  const server = await openItemsDouble();
  const peer = altered(documented(server), 'altered', change);
  const cells = await compare([peer]).finally(server.close);
  const wrong = cells.filter((cell) => cell.wrong !== undefined).map((cell) => cell.task);
  expect(wrong).toContain(task);
  expect(wrong.filter((name) => name !== task && name !== 'batch')).toEqual([]);
});
