// The rows of a file that have the match values of an earlier row. The memory is that of the values.

import { folded } from './folded.ts';
import type { ProposedMapping } from './propose-mapping.ts';
import { type ReadOptions, type Table, type TableRow, tableRows } from './reading.ts';

export interface Doubles {
  readonly count: number;
  readonly first: readonly {
    readonly line: number;
    readonly first_line: number;
    readonly value: string;
  }[];
}

const SHOWN = 20;
const LONGEST = 60;

interface Matching {
  readonly table: Table;
  readonly mapping: ProposedMapping;
  readonly options: ReadOptions;
}

/** Null: rows match nothing. Reads the file once more. */
export async function findDoubles(
  open: () => AsyncIterable<Uint8Array>,
  { table, mapping, options }: Matching,
): Promise<Doubles | null> {
  const [matchKey] = mapping.match ?? [];
  const at = columnOf(table, mapping, matchKey);
  if (at === -1) return null;
  // Work items match within their type.
  const typeAt = matchKey === 'id' ? -1 : columnOf(table, mapping, 'work_item_type_id');
  const lines = new Map<string, number>();
  const first: Doubles['first'][number][] = [];
  let count = 0;
  const add = ({ cells, line, isUneven }: TableRow) => {
    const value = cells[at] ?? '';
    if (value === '' || isUneven) return;
    // Addresses and codes match in any case.
    const key = JSON.stringify([folded(value), folded(cells[typeAt] ?? '')]);
    const before = lines.get(key);
    if (before === undefined) return void lines.set(key, line);
    count += 1;
    if (first.length < SHOWN)
      first.push({ line, first_line: before, value: value.slice(0, LONGEST) });
  };
  for await (const { rows } of tableRows(open(), table, options)) {
    rows.forEach(add);
    await options.onRows?.(0);
  }
  return { count, first };
}

/** The column that goes to the field of this key, or -1. */
function columnOf(
  { headings }: Table,
  { columns }: ProposedMapping,
  key: string | undefined,
): number {
  return headings.findIndex((heading) => {
    const target = columns[heading];
    return key !== undefined && (target === key || Object(target).field === key);
  });
}
