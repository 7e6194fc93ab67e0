// The results of the faults and the soak: printed, and kept in docs/reliability.md (reliability-document.ts).

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Report } from './fault.ts';
import { mostOf, ms, percentile } from './figures.ts';
import { type Cells, renderDocument, SKIPPED } from './reliability-document.ts';

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
  return `${ms(percentile(recoveries, 0.5))} / ${ms(mostOf(recoveries))}`;
}

/** Milliseconds from healing to the first good answer that are allowed. */
const RECOVERY_TARGET = 2000;

export function writeReports(reports: readonly Report[]): void {
  writeDocument({ faults: reports.map(rowOfFault), soak: [] });
}

export function writeFigures(figures: readonly Figure[]): void {
  const rows = figures.map(({ name, figure, target, reached, notes }) => [
    ...[name, figure, target, reached ? 'yes' : '**no**', today(), notes],
  ]);
  writeDocument({ faults: [], soak: rows });
}

function rowOfFault(report: Report): Cells {
  const { name, title, skipped, violations, notes, cycles, planned } = report;
  const none = Array<string>(8).fill('–');
  if (skipped !== undefined) return [name, title, ...none, `${SKIPPED}${skipped}`];
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
  return [name, title, ...counts, found, recoveryOf(report), today(), remarks];
}

function today(): string {
  return `${new Date().toISOString().slice(0, 10)} (${revision()})`;
}

interface Rows {
  readonly faults: readonly Cells[];
  readonly soak: readonly Cells[];
}

function writeDocument(fresh: Rows): void {
  const old = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '';
  writeFileSync(DOCUMENT, renderDocument(old, fresh, machine()));
}

function machine(): string {
  const [processor] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return (
    `Machine: ${cpus().length} × ${processor?.model.trim()}, ${memory} GB, ${process.platform}, ` +
    `shared with other work; Node ${process.version}, the bundled PostgreSQL with full durability.`
  );
}

function revision(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  try {
    const args = ['rev-parse', '--short', 'HEAD'];
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return version;
  }
}
