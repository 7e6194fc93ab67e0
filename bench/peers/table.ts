// The table of a comparison, in Markdown: a row for each task and peer. Pure.

import type { Cell } from './compare.ts';
import { BATCH } from './deals.ts';
import type { TaskName } from './peer.ts';

const LABELS: Readonly<Record<TaskName, string>> = {
  get: 'get one',
  list: 'list of 25, two filters and a sort',
  aggregate: 'count and sum for each stage',
  create: 'create one',
  batch: `batch of ${BATCH} creates`,
};

const HEAD = ['Task', 'Peer', 'Requests/s', 'p50 ms', 'p99 ms', 'Ratio'];

/** Below the table: what was wrong with the answers that have no figure. */
export function printTable(cells: readonly Cell[]): string {
  const rows = [HEAD, ...cells.map(rowOf)];
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const print = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  const problems = cells.flatMap(({ task, peer, wrong }) =>
    wrong === undefined ? [] : [`${peer}, ${LABELS[task]}: ${wrong}`],
  );
  const [head, ...others] = rows as [readonly string[], ...(readonly string[])[]];
  return [...[head, rule, ...others].map(print), ...problems].join('\n');
}

function rowOf({ task, peer, figures }: Cell): readonly string[] {
  if (figures === undefined) return [LABELS[task], peer, 'wrong answers', '—', '—', '—'];
  const { rate, p50, p99, ratio } = figures;
  return [
    LABELS[task],
    peer,
    rate < 100 ? rate.toFixed(1) : rate.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    ratio === undefined ? '—' : `${ratio.toFixed(2)} ×`,
  ];
}
