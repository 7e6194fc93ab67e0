// The results of the benchmark: printed as they arrive, and written to docs/performance.md by a full run.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** One line of the table. */
export interface Result {
  readonly task: string;
  readonly service: string;
  /** The side that it is compared with. */
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
  /** How the data was made, and what was omitted. */
  readonly notes: readonly string[];
  readonly options: string;
}

/** The revision that was built: the checkout may have changed by the end of a run. */
const REVISION = revision();
/** The text between these lines of the document is generated. */
const BEGIN = '<!-- Results of `npm run bench -- --records N`. -->';
const END = '<!-- End of results. -->';
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

/** Write the table of a full run into `docs/performance.md`, whose other text stays. */
export function writeReport(results: readonly Result[], facts: RunFacts): void {
  const rows = results.map((result) => {
    const { task, service, floor } = result;
    const reached = isReached(result) ? 'yes' : '**no**';
    return `| ${[task, service, floor, figureOf(result), targetOf(result), reached].join(' | ')} |`;
  });
  const missed = results.filter((result) => !isReached(result));
  const written = [
    ...factLines(facts),
    '',
    '| Task | Service | Compared with | Figure | Target | Reached |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    missed.length === 0
      ? 'Every target was reached in this run.'
      : `Not reached in this run: ${missed.map(({ task }) => task).join('; ')}.`,
  ].join('\n');
  const [before, after] = aroundResults(readFileSync(DOCUMENT, 'utf8'));
  writeFileSync(DOCUMENT, `${before}\n${written}\n\n${after}`);
}

/** The text of the document up to its first mark, and from its second on. */
function aroundResults(text: string): readonly [string, string] {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${DOCUMENT} has no place for results`);
  return [`${text.slice(0, begin + BEGIN.length)}\n`, text.slice(end)];
}

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
