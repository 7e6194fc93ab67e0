// The rows of an import that were not imported: from the file of rejects and the problems of the job to rows with marked
// cells, and back to a file that is imported again.

import type { Client, JobDetails } from '@workspace-records/client';
import { parseCsv } from '../../../tables/src/csv-parser.ts';
import { csvText, unguardText } from '../../../tables/src/csv-text.ts';

export interface RowProblem {
  /** The column whose cell is wrong; undefined: no column gives the field, or it is the row as a whole. */
  readonly heading: string | undefined;
  /** Key of the field; empty: the row as a whole. */
  readonly field: string;
  /** A sentence of the service. */
  readonly reason: string;
}

export interface RejectedRow {
  /** The line in the file of the import, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly problems: readonly RowProblem[];
}

export interface Rejects {
  readonly headings: readonly string[];
  readonly rows: readonly RejectedRow[];
}

/** The columns before those of the file (reject-text.ts of the service). */
const NOTES = 3;
/** The most characters that are read for the rows on the page; the file has all of them. */
const MOST_READ = 2_000_000;

export type Mapping = NonNullable<JobDetails['files'][number]['mapping']>;

/** A file of an import. */
export interface ImportedFile {
  /** The number of the file in the import, from 1. */
  readonly number: number;
  readonly mapping: Mapping | undefined;
}

/** The ending of a file of rejected rows. */
export function endingOf({ headers }: Response): '.csv' | '.jsonl' {
  return headers.get('Content-Type')?.startsWith('application/x-ndjson') ? '.jsonl' : '.csv';
}

/** The first rejected rows of a file; of a file of JSON lines neither headings nor rows. */
export async function readRejects(
  client: Client,
  { id, problems }: Pick<JobDetails, 'id' | 'problems'>,
  { number, mapping }: ImportedFile,
  most = Number.POSITIVE_INFINITY,
): Promise<Rejects> {
  const response = await client.imports.rejects(id, { file: number });
  if (endingOf(response) === '.jsonl') {
    await response.body?.cancel();
    return { headings: [], rows: [] };
  }
  const text = await startOf(response);
  const [header = [], ...rows] = parseCsv(text, mapping?.delimiter).map(({ cells }) => cells);
  const headings = header.slice(NOTES);
  // Problems of an import of one file do not name it.
  const own = problems.filter(({ file = 1 }) => file === number);
  const byField = headingsByField(mapping, headings);
  const byLine = problemsByLine(own, byField);
  const rejectedRows = rows.slice(0, most).map(([line, field = '', reason = '', ...cells]) => {
    const storedProblems = byLine.get(Number(line));
    // Problems of several fields are one text here.
    const heading = byField.get(field);
    const noted = { heading, field: heading === undefined ? '' : field, reason };
    return {
      ...{ line: Number(line), cells: cells.map(unguardText) },
      problems: storedProblems ?? [noted],
    };
  });
  return { headings, rows: rejectedRows };
}

/** Whole lines of the beginning. */
async function startOf(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return text;
    text += value;
    if (text.length < MOST_READ) continue;
    await reader?.cancel();
    return text.slice(0, text.lastIndexOf('\n') + 1);
  }
}

function headingsByField(
  mapping: Mapping | undefined,
  headings: readonly string[],
): ReadonlyMap<string, string> {
  if (mapping?.columns === undefined) return new Map(headings.map((one) => [one, one]));
  return new Map(
    Object.entries(mapping.columns).flatMap(([heading, targets]) =>
      [targets].flat().map((target) => {
        const field = typeof target === 'string' ? target : target.field;
        return [field.replace(/^custom_fields\./, ''), heading] as const;
      }),
    ),
  );
}

function problemsByLine(
  problems: JobDetails['problems'],
  headings: ReadonlyMap<string, string>,
): ReadonlyMap<number, readonly RowProblem[]> {
  const lines = new Map<number, RowProblem[]>();
  for (const { line = 0, field, reason } of problems) {
    const known = lines.get(line) ?? [];
    lines.set(line, [...known, { heading: headings.get(field), field, reason }]);
  }
  return lines;
}

/** The corrected rows, as a file of the same columns. */
export function correctedFile({ headings, rows }: Rejects): Blob {
  return new Blob([csvText([headings, ...rows.map(({ cells }) => cells)])], { type: 'text/csv' });
}

/** A changed cell has no problem until its row is imported again. */
export function withCell(rejects: Rejects, line: number, index: number, text: string): Rejects {
  const rows = rejects.rows.map((row) =>
    row.line === line
      ? {
          ...row,
          cells: row.cells.with(index, text),
          problems: row.problems.filter((one) => one.heading !== rejects.headings[index]),
        }
      : row,
  );
  return { ...rejects, rows };
}
