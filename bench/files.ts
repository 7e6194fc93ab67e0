// `npm run bench:files`: a download of the service against one of `node:http` from the same disk, in turns, and a list with a
// column of files against one with a column of texts. It prints the median of the ratios of the turns.
//   --rounds N  (9)   --megabytes N  (25)

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceProcess, startService } from './processes.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    megabytes: { type: 'string', default: '25' },
  },
});
const ROUNDS = Number(options.rounds);
const BYTES = Number(options.megabytes) * 2 ** 20;
/** Downloads of a turn, one after the other. */
const DOWNLOADS = 4;
/** Lists of a turn. */
const LISTS = 200;
const RECORDS = 100;
const NOTE = 'A text about as long as a name, a type and a size are in JSON, with an id: '.padEnd(
  150,
  'x',
);

const DEFINITION = {
  objects: {
    things: {
      ...{ name: 'Things', singular_name: 'Thing', display_field: 'name' },
      fields: {
        name: { type: 'text' },
        note: { type: 'text' },
        papers: { type: 'file', max_bytes: 100 * 2 ** 20 },
      },
    },
  },
  users: { 'ada@bench.example': { name: 'Ada', roles: ['admin'] } },
};

const folder = mkdtempSync(join(tmpdir(), 'bench-files-'));
const service = await startService(folder, { DEMO: 'off', WORKERS: '1' });
try {
  await measure(service);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ url, command }: ServiceProcess): Promise<void> {
  const file = join(folder, 'bench.json');
  writeFileSync(file, JSON.stringify(DEFINITION));
  command('workspaces', 'create', 'bench', '--definition', file);
  const key = command(
    ...['keys', 'create', '--workspace', 'bench', '--user', 'ada@bench.example', '--name', 'bench'],
    ...['--rpm', '100000000'],
  ).trim();
  const headers = { authorization: `Bearer ${key}` };
  const large = await upload(url, headers, randomBytes(BYTES));
  const place = { name: 'Large', papers: [large] };
  const id = await make(url, headers, place);
  const download = `${url}/v1/objects/things/records/${id}/files/papers/${large}`;
  const floor = await startFloor(large);
  const seconds = [() => fetchAll(download, headers), () => fetchAll(floor.url, {})] as const;
  report('download', await turns(seconds, DOWNLOADS), 'of node:http, at least 0.7');
  floor.stop();
  for (let at = 0; at < RECORDS; at += 1) {
    const small = await upload(url, headers, Buffer.from('x'));
    await make(url, headers, { name: `Thing ${at}`, note: NOTE, papers: [small] });
  }
  const list = (field: string) => `${url}/v1/objects/things/records?limit=100&fields=${field}`;
  const lists = [
    () => fetchAll(list('note'), headers),
    () => fetchAll(list('papers'), headers),
  ] as const;
  report('list with files', await turns(lists, LISTS), 'of a list with a text, about 1');
}

/** The rate of the first side in relation to the second one, of each turn. */
async function turns(
  [first, second]: readonly [() => Promise<void>, () => Promise<void>],
  times: number,
): Promise<readonly number[]> {
  const time = async (work: () => Promise<void>) => {
    const start = performance.now();
    for (let done = 0; done < times; done += 1) await work();
    return performance.now() - start;
  };
  await time(first);
  await time(second);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const isFirst = round % 2 === 0;
    const one = isFirst ? await time(first) : 0;
    const other = await time(second);
    ratios.push(other / (isFirst ? one : await time(first)));
  }
  return ratios;
}

function report(what: string, ratios: readonly number[], target: string): void {
  const sorted = [...ratios].sort((one, other) => one - other);
  const at = (part: number) =>
    (sorted[Math.floor(part * (sorted.length - 1))] as number).toFixed(2);
  console.log(`${what}: ${at(0.5)} × (${at(0)} to ${at(1)}) ${target}`);
}

async function fetchAll(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  for await (const _ of response.body ?? []);
}

async function upload(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<string> {
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body };
  const response = await fetch(`${url}/v1/files?purpose=field`, init as unknown as RequestInit);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

async function make(
  url: string,
  headers: Readonly<Record<string, string>>,
  fields: object,
): Promise<string> {
  const response = await fetch(`${url}/v1/objects/things/records`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ fields }),
  });
  return ((await response.json()) as { data: { id: string } }).data.id;
}

/** On the file as the service has stored it. */
async function startFloor(id: string) {
  const child = fork(join(import.meta.dirname, 'file-floor.ts'), { execArgv: ['--import', 'tsx'] });
  const all = readdirSync(join(folder, 'files'), { recursive: true, encoding: 'utf8' });
  child.send(join(folder, 'files', all.find((name) => name.endsWith(id)) as string));
  const port = await new Promise((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.disconnect() };
}
