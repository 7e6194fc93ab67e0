// The problems of rejected rows in groups: how many rows have the same one, and what one of them has in its cell.

import type { RowProblem } from './rows/read-rows.ts';

export interface ProblemGroup extends RowProblem {
  /** Rows that have it. */
  readonly rows: number;
  /** The first of them. */
  readonly line: number;
  /** The cell of one of them. */
  readonly example?: string;
  /** The number of the file, from 1, when there are several. */
  readonly file?: number;
}

export interface ProblemGroups {
  add(
    line: number,
    problems: readonly (RowProblem & { readonly example?: string | undefined })[],
  ): void;
  /** The groups of most rows, the most frequent first; of as many rows, the earliest. */
  most(): readonly ProblemGroup[];
}

/** Different problems that are counted; a reason may name the value. */
const COUNTED = 1000;
const SHOWN = 20;

export function openProblemGroups(): ProblemGroups {
  const groups = new Map<string, ProblemGroup>();
  return {
    add(line, problems) {
      for (const { field, reason, example } of problems) {
        const key = JSON.stringify([field, reason]);
        const known = groups.get(key);
        if (known === undefined && groups.size === COUNTED) continue;
        const rows = (known?.rows ?? 0) + 1;
        const isFirst = known === undefined || line < known.line;
        const such = (isFirst ? example : undefined) ?? known?.example ?? example;
        groups.set(key, {
          ...{ field, reason, rows, line: isFirst ? line : known.line },
          ...(such === undefined ? {} : { example: such }),
        });
      }
    },
    most: () => [...groups.values()].sort(moreOften).slice(0, SHOWN),
  };
}

/** The groups of several files. */
export function joinGroups(files: readonly ProblemGroups[]): readonly ProblemGroup[] {
  const [only, another] = files;
  if (another === undefined) return only?.most() ?? [];
  const all = files.flatMap((groups, index) =>
    groups.most().map((group) => ({ file: index + 1, ...group })),
  );
  return all.sort((one, other) => other.rows - one.rows).slice(0, SHOWN);
}

function moreOften(one: ProblemGroup, other: ProblemGroup): number {
  return other.rows - one.rows || one.line - other.line;
}

/** One line for the terminal. */
export function groupLine({ field, reason, rows, example }: ProblemGroup): string {
  const place = field === '' ? '' : `${field}: `;
  const such = example === undefined ? '' : ` Such as: ${example}`;
  return `${rows.toLocaleString('en-US')} × ${place}${reason}${such}`;
}
