// What the faults and the soak found: printed, and kept in docs/reliability.md. A row stays until the
// same thing is run again, so that the long runs need not be one run.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { ms, percentile, type Report } from './fault.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'docs', 'reliability.md');

/** One figure of the soak. */
export interface Figure {
  readonly name: string;
  readonly figure: string;
  readonly target: string;
  readonly reached: boolean;
  readonly notes: string;
}

export function printReport(report: Report): void {
  const { name, title, skipped, violations, seconds, notes } = report;
  if (skipped !== undefined) {
    console.log(`${name.padEnd(5)} skipped: ${skipped}`);
    return;
  }
  const { cycles, acked, refused, unknown, replayed } = report;
  console.log(
    `${name.padEnd(5)} ${title}: ${cycles} × in ${seconds.toFixed(0)} s; ${acked} acknowledged, ` +
      `${refused} refused, ${unknown} unknown at first (${replayed} of them made already); ` +
      `recovery ${recoveryOf(report)}; ${violations.length} violations`,
  );
  for (const note of notes) console.log(`        ${note}`);
  for (const violation of violations) console.log(`  !!    ${violation}`);
}

export function printFigure({ name, figure, target, reached, notes }: Figure): void {
  const mark = reached ? '' : '  NOT REACHED';
  console.log(`${name.padEnd(44)} ${figure.padStart(20)}  (${target})${mark}  ${notes}`);
}

function recoveryOf({ recoveries }: Report): string {
  if (recoveries.length === 0) return '–';
  return `${ms(percentile(recoveries, 0.5))} / ${ms(Math.max(...recoveries))}`;
}

/** Milliseconds from healing to the first good answer that are allowed. */
const RECOVERY_TARGET = 2000;

export function writeReports(reports: readonly Report[]): void {
  writeDocument({ faults: reports.map(rowOfFault), soak: [] });
}

export function writeFigures(figures: readonly Figure[]): void {
  const rows = figures.map(({ name, figure, target, reached, notes }) =>
    rowOf([name, figure, target, reached ? 'yes' : '**no**', today(), notes]),
  );
  writeDocument({ faults: [], soak: rows });
}

function rowOfFault(report: Report): string {
  const { name, title, skipped, violations, notes, cycles, planned } = report;
  const none = Array<string>(8).fill('–');
  if (skipped !== undefined) return rowOf([name, title, ...none, `${SKIPPED}${skipped}`]);
  const { acked, refused, unknown, replayed, recoveries } = report;
  const late = recoveries.filter((recovery) => recovery > RECOVERY_TARGET).length;
  const misses = [
    ...violations,
    ...(cycles < planned ? [`${cycles} times of the ${planned} of the long form`] : []),
    ...(late > 0 ? [`${late} recoveries took longer than ${RECOVERY_TARGET} ms`] : []),
  ];
  const counts = [cycles, acked, refused, unknown, replayed].map(String);
  const found = violations.length === 0 ? '0' : `**${violations.length}**`;
  const remarks = [...misses.map((text) => `**${text}**`), ...notes].join('; ');
  return rowOf([name, title, ...counts, found, recoveryOf(report), today(), remarks]);
}

const SKIPPED = 'skipped: ';

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '/').replaceAll('\n', ' ')).join(' | ')} |`;
}

function today(): string {
  return `${new Date().toISOString().slice(0, 10)} (${revision()})`;
}

interface Rows {
  readonly faults: readonly string[];
  readonly soak: readonly string[];
}

function writeDocument(fresh: Rows): void {
  const old = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '';
  const [oldFaults = '', oldSoak = ''] = old.split('## Soak');
  const faults = merge(rowsIn(oldFaults), fresh.faults);
  const soak = merge(rowsIn(oldSoak), fresh.soak);
  const [processor] = cpus();
  const text = [
    '# Reliability',
    '',
    '<!-- Written by `npm run test:faults` and `npm run soak`; text is in faults/report.ts. -->',
    '',
    `Machine: ${cpus().length} × ${processor?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ` +
      `${process.platform}, shared with other work; Node ${process.version}, the bundled PostgreSQL ` +
      'with full durability.',
    '',
    '## Faults',
    '',
    ...FAULTS_TEXT,
    '',
    '| Fault | What | Times | Acknowledged | Refused | Unknown at first | Made all the same | Violations | Recovery p50 / most | Run | Notes |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...faults,
    '',
    ...LIMITS_TEXT,
    '',
    '## Soak',
    '',
    ...SOAK_TEXT,
    '',
    '| Figure | Measured | Target | Reached | Run | Notes |',
    '| --- | --- | --- | --- | --- | --- |',
    ...soak,
    '',
  ].join('\n');
  writeFileSync(DOCUMENT, text);
}

function rowsIn(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  return lines.filter((line) => !/^\| (?:---|Fault|Figure) /.test(line));
}

/** Rows of the same name are replaced, others keep their places. */
function merge(old: readonly string[], fresh: readonly string[]): readonly string[] {
  const nameOf = (row: string) => row.split(' | ', 1)[0];
  const known = new Set(old.map(nameOf));
  // What another machine could measure is kept.
  const news = fresh.filter((row) => !row.includes(SKIPPED) || !known.has(nameOf(row)));
  const all = new Map([...old, ...news].map((row) => [nameOf(row), row]));
  const natural = { numeric: true } as const;
  return [...all.values()].sort((a, b) => a.localeCompare(b, 'en', natural));
}

const FAULTS_TEXT = [
  'Eight clients write all the time while something breaks: creates, patches, status moves, comments',
  'with mentions, links, deletes, work items and batches of a hundred, nearly all under an',
  'Idempotency-Key, and keep a ledger. What was not answered is sent again under the same key until it',
  'is. Readers look at pages that must never show half a batch; another workspace is used at the same',
  'time. Afterwards the ledger is held against the database: every acknowledged write is there once and',
  'as it was left, refused ones are not, audit, stored answers, versions, references, workflow,',
  'notifications, indexes and checksums agree, nobody holds a lock, no process ended by itself, and no',
  'answer was anything but a success or an honest error.',
  '',
  '**Unknown at first** are writes with an attempt that told nothing: no answer, 500 or 503. **Made all',
  'the same** are those of which a later attempt got the stored answer. **Recovery** is the time from the',
  'moment the cause was gone (X1: the process was started) to the first good answer; the target is two',
  'seconds on a quiet machine.',
];

const LIMITS_TEXT = [
  'Targets: 500 kills of the service (X1), 100 of PostgreSQL (X2 and X3), 100 lost answers of COMMIT (X8).',
  'A row with fewer times fell short of them for want of time. Rows come from runs of their own, and a',
  'row that is run again replaces the one before, also one with violations.',
  '',
  'What a run does not decide by itself, and only notes: whether reads are slower afterwards than twice',
  'what they were, resident memory after a fault (but X9), the delay of the event loop (X4), the time of',
  'refusals (X5, of which those that held a connection are counted apart) and of reads beside many',
  'connections (X10). V8 is held against the ledger, as the audit has no values; V12 runs amcheck inside',
  'PostgreSQL and reads tables, without pg_checksums. X7 with ten cycles and more did not end in its time',
  'twice, for a reason not found yet. X9 has no slow downloads; X11 runs at a fifth of the rate planned',
  'for it; X12 moves the clock of the service only.',
];

const SOAK_TEXT = [
  'Requests at a constant rate; the time of an answer counts from the moment its request was planned',
  'for.',
];

function revision(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  try {
    const args = ['rev-parse', '--short', 'HEAD'];
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return version;
  }
}
