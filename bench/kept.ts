// `npm run bench:kept`: what a history and a trash cost writes, and how long a page of a long history takes.
//   --seconds N      length of one measurement (5)
//   --rounds N       measurements of each side (9)
//   --versions N     versions of the record with the long history (10000)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentile } from '../faults/figures.ts';
import { compareRates, median, type Request } from './measure.ts';
import { atLeast, atMost, isReached, printResult, type Result } from './report.ts';
import { openSite, type Site, type Visitor } from './site.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' },
    versions: { type: 'string', default: '10000' },
  },
});
const load = { seconds: Number(options.seconds), rounds: Number(options.rounds) };
const versions = Number(options.versions);
const BATCH = 100;
/** Records that are changed in turn. */
const RECORDS = 1000;
/** Deletes of one turn. */
const DELETES = 400;

const FIELDS = {
  name: { type: 'text' },
  city: { type: 'text' },
  size: { type: 'integer' },
  note: { type: 'text' },
};
const object = (name: string, more: object) => ({
  ...{ name, singular_name: name, display_field: 'name', fields: FIELDS, ...more },
});
const DEFINITION = {
  name: 'Kept',
  objects: {
    plain: object('Plain', {}),
    noted: object('Noted', { history: { keep: '90d' } }),
    binned: object('Binned', { trash: { keep: '30d' } }),
  },
};

interface Kept {
  readonly site: Site;
  readonly visitor: Visitor;
  send(method: string, path: string, body?: object): Promise<Answer>;
}
// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
type Answer = any;

async function create({ send }: Kept, type: string, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, at) => ({
      ...{ action: 'create', fields: fieldsOf(from + at) },
    }));
    const { data } = await send('POST', `/objects/${type}/records/batch`, { operations });
    ids.push(...data.results.map(({ id }: { id: string }) => id));
  }
  return ids;
}

function fieldsOf(number: number) {
  return { name: `Record ${number}`, city: `City ${number % 97}`, size: number, note: 'called' };
}

function patchesOf(type: string, ids: readonly string[]): readonly Request[] {
  let value = 0;
  return ids.map((id) => ({
    method: 'PATCH' as const,
    path: `/v1/objects/${type}/records/${id}`,
    renew: () => {
      value += 1;
      return { body: JSON.stringify({ fields: { size: value, city: `City ${value}` } }) };
    },
  }));
}

async function measurePatches(kept: Kept, connections: number): Promise<Result> {
  const { visitor } = kept;
  const authorizations = await visitor.authorizations(connections);
  const side = async (type: string) => ({
    ...visitor.asks(patchesOf(type, await create(kept, type, RECORDS))),
    authorizations,
  });
  // The first side is the one with a history; a body makes the type of its content known.
  const [noted, plain] = [withContent(await side('noted')), withContent(await side('plain'))];
  const { first, second, ratio } = await compareRates(noted, plain, { ...load, connections });
  return {
    ...{ task: `patches with a history, ${connections} at a time`, figure: ratio },
    ...{ service: `${Math.round(first)}/s`, floor: `${Math.round(second)}/s` },
    target: atLeast(0.9),
  };
}

function withContent<S extends { readonly requests: readonly Request[] }>(side: S): S {
  const requests = side.requests.map((request) => ({
    ...request,
    headers: { ...request.headers, 'content-type': 'application/json' },
  }));
  return { ...side, requests };
}

/** Deletes a second of new records, one by one (8 at a time) or as batches. */
async function deleteRate(kept: Kept, type: string, isBatch: boolean): Promise<number> {
  const ids = [...(await create(kept, type, isBatch ? DELETES * 5 : DELETES))];
  const { length } = ids;
  const begun = performance.now();
  const worker = async () => {
    for (let some = take(ids, isBatch); some.length > 0; some = take(ids, isBatch)) {
      if (!isBatch) await kept.send('DELETE', `/objects/${type}/records/${some[0]}`);
      else {
        const operations = some.map((id) => ({ action: 'delete', id }));
        await kept.send('POST', `/objects/${type}/records/batch`, { operations });
      }
    }
  };
  await Promise.all(Array.from({ length: isBatch ? 1 : 8 }, worker));
  return (1000 * length) / (performance.now() - begun);
}

function take(ids: string[], isBatch: boolean): readonly string[] {
  return ids.splice(0, isBatch ? BATCH : 1);
}

async function measureDeletes(kept: Kept, isBatch: boolean): Promise<Result> {
  const figures: { readonly binned: number; readonly plain: number }[] = [];
  for (let round = 0; round <= load.rounds; round += 1) {
    const plain = await deleteRate(kept, 'plain', isBatch);
    const binned = await deleteRate(kept, 'binned', isBatch);
    if (round > 0) figures.push({ plain, binned });
  }
  const rate = (side: 'plain' | 'binned') => Math.round(median(figures.map((each) => each[side])));
  return {
    task: `deletes with a trash, ${isBatch ? '100 in a batch' : 'one by one'}`,
    ...{ service: `${rate('binned')}/s`, floor: `${rate('plain')}/s`, target: atLeast(0.8) },
    figure: median(figures.map(({ binned, plain }) => binned / plain)),
  };
}

async function measurePages(kept: Kept): Promise<readonly Result[]> {
  const path = `/objects/noted/records/${await recordOfManyVersions(kept)}`;
  const results: Result[] = [];
  for (const [limit, target] of [
    [25, 10],
    [100, 10],
  ] as const) {
    const taken = await timesOf(() => kept.send('GET', `${path}/history?limit=${limit}`));
    results.push({
      ...{ task: `a page of ${limit} changes among ${versions}`, figure: percentile(taken, 0.5) },
      ...{ service: `p95 ${percentile(taken, 0.95).toFixed(1)} ms`, floor: 'p50' },
      target: atMost(target, 'ms'),
    });
  }
  return results;
}

async function recordOfManyVersions(kept: Kept): Promise<string> {
  const [id = ''] = await create(kept, 'noted', BATCH);
  for (let version = 0; version < versions; version += 1) {
    const fields = { size: version, city: `City ${version}` };
    await kept.send('PATCH', `/objects/noted/records/${id}`, { fields });
  }
  return id;
}

async function timesOf(act: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let turn = 0; turn < 220; turn += 1) {
    const begun = performance.now();
    await act();
    if (turn >= 20) taken.push(performance.now() - begun);
  }
  return taken;
}

async function open(folder: string): Promise<Kept> {
  const site = await openSite(folder, false, { REQUESTS_PER_MINUTE: '1000000000' });
  const file = join(folder, 'definition.json');
  writeFileSync(file, JSON.stringify(DEFINITION));
  site.service.command(
    ...['workspaces', 'create', 'kept', '--definition', file, '--admin', 'admin@bench.example'],
  );
  const visitor = await site.visit('kept');
  return {
    ...{ site, visitor },
    async send(method, path, body) {
      const answer = await fetch(`${site.service.url}/v1${path}`, {
        ...{ method, headers: { ...visitor.headers, 'content-type': 'application/json' } },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'bench-kept-'));
const kept = await open(folder);
try {
  const results = [
    await measurePatches(kept, 1),
    await measurePatches(kept, 16),
    await measureDeletes(kept, false),
    await measureDeletes(kept, true),
    ...(await measurePages(kept)),
  ];
  for (const result of results) printResult(result);
  if (!results.every(isReached)) process.exitCode = 1;
} finally {
  await kept.site.close();
  rmSync(folder, { recursive: true, force: true });
}
