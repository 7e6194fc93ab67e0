// What the benchmark found: printed as it comes, and written to docs/performance.md by a full run.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** One line of the table. */
export interface Result {
  readonly task: string;
  readonly service: string;
  /** What it is compared with. */
  readonly floor: string;
  readonly figure: number;
  /** `≥ 0.75 ×`, `≤ 400 MB`: comparison, number, unit. */
  readonly target: Target;
}

export interface Target {
  readonly at: 'least' | 'most';
  readonly value: number;
  readonly unit: '×' | 'records/s' | 'MB' | 'KB' | 'ms';
}

export interface RunFacts {
  readonly postgres: string;
  readonly records: number;
  /** How the data came to be, and what was left out. */
  readonly notes: readonly string[];
  readonly options: string;
}

/** What was built: by the end of a run the checkout may have moved on. */
const REVISION = revision();
const DOCUMENT = join(import.meta.dirname, '..', 'docs', 'performance.md');

export function atLeast(value: number, unit: Target['unit'] = '×'): Target {
  return { at: 'least', value, unit };
}

export function atMost(value: number, unit: Target['unit'] = '×'): Target {
  return { at: 'most', value, unit };
}

export function isReached({ figure, target }: Result): boolean {
  return target.at === 'least' ? figure >= target.value : figure <= target.value;
}

export function printResult(result: Result): void {
  const { task, service, floor } = result;
  const mark = isReached(result) ? '' : '  NOT REACHED';
  const figure = figureOf(result).padStart(16);
  console.log(`${task.padEnd(48)}${figure}  (${targetOf(result)}; ${service} / ${floor})${mark}`);
}

/** Write the table; `docs/performance.md` is whatever the last full run found. */
export function writeReport(results: readonly Result[], facts: RunFacts): void {
  const rows = results.map((result) => {
    const { task, service, floor } = result;
    const reached = isReached(result) ? 'yes' : '**no**';
    return `| ${[task, service, floor, figureOf(result), targetOf(result), reached].join(' | ')} |`;
  });
  const missed = results.filter((result) => !isReached(result));
  const text = [
    '# Performance',
    '',
    '<!-- Written by `npm run bench -- --records N`; text is in bench/report.ts. -->',
    '',
    ...factLines(facts),
    '',
    '| Task | Service | Compared with | Figure | Target | Reached |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    missed.length === 0
      ? 'Every target was reached in this run.'
      : `Not reached in this run: ${missed.map(({ task }) => task).join('; ')}.`,
    '',
    ...HOW_TO_READ,
    '',
  ].join('\n');
  writeFileSync(DOCUMENT, text);
}

