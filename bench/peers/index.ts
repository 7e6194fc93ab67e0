// `npm run bench:peers`: the same five tasks over HTTP against several servers, in turns. Prints a
// table; see README.md.
//   --records N      deals that every peer holds (10000)
//   --seconds N      length of one turn (3)
//   --rounds N       turns of each peer per task, after one that does not count (5)
//   --connections N  concurrent requests (16); aggregates and batches: 4 at most
//   --peers NAMES    comma-separated, the others are compared with the first
//   --workers N      one more peer: the service with so many processes

import { parseArgs } from 'node:util';
import { comparePeers } from './compare.ts';
import { directusPeer } from './directus.ts';
import { floorPeer } from './floor.ts';
import { nocodbPeer } from './nocodb.ts';
import type { Peer } from './peer.ts';
import { servicePeer } from './service.ts';
import { printTable } from './table.ts';

const PEERS: readonly Peer[] = [
  servicePeer(),
  floorPeer(),
  directusPeer(process.env),
  nocodbPeer(process.env),
];
/** Autovacuum looks once a minute. */
const VACUUM_SECONDS = 70;

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    peers: { type: 'string', default: PEERS.map(({ name }) => name).join(',') },
    workers: { type: 'string' },
  },
});

function numberOf(name: 'records' | 'seconds' | 'rounds' | 'connections' | 'workers'): number {
  const value = Number(options[name]);
  const isRight = name === 'seconds' ? value > 0 : Number.isInteger(value) && value > 0;
  if (!isRight) throw new Error(`--${name} must be a number above 0, not ${options[name]}`);
  return value;
}

function wantedPeers(): readonly Peer[] {
  const named = options.peers.split(',').map((name) => {
    const peer = PEERS.find((one) => one.name === name);
    if (peer === undefined) throw new Error(`no peer ${name}; there are: ${names(PEERS)}`);
    return peer;
  });
  const all = [...named, ...(options.workers ? [servicePeer(numberOf('workers'))] : [])];
  for (const { name, missing } of all) {
    if (missing !== undefined) console.error(`${name} is left out: ${missing}`);
  }
  return all.filter(({ missing }) => missing === undefined);
}

function names(peers: readonly Peer[]): string {
  return peers.map(({ name }) => name).join(', ');
}

const load = {
  seconds: numberOf('seconds'),
  rounds: numberOf('rounds'),
  connections: numberOf('connections'),
};
const cells = await comparePeers(wantedPeers(), {
  records: numberOf('records'),
  load,
  vacuumSeconds: VACUUM_SECONDS,
  onNews: (text) => console.error(text),
});
console.log(printTable(cells));
if (cells.some(({ wrong }) => wrong !== undefined)) process.exitCode = 1;
