// The first type of work items, made for a file: its statuses are the lists or statuses of the file, and each leads to each
// other. Pure.

import { conceptOf } from '../../../../tables/src/concepts.ts';
import { uniqueKeys } from '../../../../tables/src/field-keys.ts';
import { presetConcept } from '../../../../tables/src/presets/preset.ts';
import type { Table } from '../../../../tables/src/reading.ts';

export interface TypeNames {
  readonly type: string;
  readonly workflow: string;
  /** Used where the file has no statuses. */
  readonly statuses: readonly string[];
}

/** The most statuses that are made of a column. */
const MOST_STATUSES = 25;
const DONE = /done|complete|closed|finished|erledigt|fertig|abgeschlossen/i;

export const FIRST_TYPE = 'task';

/** A merge patch of the definition. `taken`: the keys of its workflows. */
export function firstTypePatch(
  table: Pick<Table, 'headings' | 'columns' | 'preset'>,
  names: TypeNames,
  taken: readonly string[],
): Record<string, unknown> {
  const [workflow = ''] = uniqueKeys(['tasks'], 'workflow', taken);
  const words = statusesIn(table) ?? names.statuses;
  const keys = uniqueKeys(words, 'status');
  const statuses = words.map((name, index) => {
    const transitions = keys.filter((_, other) => other !== index);
    const isDone =
      DONE.test(name) || (index === words.length - 1 && !words.some((one) => DONE.test(one)));
    return [keys[index], { name, transitions, ...(isDone ? { category: 'done' } : {}) }];
  });
  return {
    workflows: {
      [workflow]: {
        ...{ name: names.workflow, initial: keys[0] },
        statuses: Object.fromEntries(statuses),
      },
    },
    work_item_types: { [FIRST_TYPE]: { name: names.type, prefix: 'TASK', workflow } },
  };
}

function statusesIn({
  headings,
  columns,
  preset,
}: Pick<Table, 'headings' | 'columns' | 'preset'>): readonly string[] | undefined {
  const index = headings.findIndex((heading) => {
    const about = preset && presetConcept(preset, heading);
    return (about ?? conceptOf(heading)) === 'status';
  });
  const { distinct = [], isMany = true } = columns[index] ?? {};
  return isMany || distinct.length < 2 || distinct.length > MOST_STATUSES ? undefined : distinct;
}