const HOW_TO_READ = [
  '## How to read this',
  '',
  'The machine is shared and noisy: absolute numbers differ from run to run and say little about',
  'another machine. What counts are the ratios. Both sides of a comparison are measured in turns, a',
  'few seconds each; every turn gives a ratio, and the figure is the median of the ratios. It need',
  'not be the quotient of the two medians in the row.',
  '',
  '- **Floor** is a bare `node:http` server that runs the same SQL text with the same parameters',
  '  through `pg` and prints the rows with `JSON.stringify`: no authentication, no rights, no limits,',
  '  no validation. The ratio says how much of that rate is left when the service does its work.',
  '  Client, server and PostgreSQL share the processors.',
  '- For **writes** the floor does the obvious: BEGIN, the record, its audit row, its search rows, COMMIT,',
  '  one after the other, into tables of the same shape with the same indexes (for a patch: lock, update,',
  '  audit row; for a **batch**: one statement a table).',
  '- **Latencies** are medians over 8 concurrent requests. The ratio of two of them says how a',
  '  request slows down when something grows: 1 × means not at all.',
  '- **Growth** compares the workspace of 10,000 records with the large one in the same database.',
  '- **Many workspaces** are measured when every connection to PostgreSQL has met every workspace',
  '  several times. Before that a connection has to read the catalogue of a workspace it meets for the',
  '  first time, and PostgreSQL plans the first five executions of a prepared statement anew.',
  '- **Aggregates over all rows** read every row. Their time grows with the table; the ratio only says',
  '  that the service adds nothing to what PostgreSQL needs.',
  '- **Live events**: every stream has a key of its own; they are all read by one other process, which',
  '  notes when each comment arrives on each of them. The time begins before the POST is sent.',
  '  **Memory** is what the process holds more than before, after a garbage collection, for each stream.',
  '- What was not reached is marked. A run that leaves out tasks (`--only`) prints its results and does',
  '  not write this file.',
  '- **Sharing**: requests that are there at the same time share a statement (gets, pages newest first, equal lists,',
  '  aggregates and searches) or a transaction (creates, patches), whoever sends them; the floor sends one for each.',
  '  Rows that say "each connection with its key" are the same task with a key for each connection, as real traffic',
  '  has. Connections begin at different requests, so that neighbours ask for different things.',
  '- What a request costs its client, it costs both sides: the floor is sent an `Idempotency-Key` too.',
  '',
  '## Where the remaining time goes',
  '',
  'Profiled on the same kind of machine with 32 connections. Processor time of the process and of PostgreSQL for',
  'one request, the floor measured in turns with the service:',
  '',
  '| Task | Service: process + PostgreSQL | Floor |',
  '| --- | --- | --- |',
  '| get one | 145–235 + 25–40 µs | 200–245 + 170–220 µs |',
  '| list of 25 | 340–555 + 65–100 µs | 365–480 + 230–300 µs |',
  '| create one | 400–445 + 235 µs | 465–500 + 670–735 µs |',
  '| create one with a key | 510–600 + 320–365 µs | 465–500 + 670–735 µs |',
  '| patch one | 520–655 + 320–350 µs | 590–630 + 600 µs |',
  '',
  '- **Lists**: of the time of the process one sixth goes into writing answers to sockets (the floor writes as',
  '  often), 12 % into garbage collection, 5 % into printing the page, 5 % into opening and sealing cursors, 5 %',
  '  into reading rows in the driver, 3 % into the key, its rights and its count. Filtered lists share nothing:',
  '  nobody knows before what one costs, so each has to be cancelled alone.',
  '- **Patches**: one fifth is writing to sockets, 7 % garbage collection, one tenth the driver, the rest is',
  '  spread thin. Alone, a patch waits twice for PostgreSQL (lock, then update and COMMIT).',
  '- **Batches**: two thirds are PostgreSQL, and of that more than four fifths are rows and index entries: a',
  '  company with three words makes 25. The search indexes by text are 18 %, those by age 16 %, the trigrams of',
  '  the name 9 %, audit 14 %. Each serves a promise (docs/design/batches.md, D146).',
  '- **Batches over objects** (2026-11-22, a busy machine with a load of 15 on two cores, turns of one client, medians of 50):',
  '  100 creates over three objects, nine in ten with a reference by `$op`, 64 ms; 100 creates of one object by the same',
  '  endpoint 54 ms, by the batch of the object 56 ms. The look-ups of all objects are one message.',
  '- **Bulk changes** (the same busy machine, 100,000 deals, pages of 500): an update of an indexed field 2,600 records/s, of',
  '  two others 3,400, a move of the workflow 2,300; 75 to 85 µs of the process for a record, the rest is PostgreSQL. A dry',
  '  run of them takes 0.4 s, asking for the job, which keeps their ids, 0.7 to 1.2 s. With little other work 100,299 of',
  '  1,000,000 deals were changed at 4,500 records/s, from asking to the end of the job.',
  '- **Questions** at 1,000,000 deals and 10,000 companies (2026-11-22, statements alone, a machine with a load of 20 on two cores,',
  '  one run each): any of two indexed conditions 0.7 ms, `contains` on an indexed text 16 ms, a filter through a reference',
  '  9 ms, all but one value through a reference 0.6 ms, an order through a reference 66 ms, an exact count beyond its limit',
  '  16 ms, 32 conditions on texts and references under one `not`, with a count and two orders through references, 0.53 s. A',
  '  question costs the process 20 µs more than a list, and 55 µs when its plan is not kept. `npm run bench:query` compares',
  '  them with the floor, on the quiet machine: 0.69, 0.82 and 0.58 of its rate for the first three (1,270, 822 and 1,626 a',
  '  second), 0.93 for the order, 0.97 for groups, and 3.1 times the list for two expanded references on 100 rows. Part of',
  '  the first and third has been mended since (reading of a question 12 → 4 µs, queue of its statement 18 → 4 µs) and not',
  '  been measured again. Beside the dearest tree, asked again and again, the p95 of gets rose from 10 to 87 ms on a machine',
  '  that had other work.',
  '- **Counting** requests for the limits of a key costs a quarter of the rate of gets: an exact count needs a',
  '  statement of its own in each turn.',
  '- **Several processes** on the machine of the database: `npm run bench:peers -- --peers service --workers 2',
  '  --connections 32` on two cores gave get 0.78 ×, filtered list 1.18 ×, aggregate 0.95 ×, create 0.97 ×, batch',
  '  1.03 × of one process; gets from a lighter client 1.1 ×. Each process finds fewer requests to put together,',
  '  and client, processes and PostgreSQL share two cores that were busy before.',
  '- **Memory for speed**: `NODE_OPTIONS=--max-semi-space-size=32` saves about 8 % of the processor time of gets',
  '  and lists, and takes more memory.',
];

function factLines({ postgres, records, notes, options }: RunFacts): readonly string[] {
  const [processor] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return [
    `- Date: ${new Date().toISOString().slice(0, 10)}, revision ${REVISION}`,
    `- Machine: ${cpus().length} × ${processor?.model.trim()}, ${memory} GB, ${process.platform}`,
    `- Node ${process.version}, PostgreSQL ${postgres} (embedded, its default settings)`,
    `- Records: ${records.toLocaleString('en')} in the large workspace, 10,000 in the small one`,
    `- Options: ${options}`,
    ...notes.filter((note) => note !== '').map((note) => `- ${note}`),
  ];
}

function revision(): string {
  const root = join(import.meta.dirname, '..');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
    const changed =
      git('status', '--porcelain', 'src', 'migrations') === '' ? '' : ', with changes';
    return `${version} (${git('rev-parse', '--short', 'HEAD').trim()}${changed})`;
  } catch {
    return version;
  }
}

function figureOf({ figure, target }: Result): string {
  return `${target.unit === '×' ? figure.toFixed(2) : figure.toFixed(0)} ${target.unit}`;
}

function targetOf({ target }: Result): string {
  return `${target.at === 'least' ? '≥' : '≤'} ${target.value} ${target.unit}`;
}
