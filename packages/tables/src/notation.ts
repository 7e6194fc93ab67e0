// How a file writes numbers and days, shown by columns that can mean only one thing: it decides for the others. Pure.

import type { ColumnFacts } from './guess.ts';
import {
  type FoundForms,
  type FoundNumbers,
  type FoundTimes,
  findNumbers,
  type Mark,
  markOf,
  numberLike,
} from './written-forms.ts';

interface Shown {
  readonly mark: Mark;
  /** The first column that shows it. */
  readonly heading: string;
}

/** Undefined: no column shows it, or two of them differ. */
export interface Notation {
  readonly numbers: Shown | undefined;
  readonly times: Shown | undefined;
}

export interface WrittenColumn {
  readonly heading: string;
  readonly facts: ColumnFacts;
  readonly numbers: FoundNumbers | undefined;
  readonly times: FoundTimes | undefined;
}

export function notationOf(columns: readonly WrittenColumn[]): Notation {
  return {
    numbers: shownBy(columns, ({ facts, numbers = someNumbers(facts) }) =>
      numbers?.isMarked === true ? numbers : undefined,
    ),
    times: shownBy(columns, ({ times }) =>
      /^[DM]+[/-]/.test(times?.form.format ?? '') ? times : undefined,
    ),
  };
}

function shownBy(
  columns: readonly WrittenColumn[],
  formsOf: (column: WrittenColumn) => FoundForms | undefined,
): Shown | undefined {
  const forms = columns.flatMap((column) => {
    const found = formsOf(column);
    const isSure = found !== undefined && found.others.length === 0;
    return isSure ? [{ mark: markOf(found.form), heading: column.heading }] : [];
  });
  const [first] = forms;
  return forms.every(({ mark }) => mark === first?.mark) ? first : undefined;
}

/** The form of the numbers of a column in which some cells have words. */
function someNumbers({ distinct }: ColumnFacts): FoundNumbers | undefined {
  const texts = numberLike(distinct);
  return texts.length * 2 > distinct.length ? findNumbers(texts) : undefined;
}
